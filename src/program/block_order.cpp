// A relaxed topological order of basic blocks: what a compiler numbers them by so that the smallest number can run
// first (Lorie and Strong). Every block comes before its successors, but for back edges, and a loop's blocks come
// before all that is reached through its exits. It is the weak topological order of Bourdoncle (Efficient chaotic
// iteration strategies with widenings, 1993), flattened: the strongly connected components in topological order, each
// with its head first and the rest ordered likewise without the edges to the head. Irreducible loops have an order too.
// Ties: the lower address first. Functions are ordered by their addresses; what cannot be reached comes last.
#include <algorithm>
#include <limits>

#include "program/analysis.h"

namespace heddle {
namespace {

class BlockOrder {
 public:
  explicit BlockOrder(const Kernel& kernel) : kernel_(kernel), number_(kernel.blocks.size()) {}

  // The blocks that `first` reaches, in order.
  std::vector<uint32_t> from(uint32_t first) {
    reversed_.clear();
    visit(first);
    return {reversed_.rbegin(), reversed_.rend()};
  }

 private:
  static constexpr uint32_t kPlaced = std::numeric_limits<uint32_t>::max();

  // The lowest address is visited last, to come first when all is turned round.
  template <class F>
  void for_each_successor(uint32_t block, F&& f) const {
    std::vector<uint32_t> successors = kernel_.blocks[block].successors;
    std::sort(successors.rbegin(), successors.rend());
    for (uint32_t next : successors) f(next);
  }

  // Tarjan's search for components; a component with a cycle is searched again without its head.
  uint32_t visit(uint32_t block) {
    stack_.push_back(block);
    number_[block] = ++visited_;
    uint32_t head = visited_;
    bool loop = false;
    for_each_successor(block, [&](uint32_t next) {
      const uint32_t reached = number_[next] == 0 ? visit(next) : number_[next];
      if (reached > head) return;
      head = reached;
      loop = true;
    });
    if (head != number_[block]) return head;
    number_[block] = kPlaced;
    for (uint32_t member = pop(); member != block; member = pop()) number_[member] = 0;
    if (loop)
      for_each_successor(block, [&](uint32_t next) {
        if (number_[next] == 0) visit(next);
      });
    reversed_.push_back(block);
    return head;
  }

  uint32_t pop() {
    const uint32_t block = stack_.back();
    stack_.pop_back();
    return block;
  }

  const Kernel& kernel_;
  std::vector<uint32_t> number_;  // 0: not visited
  std::vector<uint32_t> stack_, reversed_;
  uint32_t visited_ = 0;
};

}  // namespace

void find_block_order(Kernel& kernel) {
  const uint32_t unreached = std::numeric_limits<uint32_t>::max();
  kernel.block_order.assign(kernel.blocks.size(), unreached);
  BlockOrder order(kernel);
  uint32_t next = 0;
  for (const FunctionRange& function : kernel.functions) {
    if (function.begin == function.end) continue;
    for (uint32_t block : order.from(kernel.block_of[function.begin])) kernel.block_order[block] = next++;
  }
  for (uint32_t& number : kernel.block_order)
    if (number == unreached) number = next++;
}

}  // namespace heddle

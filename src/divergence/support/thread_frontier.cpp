#include "divergence/support/thread_frontier.h"

#include <algorithm>
#include <bit>

namespace heddle {
namespace {

// Places in the order of blocks.
class Places {
 public:
  explicit Places(size_t size) : words_((size + 63) / 64) {}
  void add(uint32_t place) { words_[place / 64] |= uint64_t{1} << place % 64; }
  // Those of the others that lie behind `place`; were there new ones?
  bool add_behind(const Places& others, uint32_t place) {
    uint64_t added = 0;
    for (size_t i = place / 64; i < words_.size(); ++i) {
      uint64_t behind = others.words_[i] & ~words_[i];
      if (i == place / 64) behind &= ~uint64_t{1} << place % 64;
      words_[i] |= behind;
      added |= behind;
    }
    return added != 0;
  }
  template <class F>
  void for_each(F&& f) const {
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t left = words_[i]; left != 0; left &= left - 1)
        f(static_cast<uint32_t>(i * 64 + static_cast<size_t>(std::countr_zero(left))));
  }
  uint32_t first() const {
    for (size_t i = 0; i < words_.size(); ++i)
      if (words_[i] != 0) return static_cast<uint32_t>(i * 64 + static_cast<size_t>(std::countr_zero(words_[i])));
    return kNoFrontier;
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace

// Who leaves a block for t leaves behind, at most, those in its frontier and those who went another way. Where nobody
// was in the block, t is the next of the order.
std::vector<uint32_t> first_of_frontiers(const Kernel& kernel) {
  const size_t size = kernel.blocks.size();
  std::vector<uint32_t> at(size);  // by place: the block
  for (uint32_t block = 0; block < size; ++block) at[kernel.block_order[block]] = block;
  std::vector<Places> frontier(size, Places(size));  // by place
  std::vector<bool> changed(size, true);
  while (std::find(changed.begin(), changed.end(), true) != changed.end())
    for (uint32_t place = 0; place < size; ++place) {
      if (!changed[place]) continue;
      changed[place] = false;
      Places where = frontier[place];
      for (uint32_t next : kernel.blocks[at[place]].successors) where.add(kernel.block_order[next]);
      const auto go_to = [&](uint32_t next) {
        if (frontier[next].add_behind(where, next)) changed[next] = true;
      };
      where.for_each(go_to);
      if (place + 1 < size) go_to(place + 1);
    }
  std::vector<uint32_t> first;
  for (uint32_t block = 0; block < size; ++block) first.push_back(frontier[kernel.block_order[block]].first());
  return first;
}

}  // namespace heddle

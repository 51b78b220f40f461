// Reconvergence points (the immediate post-dominator) and likely-convergence points (the latch of the innermost
// loop, for a branch that leaves the loop on a rare path: Fung and Aamodt, HPCA 2011, section 5).
//
// Threads that have nothing left to do but exit do not wait for others that may come to a barrier first: these would
// wait for them (`if (i >= n) return; … __syncthreads();`). A branch whose post-dominator is such an exit has none.
#include <algorithm>
#include <map>

#include "program/analysis.h"

namespace heddle {
namespace {

struct Loop {
  uint32_t header = 0;
  std::vector<uint32_t> latches;
  std::vector<bool> body;  // by block
  size_t size = 0;
};

bool dominates(const Kernel& kernel, uint32_t above, uint32_t below) {
  for (int32_t at = static_cast<int32_t>(below); at >= 0; at = kernel.blocks[static_cast<size_t>(at)].dominator)
    if (at == static_cast<int32_t>(above)) return true;
  return false;
}

// Adds what reaches `latch` without passing the header.
void grow(const Kernel& kernel, Loop& loop, uint32_t latch) {
  std::vector<uint32_t> work{latch};
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (loop.body[at]) continue;
    loop.body[at] = true;
    ++loop.size;
    for (uint32_t before : kernel.blocks[at].predecessors) work.push_back(before);
  }
}

// Natural loops, one per header. Irreducible ones have no header that dominates them and do not show up.
std::vector<Loop> natural_loops(const Kernel& kernel) {
  std::map<uint32_t, Loop> loops;
  for (uint32_t i = 0; i < kernel.blocks.size(); ++i) {
    for (uint32_t next : kernel.blocks[i].successors) {
      if (!dominates(kernel, next, i)) continue;
      auto [entry, added] = loops.try_emplace(next);
      Loop& loop = entry->second;
      if (added) {
        loop.header = next;
        loop.body.resize(kernel.blocks.size());
        loop.body[next] = true;
        loop.size = 1;
      }
      loop.latches.push_back(i);
      grow(kernel, loop, i);
    }
  }
  std::vector<Loop> result;
  for (auto& [header, loop] : loops) result.push_back(std::move(loop));
  return result;
}

// Can `from` reach the latch inside the body without taking the back edge?
bool reaches_latch(const Kernel& kernel, const Loop& loop, uint32_t from) {
  std::vector<bool> seen(kernel.blocks.size());
  std::vector<uint32_t> work{from};
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (!loop.body[at] || seen[at]) continue;
    if (at == loop.latches[0]) return true;
    seen[at] = true;
    for (uint32_t next : kernel.blocks[at].successors)
      if (next != loop.header) work.push_back(next);
  }
  return false;
}

Pc likely_point(const Kernel& kernel, const std::vector<Loop>& loops, uint32_t block) {
  const Loop* innermost = nullptr;
  for (const Loop& loop : loops)
    if (loop.body[block] && (!innermost || loop.size < innermost->size)) innermost = &loop;
  if (!innermost || innermost->latches.size() != 1 || block == innermost->latches[0]) return kNoPc;
  const int32_t post = kernel.blocks[block].post_dominator;
  if (post >= 0 && innermost->body[static_cast<size_t>(post)]) return kNoPc;
  const auto& successors = kernel.blocks[block].successors;
  const bool all = std::all_of(successors.begin(), successors.end(),
                               [&](uint32_t next) { return reaches_latch(kernel, *innermost, next); });
  return all ? kernel.blocks[innermost->latches[0]].begin : kNoPc;
}

bool contains_wait(const Kernel& kernel, const BasicBlock& block) {
  for (Pc pc = block.begin; pc < block.end; ++pc) {
    const Instruction& instruction = kernel.code[pc];
    if (instruction.flow == Flow::Barrier || instruction.flow == Flow::Sync || instruction.op == Op::Call) return true;
  }
  return false;
}

// Would threads wait here only to exit, while others may be waiting for them?
bool holds_up_others(const Kernel& kernel, const BasicBlock& branch, Pc point) {
  return kernel.code[point].op == Op::Exit && std::any_of(branch.successors.begin(), branch.successors.end(),
                                                          [&](uint32_t next) { return kernel.may_wait[next]; });
}

}  // namespace

// A call counts as a wait if any function of the kernel has one; it is not followed.
void find_waiting(Kernel& kernel) {
  kernel.may_wait.assign(kernel.blocks.size(), false);
  const bool anywhere = std::any_of(kernel.code.begin(), kernel.code.end(), [](const Instruction& instruction) {
    return instruction.flow == Flow::Barrier || instruction.flow == Flow::Sync;
  });
  if (!anywhere) return;
  std::vector<uint32_t> work;
  for (uint32_t i = 0; i < kernel.blocks.size(); ++i)
    if (contains_wait(kernel, kernel.blocks[i])) work.push_back(i);
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (kernel.may_wait[at]) continue;
    kernel.may_wait[at] = true;
    work.insert(work.end(), kernel.blocks[at].predecessors.begin(), kernel.blocks[at].predecessors.end());
  }
}

void find_convergence_points(Kernel& kernel) {
  kernel.reconvergence.assign(kernel.code.size(), kNoPc);
  kernel.likely_convergence.assign(kernel.code.size(), kNoPc);
  const std::vector<Loop> loops = natural_loops(kernel);
  for (uint32_t i = 0; i < kernel.blocks.size(); ++i) {
    const BasicBlock& block = kernel.blocks[i];
    if (block.successors.size() < 2) continue;
    const Pc branch = block.end - 1;
    if (block.post_dominator >= 0) {
      const Pc point = kernel.blocks[static_cast<size_t>(block.post_dominator)].begin;
      if (!holds_up_others(kernel, block, point)) kernel.reconvergence[branch] = point;
    }
    kernel.likely_convergence[branch] = likely_point(kernel, loops, i);
  }
}

}  // namespace heddle

// Reconvergence points (the immediate post-dominator) and likely-convergence points: where threads meet that part
// inside a loop, unless one of them takes a rare way out of it. That is the closest enclosing branch back to the loop's
// header (Fung and Aamodt, HPCA 2011, section 4 and its footnote 6); as a point, the first instruction of its block,
// the latch.
//
// Threads that have nothing left to do but exit do not wait for others that may come to a barrier first: these would
// wait for them (`if (i >= n) return; … __syncthreads();`). A branch whose post-dominator is such an exit has none.
#include <algorithm>
#include <map>

#include "program/analysis.h"

namespace heddle {
namespace {

// A branch back to a block that dominates it, and what it encloses: the blocks that reach it without passing the
// header. Loops with several latches have one for each. Irreducible loops have none.
struct BackEdge {
  uint32_t header = 0, latch = 0;
  std::vector<bool> body;  // by block
  size_t size = 0;         // blocks of it
};

void find_body(const Kernel& kernel, BackEdge& edge) {
  edge.body.assign(kernel.blocks.size(), false);
  edge.body[edge.header] = true;
  std::vector<uint32_t> work{edge.latch};
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (edge.body[at]) continue;
    edge.body[at] = true;
    for (uint32_t before : kernel.blocks[at].predecessors) work.push_back(before);
  }
  edge.size = static_cast<size_t>(std::count(edge.body.begin(), edge.body.end(), true));
}

// The closest first: smaller bodies, and of equal ones that whose latch stands first.
std::vector<BackEdge> back_edges(const Kernel& kernel) {
  std::vector<BackEdge> edges;
  for (uint32_t latch = 0; latch < kernel.blocks.size(); ++latch)
    for (uint32_t header : kernel.blocks[latch].successors) {
      if (!dominates(kernel, header, latch)) continue;
      edges.push_back({header, latch, {}, 0});
      find_body(kernel, edges.back());
    }
  std::stable_sort(edges.begin(), edges.end(), [](const BackEdge& a, const BackEdge& b) { return a.size < b.size; });
  return edges;
}

// Can threads that go to `from` come to the latch in this trip?
bool reaches_latch(const Kernel& kernel, const BackEdge& edge, uint32_t from) {
  std::vector<bool> seen(kernel.blocks.size());
  std::vector<uint32_t> work{from};
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (at == edge.header || !edge.body[at] || seen[at]) continue;
    if (at == edge.latch) return true;
    seen[at] = true;
    work.insert(work.end(), kernel.blocks[at].successors.begin(), kernel.blocks[at].successors.end());
  }
  return false;
}

// Of the innermost loop, the closest latch that both sides of the branch can come to, if they need not meet in the loop
// anyway. A latch itself has none, for one of its sides is the next trip.
Pc likely_point(const Kernel& kernel, const std::vector<BackEdge>& edges, uint32_t block) {
  const auto& successors = kernel.blocks[block].successors;
  const int32_t post = kernel.blocks[block].post_dominator;
  const BackEdge* closest = nullptr;
  for (const BackEdge& edge : edges) {
    if (!edge.body[block]) continue;
    if (!closest) closest = &edge;
    if (edge.header != closest->header) continue;  // an outer loop
    if (post >= 0 && edge.body[static_cast<size_t>(post)]) return kNoPc;
    if (std::all_of(successors.begin(), successors.end(),
                    [&](uint32_t next) { return reaches_latch(kernel, edge, next); }))
      return kernel.blocks[edge.latch].begin;
  }
  return kNoPc;
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
  const std::vector<BackEdge> edges = back_edges(kernel);
  for (uint32_t i = 0; i < kernel.blocks.size(); ++i) {
    const BasicBlock& block = kernel.blocks[i];
    if (block.successors.size() < 2) continue;
    const Pc branch = block.end - 1;
    if (block.post_dominator >= 0) {
      const Pc point = kernel.blocks[static_cast<size_t>(block.post_dominator)].begin;
      if (!holds_up_others(kernel, block, point)) kernel.reconvergence[branch] = point;
    }
    kernel.likely_convergence[branch] = likely_point(kernel, edges, i);
  }
}

}  // namespace heddle

#include "divergence/mechanisms/lorie_strong.h"

#include <algorithm>

#include "divergence/support/limits.h"

namespace heddle {

LorieStrong::LorieStrong(Host& host) : ThreadPcs(host) {}

std::string LorieStrong::refuses(const Kernel& kernel) const {
  return first_reason(recursion_in(kernel), indirection_in(kernel));
}

bool LorieStrong::runs_before(const Party& a, const Party& b) const {
  if (a.depth != b.depth) return a.depth > b.depth;
  const uint32_t first = number(a.pc), second = number(b.pc);
  return first != second ? first < second : a.pc < b.pc;
}

void LorieStrong::pick(StaticWarp& threads) {
  run_first(
      threads, [&](const Party& a, const Party& b) { return runs_before(a, b); },
      [](const Party& first, const Party& other) { return first.pc == other.pc && first.depth == other.depth; });
}

// The end of the block, or threads further down in it.
Pc LorieStrong::next_ask(const StaticWarp& threads, Pc pc) const {
  const Kernel& kernel = host_.kernel();
  return std::min(kernel.blocks[kernel.block_of[pc]].end, ThreadPcs::next_ask(threads, pc));
}

std::optional<Pc> LorieStrong::goes_on(WarpId id, Pc pc) const {
  return goes_first(of(id), pc, [&](const Party& there, const Party& party) { return runs_before(there, party); });
}

StateCost LorieStrong::cost() const {
  // A PC and a block number per thread, whatever the nesting.
  return {1, uint64_t{host_.warp_size()} * (32 + 32), true};
}

}  // namespace heddle

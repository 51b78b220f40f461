#include "divergence/mechanisms/stackless.h"

#include <algorithm>

namespace heddle {

Stackless::Stackless(Host& host, const Config& config)
    : ThreadPcs(host),
      by_depth_(config.text("stackless_pick") == "min_sp_pc"),
      every_step_(config.boolean("stackless_every_step")) {}

void Stackless::pick(StaticWarp& threads) {
  const auto before = [&](const Party& a, const Party& b) {
    return by_depth_ && a.depth != b.depth ? a.depth > b.depth : a.pc < b.pc;
  };
  run_first(threads, before, [](const Party& first, const Party& other) { return first.pc == other.pc; });
}

// Where the running threads stay the first, and meet nobody.
std::optional<Pc> Stackless::goes_on(WarpId id, Pc pc) const {
  return goes_first(of(id), pc, [&](const Party& there, const Party& party) {
    return by_depth_ && there.depth != party.depth ? there.depth > party.depth && there.pc != party.pc
                                                   : there.pc < party.pc;
  });
}

StateCost Stackless::cost() const {
  // A PC and a stack pointer per thread, whatever the nesting.
  return {1, uint64_t{host_.warp_size()} * (32 + 32), true};
}

}  // namespace heddle

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
  const StaticWarp& threads = of(id);
  if (threads.running.size() > 1) return std::nullopt;
  Pc ask_at = kNoPc;
  for (const Party& party : threads.waiting) {
    const unsigned depth = threads.running[0].depth;
    const bool goes_first = by_depth_ && depth != party.depth ? depth > party.depth : pc < party.pc;
    if (!goes_first || party.pc == pc) return std::nullopt;
    if (party.pc > pc) ask_at = std::min(ask_at, party.pc);
  }
  if (threads.waiting.empty()) return kNoPc;
  return meetings().at(pc) ? std::nullopt : std::optional(std::min(ask_at, meetings().next(pc + 1)));
}

StateCost Stackless::cost() const {
  // A PC and a stack pointer per thread, whatever the nesting.
  return {1, uint64_t{host_.warp_size()} * (32 + 32), true};
}

}  // namespace heddle

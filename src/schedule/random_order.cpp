#include "schedule/random_order.h"

namespace heddle {
namespace {

// Sebastiano Vigna's splitmix64: neighbouring seeds give unlike sequences.
uint64_t mixed(uint64_t state) {
  state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9U;
  state = (state ^ state >> 27) * 0x94d049bb133111ebU;
  return state ^ state >> 31;
}

}  // namespace

RandomOrder::RandomOrder(const Host& host, const Config& config)
    : Scheduler(host), state_(mixed(static_cast<uint64_t>(config.integer("schedule_seed")))) {}

WarpId RandomOrder::choose(const WarpSet& ready) const {
  const auto from = static_cast<uint32_t>(mixed(state_) % host_.size());
  const WarpId next = ready.next_from(from);
  return next != kNoWarp ? next : ready.next_from(0);
}

void RandomOrder::issued(WarpId) { state_ += 0x9e3779b97f4a7c15U; }

}  // namespace heddle

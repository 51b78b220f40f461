// When each core has something to do next: a wheel of cycles with a set of cores for each, so that the next cycle and
// its cores are found without asking all of them.
//
// A core that asks for a cycle beyond the wheel is woken at its end instead, and asks again: being woken early changes
// nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bit_ring.h"
#include "base/types.h"

namespace heddle {

class WakeWheel {
 public:
  WakeWheel(unsigned cores, CoreCycle now)
      : words_((cores + 63) / 64), now_(now), due_(cores, kNever), cores_(kCycles * words_) {}

  // The core is to be woken at `cycle` (or before), instead of when it was; kNever: not at all.
  void set(unsigned core, CoreCycle cycle) {
    const CoreCycle last = now_ + (kCycles - 1);
    if (cycle != kNever) cycle = cycle < now_ ? now_ : cycle > last ? last : cycle;
    if (cycle == due_[core]) return;
    if (due_[core] != kNever) remove(core, due_[core]);
    due_[core] = cycle;
    if (cycle == kNever) return;
    cores_[cycle % kCycles * words_ + core / 64] |= uint64_t{1} << core % 64;
    occupied_.set(cycle % kCycles);
  }
  void wake_by(unsigned core, CoreCycle cycle) {
    if (cycle < due_[core]) set(core, cycle);
  }

  // The first cycle some core is to be woken; kNever: never.
  CoreCycle next() const {
    const size_t away = occupied_.distance(now_ % kCycles);
    return away < kCycles ? now_ + away : kNever;
  }
  void advance(CoreCycle now) { now_ = now; }  // nobody must be due before

  // Calls f(core) for each that is due at `cycle`, lowest first, and forgets that it was. f may set() it anew.
  template <class F>
  void take(CoreCycle cycle, F&& f) {
    occupied_.clear(cycle % kCycles);
    for (size_t word = 0; word < words_; ++word) {
      uint64_t rest = std::exchange(cores_[cycle % kCycles * words_ + word], 0);
      for (; rest != 0; rest &= rest - 1) {
        const auto core = static_cast<unsigned>(word * 64 + static_cast<size_t>(std::countr_zero(rest)));
        due_[core] = kNever;
        f(core);
      }
    }
  }

 private:
  static constexpr size_t kCycles = 512;

  void remove(unsigned core, CoreCycle cycle) {
    uint64_t* const cores = &cores_[cycle % kCycles * words_];
    cores[core / 64] &= ~(uint64_t{1} << core % 64);
    uint64_t any = 0;
    for (size_t word = 0; word < words_; ++word) any |= cores[word];
    if (any == 0) occupied_.clear(cycle % kCycles);
  }

  const size_t words_;
  CoreCycle now_;
  std::vector<CoreCycle> due_;   // by core
  std::vector<uint64_t> cores_;  // by cycle
  BitRing<kCycles> occupied_;
};

}  // namespace heddle

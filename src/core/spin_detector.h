// Finds launches that go round for ever: threads that spin for what another thread must do first, which never gets its
// turn. Under a stack that is the SIMT-induced deadlock: one thread of a warp holds a lock and waits on the stack for
// the others, and these spin for the lock.
//
// A thread that gets on changes its registers. So, once no thread has exited for a while, the registers of every row of
// threads are looked at now and then, and their fingerprints remembered. When `limit` issue slots have brought no row
// into a state that it had not been in before, and memory is in the middle of that time what it is at its end, all
// threads repeat themselves. It costs about a hundredth of the time, and only in launches in which nobody exits for
// `limit` slots.
#pragma once

#include <span>
#include <unordered_set>

#include "core/warp_engine.h"

namespace heddle {

class SpinDetector {
 public:
  explicit SpinDetector(uint64_t limit) : limit_(limit) {}  // 0: never

  // Is it time to look again?
  bool due(uint64_t slots) const { return limit_ > 0 && slots >= next_look_; }
  uint64_t next_look() const { return limit_ > 0 ? next_look_ : UINT64_MAX; }
  // Until then nobody looks at what threads have come to.
  uint64_t calm_until() const { return limit_ > 0 ? left_at_ + limit_ : UINT64_MAX; }
  // True: nobody gets on any more. The engines are the cores of one launch.
  bool spins(uint64_t slots, std::span<const WarpEngine* const> engines);
  uint64_t limit() const { return limit_; }

 private:
  static constexpr unsigned kLooks = 32;                  // in a window
  static constexpr size_t kMostStates = size_t{1} << 20;  // then there is something new all the time

  bool somebody_left(std::span<const WarpEngine* const> engines);
  bool something_new(std::span<const WarpEngine* const> engines);
  static uint64_t memory_of(std::span<const WarpEngine* const> engines);

  const uint64_t limit_;
  uint64_t next_look_ = 0;
  uint64_t threads_ = 0;  // started and alive when it looked last
  uint64_t left_at_ = 0;  // slots when somebody left or came last
  uint64_t window_ = 0;   // slots where this half of the time began,
  bool half_ = false;     // which is the second,
  uint64_t memory_ = 0;   // and memory was this
  std::unordered_set<uint64_t> states_;
};

// What a person should know of warps that go round: the loop, and who waits behind them.
void explain_spinning(const WarpEngine& engine, std::string& text);

}  // namespace heddle

// Does it pay to share rounds with other threads? That hangs on the kernel and on what else the host does, so it is
// tried now and then: some rounds shared, then some alone, and the faster way is gone for a while. Where one is by far
// the slower it is soon given up, and not tried again for long.
#pragma once

#include <cstdint>

namespace heddle {

class SharingTrial {
 public:
  using Time = double;  // of the host, in nanoseconds

  bool shares() const { return way_ == Way::Shared || (way_ == Way::Chosen && shared_ <= alone_); }

  // A round begins: the host's time, and that of the machine.
  void begin_round(Time now, uint64_t tick) {
    ++rounds_;
    if (way_ == Way::Chosen) {
      if (rounds_ >= until_next_) go(Way::Shared);
      return;
    }
    if (rounds_ == kSettling) start_ = {now, tick};
    if (rounds_ <= kSettling || tick <= start_.tick) return;
    const Time each = (now - start_.time) / static_cast<Time>(tick - start_.tick);
    const bool hopeless = way_ == Way::Alone && rounds_ >= kSettling + 2 && each > kFar * shared_;
    if (rounds_ < kSettling + kMeasured && !hopeless) return;
    if (way_ == Way::Shared) {
      shared_ = each;
      return go(Way::Alone);
    }
    alone_ = each;
    until_next_ = shared_ > kFar * alone_ || alone_ > kFar * shared_ ? kLong : kShort;
    go(Way::Chosen);
  }

 private:
  enum class Way : uint8_t { Shared, Alone, Chosen };
  static constexpr unsigned kSettling = 3;  // rounds until what pieces touch has come to who does them now
  static constexpr unsigned kMeasured = 24;
  static constexpr unsigned kShort = 1000, kLong = 16000;
  static constexpr Time kFar = 1.5;

  void go(Way way) {
    way_ = way;
    rounds_ = 0;
  }

  Way way_ = Way::Shared;
  unsigned rounds_ = 0, until_next_ = 0;
  struct {
    Time time = 0;
    uint64_t tick = 0;
  } start_;
  Time shared_ = 0, alone_ = 0;  // a tick takes so long
};

}  // namespace heddle

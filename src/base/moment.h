// A point in time, as the number of cycles of one clock that lie before it. A count of cycles leads from one moment to
// another and is what lies between two; moments of different clocks do not mix (memory/clock.h translates).
#pragma once

#include <concepts>
#include <cstdint>

namespace heddle {

template <class Clock>
class Moment {
 public:
  constexpr Moment() = default;
  template <std::integral Number>
  constexpr explicit Moment(Number count) : count_(static_cast<uint64_t>(count)) {}

  constexpr uint64_t count() const { return count_; }
  // One by one: through <=> compilers of today make a comparison of three ways out of each of them.
  friend constexpr bool operator==(Moment a, Moment b) { return a.count_ == b.count_; }
  friend constexpr bool operator<(Moment a, Moment b) { return a.count_ < b.count_; }
  friend constexpr bool operator<=(Moment a, Moment b) { return a.count_ <= b.count_; }
  friend constexpr bool operator>(Moment a, Moment b) { return a.count_ > b.count_; }
  friend constexpr bool operator>=(Moment a, Moment b) { return a.count_ >= b.count_; }

  friend constexpr Moment operator+(Moment moment, uint64_t cycles) { return Moment(moment.count_ + cycles); }
  friend constexpr Moment operator-(Moment moment, uint64_t cycles) { return Moment(moment.count_ - cycles); }
  friend constexpr uint64_t operator-(Moment later, Moment earlier) { return later.count_ - earlier.count_; }
  friend constexpr uint64_t operator%(Moment moment, uint64_t cycles) { return moment.count_ % cycles; }
  constexpr Moment& operator+=(uint64_t cycles) {
    count_ += cycles;
    return *this;
  }
  constexpr Moment& operator++() { return *this += 1; }

 private:
  uint64_t count_ = 0;
};

// Later than every other moment of any clock.
struct Never {
  template <class Clock>
  constexpr operator Moment<Clock>() const {
    return Moment<Clock>(~uint64_t{0});
  }
};
inline constexpr Never kNever;

}  // namespace heddle

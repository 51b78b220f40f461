// A set of up to 32 lanes (or of positions in a group of up to 32 threads).
#pragma once

#include <bit>
#include <cstdint>

namespace heddle {

// Of 32 bits those that are set. The baseline of x86-64 has no instruction for it, and the library's function, which
// looks bytes up in a table, takes twice as long as the sum by halves.
constexpr unsigned count_of_set(uint32_t bits) {
#if defined(__x86_64__) && !defined(__POPCNT__)
  bits -= bits >> 1 & 0x5555'5555U;
  bits = (bits & 0x3333'3333U) + (bits >> 2 & 0x3333'3333U);
  return ((bits + (bits >> 4)) & 0x0f0f'0f0fU) * 0x0101'0101U >> 24;
#else
  return static_cast<unsigned>(std::popcount(bits));
#endif
}

class LaneMask {
 public:
  constexpr LaneMask() = default;
  constexpr explicit LaneMask(uint32_t bits) : bits_(bits) {}
  static constexpr LaneMask all() { return LaneMask(~uint32_t{0}); }
  static constexpr LaneMask first(unsigned count) {
    return LaneMask(count >= 32 ? ~uint32_t{0} : (uint32_t{1} << count) - 1);
  }
  static constexpr LaneMask of(unsigned lane) { return LaneMask(uint32_t{1} << lane); }

  constexpr uint32_t bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool full() const { return bits_ == ~uint32_t{0}; }
  constexpr unsigned count() const { return count_of_set(bits_); }
  constexpr unsigned lowest() const { return static_cast<unsigned>(std::countr_zero(bits_)); }
  constexpr bool has(unsigned lane) const { return (bits_ >> lane) & 1; }
  constexpr void add(unsigned lane) { bits_ |= uint32_t{1} << lane; }
  constexpr void remove(unsigned lane) { bits_ &= ~(uint32_t{1} << lane); }

  constexpr LaneMask operator&(LaneMask o) const { return LaneMask(bits_ & o.bits_); }
  constexpr LaneMask operator|(LaneMask o) const { return LaneMask(bits_ | o.bits_); }
  constexpr LaneMask operator~() const { return LaneMask(~bits_); }
  constexpr LaneMask without(LaneMask o) const { return LaneMask(bits_ & ~o.bits_); }
  constexpr LaneMask& operator&=(LaneMask o) {
    bits_ &= o.bits_;
    return *this;
  }
  constexpr LaneMask& operator|=(LaneMask o) {
    bits_ |= o.bits_;
    return *this;
  }
  constexpr bool operator==(const LaneMask&) const = default;

 private:
  uint32_t bits_ = 0;
};

// Calls f(lane) for each lane in the mask, lowest first.
template <class F>
inline void for_each_lane(LaneMask mask, F&& f) {
  for (uint32_t rest = mask.bits(); rest != 0; rest &= rest - 1) f(static_cast<unsigned>(std::countr_zero(rest)));
}

}  // namespace heddle

// A ring of bits, and the next one that is set from any place on: for wheels of time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle {

template <size_t kBits>
class BitRing {
  static_assert(kBits % 64 == 0 && std::has_single_bit(kBits));

 public:
  void set(size_t at) { words_[at / 64] |= uint64_t{1} << at % 64; }
  void clear(size_t at) { words_[at / 64] &= ~(uint64_t{1} << at % 64); }
  bool test(size_t at) const { return (words_[at / 64] >> at % 64 & 1) != 0; }

  // How far it is from a place to the first bit that is set, going round; kBits: there is none.
  size_t distance(size_t from) const {
    const uint64_t near = words_[from / 64] >> from % 64;
    return near != 0 ? static_cast<size_t>(std::countr_zero(near)) : distance_behind(from);
  }

 private:
  static constexpr size_t kWords = kBits / 64;
  // The same, where there is none in its word from there on.
  size_t distance_behind(size_t from) const {
    for (size_t step = 1; step <= kWords; ++step) {
      const size_t word = (from / 64 + step) % kWords;
      uint64_t bits = words_[word];
      if (step == kWords) bits &= ~(~uint64_t{0} << from % 64);
      if (bits != 0) return (word * 64 + static_cast<size_t>(std::countr_zero(bits)) - from) % kBits;
    }
    return kBits;
  }
  uint64_t words_[kWords] = {};
};

}  // namespace heddle

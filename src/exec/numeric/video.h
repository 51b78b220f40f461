#pragma once

// The steps of the video instructions. Numbers have 64 bits here, so that nothing overflows before it is saturated.
//
// A GPU has no unit for the instructions with one lane: its assembler writes them out, and not always as the manual
// has it. Where the two differ these are the assembler's results, which are what programs get; each place says so.

#include <algorithm>
#include <cstdint>

namespace heddle::numeric {

// The lower `bits` of x, extended by their sign or by zeros.
constexpr int64_t extended(uint64_t x, unsigned bits, bool is_signed) {
  const unsigned above = 64 - bits;
  return is_signed ? static_cast<int64_t>(x << above) >> above : static_cast<int64_t>(x << above >> above);
}

constexpr int64_t piece_of(uint64_t x, unsigned bits, unsigned index, bool is_signed) {
  return extended(x >> (bits * index), bits, is_signed);
}

constexpr int64_t greatest(unsigned bits, bool is_signed) { return (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1; }

constexpr int64_t saturated(int64_t x, unsigned bits, bool is_signed) {
  return std::clamp<int64_t>(x, is_signed ? -(int64_t{1} << (bits - 1)) : 0, greatest(bits, is_signed));
}

// Of a sum, a difference, a minimum or a maximum with one lane. By the manual this is saturated(). The assembler keeps
// an unsigned word from becoming negative but not from wrapping, and takes what goes into a byte or a half-word for
// unsigned, so that a negative number becomes the greatest one.
constexpr int64_t saturated_as_assembled(int64_t x, unsigned bits, bool is_signed) {
  if (bits == 32)
    return is_signed ? saturated(x, bits, is_signed) : extended(static_cast<uint64_t>(x < 0 ? 0 : x), 32, false);
  return x < 0 ? greatest(bits, is_signed) : std::min(x, greatest(bits, is_signed));
}

constexpr int64_t rounded_average(int64_t a, int64_t b) {
  const int64_t sum = a + b;
  return (sum >= 0 ? sum + 1 : sum) >> 1;
}

// What is left of 34 bits, more than which a shifted number does not have.
constexpr int64_t shifted(int64_t x, uint32_t amount, bool wrap, bool left) {
  const uint32_t by = wrap ? amount & 31 : std::min(amount, 32U);
  return extended(left ? static_cast<uint64_t>(x) << by : static_cast<uint64_t>(x >> by), 34, true);
}

// The smaller or greater of x and c. The assembler extends x by its sign even where it compares unsigned numbers.
constexpr uint32_t second_min_max(uint32_t x, uint32_t c, bool is_signed, bool greater) {
  const int64_t left = extended(x, 32, true), right = extended(c, 32, is_signed);
  const bool below = is_signed ? left < right : static_cast<uint64_t>(left) < static_cast<uint64_t>(right);
  return below == greater ? c : x;
}

// c with x in the place of one of its pieces. For the upper half-word the assembler takes that of x, not the lower.
constexpr uint32_t merged(uint32_t x, uint32_t c, unsigned bits, unsigned index) {
  const unsigned at = bits * index;
  const uint32_t mask = static_cast<uint32_t>(greatest(bits, false)) << at;
  const uint32_t moved = bits == 16 ? x : x << at;
  return (c & ~mask) | (moved & mask);
}

// (a × b, or its negative, + c, or its negative, or + 1) >> shift. By the manual c is a number without a sign where a
// and b are; the assembler takes it, and whole words a and b, for signed ones all the same.
struct VideoMadModifiers {
  bool is_signed, minus_product, minus_c, plus_one, saturate;
  unsigned shift;
};
constexpr uint32_t video_mad(int64_t a, int64_t b, uint32_t c, const VideoMadModifiers& how) {
  const int64_t product = extended(static_cast<uint64_t>(a), 32, true) * extended(static_cast<uint64_t>(b), 32, true);
  const int64_t addend = how.minus_c ? extended(~c, 32, true) + 1 : extended(c, 32, true);
  const int64_t sum = (how.minus_product ? -product : product) + addend + (how.plus_one ? 1 : 0);
  const bool is_signed = how.is_signed || how.minus_product || how.minus_c;
  const int64_t result =
      is_signed || how.shift == 0 ? sum >> how.shift : static_cast<int64_t>(static_cast<uint64_t>(sum) >> how.shift);
  return static_cast<uint32_t>(how.saturate ? saturated(result, 32, is_signed) : result);
}

}  // namespace heddle::numeric

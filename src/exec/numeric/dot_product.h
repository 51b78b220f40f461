#pragma once

// dp4a and dp2a. A and B are int32_t or uint32_t and say how the bytes and half-words extend; the
// accumulator wraps, so its signedness does not matter.

#include <cstdint>
#include <type_traits>

namespace heddle::numeric {

// Byte `index` of x, extended as T says.
template <class T>
constexpr int32_t byte_of(uint32_t x, int index) {
  const auto byte = static_cast<uint8_t>(x >> (8 * index));
  return std::is_signed_v<T> ? static_cast<int8_t>(byte) : static_cast<int32_t>(byte);
}
template <class T>
constexpr int32_t half_word_of(uint32_t x, int index) {
  const auto half = static_cast<uint16_t>(x >> (16 * index));
  return std::is_signed_v<T> ? static_cast<int16_t>(half) : static_cast<int32_t>(half);
}

template <class A, class B>
constexpr uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c) {
  for (int i = 0; i < 4; ++i) c += static_cast<uint32_t>(byte_of<A>(a, i) * byte_of<B>(b, i));
  return c;
}

// The two half-words of a with bytes 0 and 1 of b (.lo), or 2 and 3 (.hi).
template <class A, class B>
constexpr uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c, bool high) {
  const int first = high ? 2 : 0;
  for (int i = 0; i < 2; ++i) c += static_cast<uint32_t>(half_word_of<A>(a, i) * byte_of<B>(b, first + i));
  return c;
}

}  // namespace heddle::numeric

// One bit for each lane of a row of truths, which are all ones or zero.
#pragma once

#include <cstdint>

#include "exec/lanes.h"
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace heddle::row_detail {

#if defined(__AVX512F__)

[[gnu::always_inline]] inline uint32_t bits_of(const uint32_t (&truth)[kRow]) {
  const auto half = [&](unsigned first) -> uint32_t {
    const __m512i lanes = _mm512_loadu_si512(truth + first);
    return _mm512_test_epi32_mask(lanes, lanes);
  };
  return half(0) | half(kRow / 2) << kRow / 2;
}

#elif defined(__AVX2__)

[[gnu::always_inline]] inline uint32_t bits_of(const uint32_t (&truth)[kRow]) {
  const auto eight = [&](unsigned first) {
    const __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(truth + first));
    return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(lanes))) << first;
  };
  return (eight(0) | eight(8)) | (eight(16) | eight(24));
}

#elif defined(__SSE2__)

[[gnu::always_inline]] inline uint32_t bits_of(const uint32_t (&truth)[kRow]) {
  const auto half = [&](unsigned first) {
    const auto four = [&](unsigned k) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(truth + first + k)); };
    const __m128i low = _mm_packs_epi32(four(0), four(4)), high = _mm_packs_epi32(four(8), four(12));
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
  };
  return half(0) | half(kRow / 2) << kRow / 2;
}

#elif defined(__aarch64__)

[[gnu::always_inline]] inline uint32_t bits_of(uint16x8_t a, uint16x8_t b, uint16x8_t c, uint16x8_t d) {
  const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const auto half = [&](uint16x8_t low, uint16x8_t high) {
    return vandq_u8(vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high)), bit);
  };
  uint8x16_t sums = vpaddq_u8(half(a, b), half(c, d));
  for (unsigned i = 0; i < 2; ++i) sums = vpaddq_u8(sums, sums);
  return vgetq_lane_u32(vreinterpretq_u32_u8(sums), 0);
}

[[gnu::always_inline]] inline uint32_t bits_of(const uint32_t (&truth)[kRow]) {
  const auto eight = [&](unsigned first) {
    const auto four = [&](unsigned k) { return vreinterpretq_u16_u32(vld1q_u32(truth + first + k)); };
    return vuzp1q_u16(four(0), four(4));
  };
  return bits_of(eight(0), eight(8), eight(16), eight(24));
}

#else

inline uint32_t bits_of(const uint32_t (&truth)[kRow]) {
  uint32_t bits = 0;
  for (unsigned lane = 0; lane < kRow; ++lane) bits |= truth[lane] & 1U << lane;
  return bits;
}

#endif

}  // namespace heddle::row_detail

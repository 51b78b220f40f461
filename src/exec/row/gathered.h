// Registers of a list of threads as a row, read by the gathers of the processor, where it has them.
#pragma once

#include "exec/context.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace heddle::row_detail {

inline constexpr unsigned kTooFew = 8;  // so few threads of a list are quicker one by one

#ifdef __AVX2__

template <class T>
inline constexpr bool can_gather = sizeof(T) == 4 || sizeof(T) == 8;

// Where the registers of eight threads lie, in units of their width.
[[gnu::always_inline]] inline __m256i places_of(const Hw* threads, size_t stride) {
  const __m256i thread = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(threads)));
  const __m256i apart = _mm256_set1_epi32(static_cast<int>(stride - kRow));
  return _mm256_add_epi32(_mm256_mullo_epi32(_mm256_srli_epi32(thread, 5), apart), thread);
}

template <class T>
struct GatheredRow {
  alignas(64) T lane[kRow];

  // Threads that do not act are some of the core's, too.
  [[gnu::always_inline]] const T* read(const RegisterOf<const T>& from, const Hw* threads) {
    if (from.stride == 0) return reinterpret_cast<const T*>(from.base);  // a constant has a row
    for (unsigned first = 0; first < kRow; first += 8) {
      const __m256i places = places_of(threads + first, from.stride / sizeof(T));
      auto* const to = reinterpret_cast<__m256i*>(lane + first);
      if constexpr (sizeof(T) == 4) {
        _mm256_store_si256(to, _mm256_i32gather_epi32(reinterpret_cast<const int*>(from.base), places, 4));
      } else {
        const auto* const base = reinterpret_cast<const long long*>(from.base);
        _mm256_store_si256(to, _mm256_i32gather_epi64(base, _mm256_castsi256_si128(places), 8));
        _mm256_store_si256(to + 1, _mm256_i32gather_epi64(base, _mm256_extracti128_si256(places, 1), 8));
      }
    }
    return lane;
  }
};

template <class T>
[[gnu::always_inline]] inline void bring_back(LaneMask mask, const Hw* threads, const RegisterOf<T>& to,
                                              const T* values) {
  alignas(32) uint32_t places[kRow];
  for (unsigned first = 0; first < kRow; first += 8)
    _mm256_store_si256(reinterpret_cast<__m256i*>(places + first), places_of(threads + first, to.stride / sizeof(T)));
  T* const base = reinterpret_cast<T*>(to.base);
  if (!mask.full()) return for_each_lane(mask, [&](unsigned k) { base[places[k]] = values[k]; });
#pragma GCC unroll 32
  for (unsigned k = 0; k < kRow; ++k) base[places[k]] = values[k];
}

#else

template <class T>
inline constexpr bool can_gather = false;
template <class T>
struct GatheredRow;
template <class T>
void bring_back(LaneMask mask, const Hw* threads, const RegisterOf<T>& to, const T* values);

#endif

}  // namespace heddle::row_detail

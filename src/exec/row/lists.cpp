#include "exec/row/lists.h"

#include <algorithm>
#include <climits>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace heddle {
namespace {

RowRange add_each(LaneMask* rows, LaneMask mask, const Hw* threads) {
  RowRange range{UINT_MAX, 0};
  for_each_lane(mask, [&](unsigned k) {
    const unsigned row = threads[k] / kRow;
    rows[row].add(threads[k] % kRow);
    range = {std::min(range.first, row), std::max(range.last, row)};
  });
  return range;
}

LaneMask predicates_of_each(const RegisterOf<const uint32_t>& words, LaneMask mask, const Hw* threads) {
  uint32_t bits = 0;
  for_each_lane(mask, [&](unsigned k) { bits |= (words.word(threads[k]) >> threads[k] % kRow & 1) << k; });
  return LaneMask(bits);
}

}  // namespace

#ifdef __AVX2__

// Threads that are not in the mask are some of the core's, too.
LaneMask list_predicates(const RegisterOf<const uint32_t>& words, LaneMask mask, const Hw* threads) {
  if (!words.near()) return predicates_of_each(words, mask, threads);
  const __m256i stride = _mm256_set1_epi32(static_cast<int>(words.stride / sizeof(uint32_t)));
  uint32_t bits = 0;
  for (unsigned first = 0; first < kRow; first += 8) {
    const __m256i thread = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(threads + first)));
    const __m256i row = _mm256_mullo_epi32(_mm256_srli_epi32(thread, 5), stride);
    const __m256i word = _mm256_i32gather_epi32(reinterpret_cast<const int*>(words.base), row, sizeof(uint32_t));
    // The bit of a thread's place becomes the highest.
    const __m256i places = _mm256_andnot_si256(thread, _mm256_set1_epi32(kRow - 1));
    const __m256i highest = _mm256_sllv_epi32(word, places);
    bits |= static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(highest))) << first;
  }
  return LaneMask(bits) & mask;
}

// Where each thread is at home in the lane of its place, row by row.
RowRange add_list(LaneMask* rows, LaneMask mask, const Hw* threads) {
  const __m256i lanes = _mm256_set_epi16(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m256i place = _mm256_set1_epi16(kRow - 1);
  const auto half = [&](unsigned first) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(threads + first));
  };
  const auto same = [](__m256i low_a, __m256i low_b, __m256i high_a, __m256i high_b) {
    const __m256i packed = _mm256_packs_epi16(_mm256_cmpeq_epi16(low_a, low_b), _mm256_cmpeq_epi16(high_a, high_b));
    return LaneMask(static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(packed, 0xd8))));
  };
  const __m256i low = half(0), high = half(kRow / 2);
  const LaneMask at_home = same(_mm256_and_si256(low, place), lanes, _mm256_and_si256(high, place),
                                _mm256_add_epi16(lanes, _mm256_set1_epi16(kRow / 2)));
  if (!mask.without(at_home).empty()) return add_each(rows, mask, threads);
  const __m256i low_rows = _mm256_srli_epi16(low, 5), high_rows = _mm256_srli_epi16(high, 5);
  RowRange range{UINT_MAX, 0};
  while (!mask.empty()) {
    const unsigned row = threads[mask.lowest()] / kRow;
    const __m256i wanted = _mm256_set1_epi16(static_cast<short>(row));
    const LaneMask own = same(low_rows, wanted, high_rows, wanted);
    rows[row] |= own & mask;
    mask = mask.without(own);
    range = {std::min(range.first, row), std::max(range.last, row)};
  }
  return range;
}

#else

LaneMask list_predicates(const RegisterOf<const uint32_t>& words, LaneMask mask, const Hw* threads) {
  return predicates_of_each(words, mask, threads);
}

RowRange add_list(LaneMask* rows, LaneMask mask, const Hw* threads) { return add_each(rows, mask, threads); }

#endif

}  // namespace heddle

#include "exec/row/lists.h"

#include <algorithm>
#include <climits>

#include "exec/row/listed.h"

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

// Where each thread is at home in the lane of its place: f(row, those of the mask in it) for every row. False: it is
// not so.
template <class F>
[[gnu::always_inline]] inline bool by_rows(LaneMask mask, const Hw* threads, F&& f) {
  const row_detail::Listed listed(threads);
  if (!mask.without(listed.at_home()).empty()) return false;
  while (!mask.empty()) {
    const unsigned row = threads[mask.lowest()] / kRow;
    const LaneMask own = listed.of_row(row);
    f(row, own & mask);
    mask = mask.without(own);
  }
  return true;
}

}  // namespace

RowRange add_list(LaneMask* rows, LaneMask mask, const Hw* threads) {
  RowRange range{UINT_MAX, 0};
  const auto add = [&](unsigned row, LaneMask own) {
    rows[row] |= own;
    range = {std::min(range.first, row), std::max(range.last, row)};
  };
  return by_rows(mask, threads, add) ? range : add_each(rows, mask, threads);
}

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

#else

LaneMask list_predicates(const RegisterOf<const uint32_t>& words, LaneMask mask, const Hw* threads) {
  uint32_t bits = 0;
  const auto add = [&](unsigned row, LaneMask own) { bits |= words.at(row * words.stride, 0) & own.bits(); };
  return by_rows(mask, threads, add) ? LaneMask(bits) : predicates_of_each(words, mask, threads);
}

#endif

}  // namespace heddle

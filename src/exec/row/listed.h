// The threads of a list in registers of the processor: who is where, asked of all at once.
#pragma once

#include <cstring>

#include "exec/context.h"
#include "exec/row/truth.h"

namespace heddle::row_detail {

#if defined(__AVX512BW__)

class Listed {
 public:
  explicit Listed(const Hw* threads) : all_(_mm512_loadu_si512(threads)) {}

  LaneMask at_home() const {  // in the lane of their place
    const __m512i lanes =
        _mm512_cvtepu8_epi16(_mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                              21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31));
    return LaneMask(_mm512_cmpeq_epi16_mask(_mm512_and_si512(all_, _mm512_set1_epi16(kRow - 1)), lanes));
  }
  LaneMask of_row(unsigned row) const {
    return LaneMask(_mm512_cmpeq_epi16_mask(_mm512_srli_epi16(all_, 5), _mm512_set1_epi16(static_cast<short>(row))));
  }

 private:
  __m512i all_;
};

#elif defined(__AVX2__)

class Listed {
 public:
  explicit Listed(const Hw* threads) : low_(half(threads)), high_(half(threads + kRow / 2)) {}

  LaneMask at_home() const {  // in the lane of their place
    const __m256i lanes = _mm256_set_epi16(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m256i place = _mm256_set1_epi16(kRow - 1);
    return same(_mm256_and_si256(low_, place), lanes, _mm256_and_si256(high_, place),
                _mm256_add_epi16(lanes, _mm256_set1_epi16(kRow / 2)));
  }
  LaneMask of_row(unsigned row) const {
    const __m256i wanted = _mm256_set1_epi16(static_cast<short>(row));
    return same(_mm256_srli_epi16(low_, 5), wanted, _mm256_srli_epi16(high_, 5), wanted);
  }

 private:
  static __m256i half(const Hw* threads) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(threads)); }
  static LaneMask same(__m256i low_a, __m256i low_b, __m256i high_a, __m256i high_b) {
    const __m256i packed = _mm256_packs_epi16(_mm256_cmpeq_epi16(low_a, low_b), _mm256_cmpeq_epi16(high_a, high_b));
    return LaneMask(static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(packed, 0xd8))));
  }

  __m256i low_, high_;
};

#elif defined(__aarch64__)

class Listed {
 public:
  explicit Listed(const Hw* threads) { std::memcpy(eight_, threads, sizeof eight_); }

  LaneMask at_home() const {
    const uint16x8_t lanes = {0, 1, 2, 3, 4, 5, 6, 7}, place = vdupq_n_u16(kRow - 1);
    return where([&](unsigned k) {
      return vceqq_u16(vandq_u16(eight_[k], place), vaddq_u16(lanes, vdupq_n_u16(static_cast<uint16_t>(8 * k))));
    });
  }
  LaneMask of_row(unsigned row) const {
    const uint16x8_t wanted = vdupq_n_u16(static_cast<uint16_t>(row));
    return where([&](unsigned k) { return vceqq_u16(vshrq_n_u16(eight_[k], 5), wanted); });
  }

 private:
  template <class F>
  [[gnu::always_inline]] static LaneMask where(F&& holds) {
    return LaneMask(bits_of(holds(0), holds(1), holds(2), holds(3)));
  }

  uint16x8_t eight_[kRow / 8];
};

#else  // one by one

class Listed {
 public:
  explicit Listed(const Hw*) {}
  LaneMask at_home() const { return {}; }
  LaneMask of_row(unsigned) const { return {}; }
};

#endif

}  // namespace heddle::row_detail

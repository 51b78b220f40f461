// The generators of curand_kernel.h: how each begins, steps, and skips ahead.
#pragma once

#include "cuda_runtime.h"

// ---- what states have in common: the second number of a pair of normal ones, kept for the next call

struct HeddleNormals {
  bool has_float = false, has_double = false;
  float next_float = 0.0f;
  double next_double = 0.0;
};

// ---- XORWOW: five words of xorshift and a counter

struct curandStateXORWOW : HeddleNormals {
  unsigned d, v[5];
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

HEDDLE_INLINE unsigned curand(curandStateXORWOW* state) {
  unsigned* v = state->v;
  const unsigned t = v[0] ^ (v[0] >> 2);
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
  state->d += 362437;
  return v[4] + state->d;
}

// x^(2^i) modulo the characteristic polynomial of the xorshift, for all i that a skip can have: 160 bits each. A step
// is a multiplication by x, so 2^i steps are a sum of fewer than 160.
struct HeddleXorwowPowers {
  unsigned of[131][5] = {};

  constexpr HeddleXorwowPowers() {
    of[0][0] = 2;
    for (int i = 1; i < 131; ++i) square(of[i - 1], of[i]);
  }
  static constexpr void square(const unsigned* a, unsigned* result) {
    constexpr unsigned kPolynomial[5] = {0x60001, 0x8610030, 0x62121, 0xf3c0035, 0xf0e};  // and x^160
    for (int bit = 159; bit >= 0; --bit)
      for (int twice = 0; twice < 2; ++twice) {
        const bool over = result[4] >> 31;
        for (int word = 4; word > 0; --word) result[word] = result[word] << 1 | result[word - 1] >> 31;
        result[0] = result[0] << 1 ^ (twice && (a[bit / 32] >> bit % 32 & 1));
        for (int word = 0; over && word < 5; ++word) result[word] ^= kPolynomial[word];
      }
  }
};
__constant__ constexpr HeddleXorwowPowers kHeddleXorwowPowers;

HEDDLE_INLINE void heddle_xorwow_skip(curandStateXORWOW* state, unsigned long long count, int first) {
  for (; count; count >>= 1, ++first) {
    if (!(count & 1)) continue;
    unsigned sum[5] = {};
    for (int bit = 0; bit < 160; ++bit) {
      if (kHeddleXorwowPowers.of[first][bit / 32] >> bit % 32 & 1)
        for (int word = 0; word < 5; ++word) sum[word] ^= state->v[word];
      const unsigned counter = state->d;
      curand(state);
      state->d = counter;
    }
    for (int word = 0; word < 5; ++word) state->v[word] = sum[word];
  }
}
HEDDLE_INLINE void skipahead(unsigned long long count, curandStateXORWOW* state) {
  heddle_xorwow_skip(state, count, 0);
  state->d += 362437 * (unsigned)count;
}
HEDDLE_INLINE void skipahead_sequence(unsigned long long count, curandStateXORWOW* state) {
  heddle_xorwow_skip(state, count, 67);
}
HEDDLE_INLINE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                               curandStateXORWOW* state) {
  const unsigned low = ((unsigned)seed ^ 0xaad26b49u) * 1099087573u;
  const unsigned high = ((unsigned)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  *state = {};
  state->d = 6615241 + high + low;
  state->v[0] = 123456789 + low;
  state->v[1] = 362436069 ^ low;
  state->v[2] = 521288629 + high;
  state->v[3] = 88675123 ^ high;
  state->v[4] = 5783321 + low;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}

// ---- Philox4x32-10: a counter of 128 bits, turned into four words by ten rounds

struct curandStatePhilox4_32_10 : HeddleNormals {
  uint4 counter, output;
  uint2 key;
  unsigned used;  // of output
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

HEDDLE_INLINE uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xd2511f53u, counter.x), low0 = 0xd2511f53u * counter.x;
    const unsigned high1 = __umulhi(0xcd9e8d57u, counter.z), low1 = 0xcd9e8d57u * counter.z;
    counter = {high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0};
    key = {key.x + 0x9e3779b9u, key.y + 0xbb67ae85u};
  }
  return counter;
}
HEDDLE_INLINE void heddle_add_64(unsigned* low, unsigned* high, unsigned long long by, bool* carry) {
  const unsigned long long before = (unsigned long long)*high << 32 | *low, after = before + by;
  *low = (unsigned)after;
  *high = (unsigned)(after >> 32);
  *carry = after < before;
}
HEDDLE_INLINE void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10* state) {
  bool carry;
  heddle_add_64(&state->counter.z, &state->counter.w, count, &carry);
  state->output = curand_Philox4x32_10(state->counter, state->key);
}
HEDDLE_INLINE void heddle_philox_advance(curandStatePhilox4_32_10* state, unsigned long long blocks) {
  bool carry;
  heddle_add_64(&state->counter.x, &state->counter.y, blocks, &carry);
  if (carry) heddle_add_64(&state->counter.z, &state->counter.w, 1, &carry);
  state->output = curand_Philox4x32_10(state->counter, state->key);
}
HEDDLE_INLINE void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
  state->used += (unsigned)(count % 4);
  heddle_philox_advance(state, count / 4 + state->used / 4);
  state->used %= 4;
}
HEDDLE_INLINE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                               curandStatePhilox4_32_10* state) {
  *state = {};
  state->key = {(unsigned)seed, (unsigned)(seed >> 32)};
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}
HEDDLE_INLINE unsigned curand(curandStatePhilox4_32_10* state) {
  const uint4 all = state->output;
  const unsigned value = state->used == 0 ? all.x : state->used == 1 ? all.y : state->used == 2 ? all.z : all.w;
  if (++state->used == 4) {
    heddle_philox_advance(state, 1);
    state->used = 0;
  }
  return value;
}
HEDDLE_INLINE uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 now = state->output;
  heddle_philox_advance(state, 1);
  const uint4 then = state->output;
  switch (state->used) {
    case 1: return {now.y, now.z, now.w, then.x};
    case 2: return {now.z, now.w, then.x, then.y};
    case 3: return {now.w, then.x, then.y, then.z};
    default: return now;
  }
}

// ---- MRG32k3a: two recurrences of three numbers

struct curandStateMRG32k3a : HeddleNormals {
  unsigned s1[3], s2[3];
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

constexpr unsigned long long kHeddleM1 = 4294967087ull, kHeddleM2 = 4294944443ull;

HEDDLE_INLINE double curand_MRG32k3a(curandStateMRG32k3a* state) {
  unsigned *a = state->s1, *b = state->s2;
  const unsigned p = (unsigned)((1403580ull * a[1] + (kHeddleM1 - 810728ull) * a[0]) % kHeddleM1);
  a[0] = a[1], a[1] = a[2], a[2] = p;
  const unsigned q = (unsigned)((527612ull * b[2] + (kHeddleM2 - 1370589ull) * b[0]) % kHeddleM2);
  b[0] = b[1], b[1] = b[2], b[2] = q;
  return p > q ? (double)(p - q) : (double)p - q + (double)kHeddleM1;  // 1 to m1
}

// A step as a matrix, and 2^i steps.
struct HeddleMrgMatrix {
  unsigned long long of[3][3];

  constexpr __host__ __device__ HeddleMrgMatrix times(const HeddleMrgMatrix& other, unsigned long long modulus) const {
    HeddleMrgMatrix product = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          product.of[i][j] = (product.of[i][j] + of[i][k] * other.of[k][j] % modulus) % modulus;
    return product;
  }
  constexpr __host__ __device__ HeddleMrgMatrix doubled(int times_over, unsigned long long modulus) const {
    HeddleMrgMatrix result = *this;
    for (int i = 0; i < times_over; ++i) result = result.times(result, modulus);
    return result;
  }
};
constexpr HeddleMrgMatrix kHeddleStep1 = {{{0, 1, 0}, {0, 0, 1}, {kHeddleM1 - 810728, 1403580, 0}}};
constexpr HeddleMrgMatrix kHeddleStep2 = {{{0, 1, 0}, {0, 0, 1}, {kHeddleM2 - 1370589, 0, 527612}}};
__constant__ constexpr HeddleMrgMatrix kHeddleSequence1 = kHeddleStep1.doubled(67, kHeddleM1);
__constant__ constexpr HeddleMrgMatrix kHeddleSequence2 = kHeddleStep2.doubled(67, kHeddleM2);
__constant__ constexpr HeddleMrgMatrix kHeddleSubsequence1 = kHeddleStep1.doubled(76, kHeddleM1);
__constant__ constexpr HeddleMrgMatrix kHeddleSubsequence2 = kHeddleStep2.doubled(76, kHeddleM2);

HEDDLE_INLINE void heddle_mrg_skip(unsigned* state, HeddleMrgMatrix matrix, unsigned long long count,
                                   unsigned long long modulus) {
  for (; count; count >>= 1, matrix = matrix.times(matrix, modulus)) {
    if (!(count & 1)) continue;
    unsigned long long result[3] = {};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) result[i] = (result[i] + matrix.of[i][k] * state[k] % modulus) % modulus;
    for (int i = 0; i < 3; ++i) state[i] = (unsigned)result[i];
  }
}
HEDDLE_INLINE void skipahead(unsigned long long count, curandStateMRG32k3a* state) {
  heddle_mrg_skip(state->s1, kHeddleStep1, count, kHeddleM1);
  heddle_mrg_skip(state->s2, kHeddleStep2, count, kHeddleM2);
}
HEDDLE_INLINE void skipahead_subsequence(unsigned long long count, curandStateMRG32k3a* state) {
  heddle_mrg_skip(state->s1, kHeddleSubsequence1, count, kHeddleM1);
  heddle_mrg_skip(state->s2, kHeddleSubsequence2, count, kHeddleM2);
}
HEDDLE_INLINE void skipahead_sequence(unsigned long long count, curandStateMRG32k3a* state) {
  heddle_mrg_skip(state->s1, kHeddleSequence1, count, kHeddleM1);
  heddle_mrg_skip(state->s2, kHeddleSequence2, count, kHeddleM2);
}
HEDDLE_INLINE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                               curandStateMRG32k3a* state) {
  *state = {};
  for (int i = 0; i < 3; ++i) state->s1[i] = state->s2[i] = 12345;
  if (seed) {
    const unsigned long long x = (unsigned)seed ^ 0x55555555u, y = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
      state->s1[i] = (unsigned)((i == 1 ? y : x) * 12345 % kHeddleM1);
      state->s2[i] = (unsigned)((i == 1 ? x : y) * 12345 % kHeddleM2);
    }
  }
  skipahead_subsequence(sequence, state);
  skipahead(offset, state);
}
HEDDLE_INLINE unsigned curand(curandStateMRG32k3a* state) {
  return (unsigned)(curand_MRG32k3a(state) * 1.000000048662);
}

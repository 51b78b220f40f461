// The quasi-random generators of curand_kernel.h: Sobol's sequence of 32 or 64 bits, plain or scrambled. The program
// brings the direction vectors. The number at n is the sum without carry of those vectors whose bits are set in the
// Gray code of n; from one number to the next one vector changes.
#pragma once

#include "cuda_runtime.h"

typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

template <class Word>
struct HeddleSobol {
  Word i, x, c;  // the place in the sequence, the number there, what it is scrambled by
  Word direction_vectors[8 * sizeof(Word)];
};
struct curandStateSobol32 : HeddleSobol<unsigned> {};
struct curandStateScrambledSobol32 : HeddleSobol<unsigned> {};
struct curandStateSobol64 : HeddleSobol<unsigned long long> {};
struct curandStateScrambledSobol64 : HeddleSobol<unsigned long long> {};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

template <class Word>
HEDDLE_INLINE void heddle_sobol_at(Word place, HeddleSobol<Word>* state) {
  state->i = place;
  state->x = state->c;
  const Word code = place ^ (place >> 1);
  for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit)
    if (code >> bit & 1) state->x ^= state->direction_vectors[bit];
}
template <class Word>
HEDDLE_INLINE void heddle_sobol_init(const Word* vectors, Word scramble, Word offset, HeddleSobol<Word>* state) {
  for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit) state->direction_vectors[bit] = vectors[bit];
  state->c = scramble;
  heddle_sobol_at(offset, state);
}
template <class Word>
HEDDLE_INLINE Word curand(HeddleSobol<Word>* state) {
  const Word result = state->x;
  unsigned bit = 0;  // the lowest that is not set, the highest if there is none
  while (bit < 8 * sizeof(Word) - 1 && (state->i >> bit & 1)) ++bit;
  state->x ^= state->direction_vectors[bit];
  ++state->i;
  return result;
}
template <class Number, class Word>
HEDDLE_INLINE void skipahead(Number count, HeddleSobol<Word>* state) {
  heddle_sobol_at((Word)(state->i + (Word)count), state);
}

HEDDLE_INLINE void curand_init(const unsigned* vectors, unsigned offset, curandStateSobol32* state) {
  heddle_sobol_init<unsigned>(vectors, 0, offset, state);
}
HEDDLE_INLINE void curand_init(const unsigned* vectors, unsigned scramble, unsigned offset,
                               curandStateScrambledSobol32* state) {
  heddle_sobol_init<unsigned>(vectors, scramble, offset, state);
}
HEDDLE_INLINE void curand_init(const unsigned long long* vectors, unsigned long long offset,
                               curandStateSobol64* state) {
  heddle_sobol_init<unsigned long long>(vectors, 0, offset, state);
}
HEDDLE_INLINE void curand_init(const unsigned long long* vectors, unsigned long long scramble,
                               unsigned long long offset, curandStateScrambledSobol64* state) {
  heddle_sobol_init<unsigned long long>(vectors, scramble, offset, state);
}

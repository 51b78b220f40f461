// Sobol's generators of curand_kernel.h: each number against its definition, the sum without carry of the direction
// vectors whose bits are set in the Gray code of its place; and some against what cuRAND 10 gave for the same vectors.
#include <curand_kernel.h>

#include <vector>

#include "check.h"

constexpr int kNumbers = 40;

template <class Word>
struct Numbers {
  Word plain[kNumbers], scrambled[kNumbers], skipped;
  float uniform;
  double uniform_double;
};

__global__ void draw32(const unsigned* vectors, unsigned offset, Numbers<unsigned>* out) {
  curandStateSobol32_t plain;
  curandStateScrambledSobol32_t scrambled;
  curand_init((unsigned*)vectors, offset, &plain);
  curand_init((unsigned*)vectors, 0x12345678u, offset, &scrambled);
  for (int i = 0; i < kNumbers; ++i) out->plain[i] = curand(&plain), out->scrambled[i] = curand(&scrambled);
  curand_init((unsigned*)vectors, offset + 5, &plain);
  out->uniform = curand_uniform(&plain);
  out->uniform_double = curand_uniform_double(&plain);
  skipahead(1000u, &plain);
  out->skipped = curand(&plain);
}

__global__ void draw64(const unsigned long long* vectors, unsigned long long offset, Numbers<unsigned long long>* out) {
  curandStateSobol64_t plain;
  curandStateScrambledSobol64_t scrambled;
  curand_init((unsigned long long*)vectors, offset, &plain);
  curand_init((unsigned long long*)vectors, 0x123456789abcdefull, offset, &scrambled);
  for (int i = 0; i < kNumbers; ++i) out->plain[i] = curand(&plain), out->scrambled[i] = curand(&scrambled);
  curand_init((unsigned long long*)vectors, offset + 5, &plain);
  out->uniform = curand_uniform(&plain);
  out->uniform_double = curand_uniform_double(&plain);
  skipahead(1000ull, &plain);
  out->skipped = curand(&plain);
}

template <class Word>
Word defined(const Word* vectors, Word place, Word scramble) {
  const Word code = place ^ (place >> 1);
  for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit)
    if (code >> bit & 1) scramble ^= vectors[bit];
  return scramble;
}

template <class Word>
void compare(const Numbers<Word>& numbers, const Word* vectors, Word offset, Word scramble) {
  for (int i = 0; i < kNumbers; ++i) {
    EXPECT(numbers.plain[i] == defined<Word>(vectors, offset + i, 0));
    EXPECT(numbers.scrambled[i] == defined<Word>(vectors, offset + i, scramble));
  }
  EXPECT(numbers.skipped == defined<Word>(vectors, offset + 7 + 1000, 0));
}

int main() {
  unsigned* vectors;
  unsigned long long* long_vectors;
  Numbers<unsigned>* numbers;
  Numbers<unsigned long long>* long_numbers;
  CUDA(cudaMallocManaged(&vectors, sizeof(curandDirectionVectors32_t)));
  CUDA(cudaMallocManaged(&long_vectors, sizeof(curandDirectionVectors64_t)));
  CUDA(cudaMallocManaged(&numbers, sizeof *numbers));
  CUDA(cudaMallocManaged(&long_numbers, sizeof *long_numbers));
  unsigned long long random = 88172645463325252ull;
  for (int i = 0; i < 64; ++i) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    long_vectors[i] = random >> i | 1ull << (63 - i);
    if (i < 32) vectors[i] = (unsigned)(random >> 32) >> i | 1u << (31 - i);
  }
  for (unsigned offset : {0u, 1u, 6u, 1000003u, 0xfffffffeu}) {
    draw32<<<1, 1>>>(vectors, offset, numbers);
    draw64<<<1, 1>>>(long_vectors, offset, long_numbers);
    CUDA(cudaDeviceSynchronize());
    compare<unsigned>(*numbers, vectors, offset, 0x12345678u);
    compare<unsigned long long>(*long_numbers, long_vectors, offset, 0x123456789abcdefull);
    if (offset != 0) continue;
    EXPECT(numbers->plain[1] == 0xf9690975 && numbers->scrambled[1] == 0xeb5d5f0d);  // cuRAND's
    EXPECT(numbers->uniform == 0.529471695f && numbers->uniform_double == 0.82255252730101347);
    EXPECT(long_numbers->uniform == 0.529471695f && long_numbers->uniform_double == 0.82255252717190319);
  }
  return passed();
}

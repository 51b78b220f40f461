// Hashes for a content-addressed store (Al-Kiswany and others: StoreGPU, 2008): a file is cut into chunks and
// each thread hashes one, by MD5 (RFC 1321) or SHA-1 (RFC 3174). A block of 128 threads stages the next 128
// bytes of all its chunks in shared memory, loading across the chunks, as a thread that read its own chunk
// from global memory would be alone in its cache line. No branch depends on data: all chunks have the same
// length, and only threads past the last chunk idle.

constexpr int kThreads = 128;
constexpr int kBlockWords = 16;                // a hash consumes 64 bytes at a time
constexpr int kStageWords = 2 * kBlockWords;   // words of a chunk staged at a time: 16 kB in all

typedef unsigned Word;
typedef Word Stage[kStageWords][kThreads];  // a column per thread: neighbours lie in different banks

__constant__ Word md5_sines[64];  // floor(2^32 |sin(i + 1)|)

static __device__ Word rotate(Word x, int by) { return x << by | x >> (32 - by); }

static __device__ int one_of(int a, int b, int c, int d, int i) {
  return i % 4 == 0 ? a : i % 4 == 1 ? b : i % 4 == 2 ? c : d;
}

static __device__ Word swap_bytes(Word x) {
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

// Words [first, first + kStageWords) of every chunk of the block, consecutive threads on consecutive words.
static __device__ void load_stage(Stage stage, const Word* data, int chunk_words, int first, int chunks) {
  const int first_chunk = blockIdx.x * kThreads;
#pragma unroll 1
  for (int i = threadIdx.x; i < kThreads * kStageWords; i += kThreads) {
    const int chunk = i / kStageWords, word = i % kStageWords;
    const bool exists = first_chunk + chunk < chunks && first + word < chunk_words;
    stage[word][chunk] = exists ? data[(first_chunk + chunk) * chunk_words + first + word] : 0;
  }
}

struct Md5 {
  static constexpr int kDigestWords = 4;
  Word a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;

  static __device__ Word length_word(int place, Word bits) { return place == 14 ? bits : 0; }

  __device__ void step(Word mixed, Word word, int i, int shift) {
    const Word next = b + rotate(a + mixed + word + md5_sines[i], shift);
    a = d;
    d = c;
    c = b;
    b = next;
  }
  __device__ void consume(const Word* block) {
    const Md5 before = *this;
#pragma unroll
    for (int i = 0; i < 16; ++i) step((b & c) | (~b & d), block[i], i, one_of(7, 12, 17, 22, i));
#pragma unroll
    for (int i = 16; i < 32; ++i)
      step((b & d) | (c & ~d), block[(5 * i + 1) % 16], i, one_of(5, 9, 14, 20, i));
#pragma unroll
    for (int i = 32; i < 48; ++i) step(b ^ c ^ d, block[(3 * i + 5) % 16], i, one_of(4, 11, 16, 23, i));
#pragma unroll
    for (int i = 48; i < 64; ++i) step(c ^ (b | ~d), block[7 * i % 16], i, one_of(6, 10, 15, 21, i));
    a += before.a;
    b += before.b;
    c += before.c;
    d += before.d;
  }
  __device__ void store(Word* digest) const {
    digest[0] = a;
    digest[1] = b;
    digest[2] = c;
    digest[3] = d;
  }
};

struct Sha1 {
  static constexpr int kDigestWords = 5;
  Word a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u, e = 0xc3d2e1f0u;

  // Words are most significant byte first, which consume() turns around.
  static __device__ Word length_word(int place, Word bits) { return place == 15 ? swap_bytes(bits) : 0; }

  __device__ void step(Word mixed, Word word, Word constant) {
    const Word next = rotate(a, 5) + mixed + e + word + constant;
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  __device__ void consume(const Word* block) {
    const Sha1 before = *this;
    Word schedule[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) schedule[i] = swap_bytes(block[i]);
#pragma unroll
    for (int i = 0; i < 80; ++i) {
      if (i >= 16)
        schedule[i % 16] = rotate(schedule[(i + 13) % 16] ^ schedule[(i + 8) % 16] ^ schedule[(i + 2) % 16] ^
                                      schedule[i % 16], 1);
      if (i < 20) step((b & c) | (~b & d), schedule[i % 16], 0x5a827999u);
      else if (i < 40) step(b ^ c ^ d, schedule[i % 16], 0x6ed9eba1u);
      else if (i < 60) step((b & c) | (b & d) | (c & d), schedule[i % 16], 0x8f1bbcdcu);
      else step(b ^ c ^ d, schedule[i % 16], 0xca62c1d6u);
    }
    a += before.a;
    b += before.b;
    c += before.c;
    d += before.d;
    e += before.e;
  }
  __device__ void store(Word* digest) const {
    digest[0] = swap_bytes(a);
    digest[1] = swap_bytes(b);
    digest[2] = swap_bytes(c);
    digest[3] = swap_bytes(d);
    digest[4] = swap_bytes(e);
  }
};

// Chunks are whole words; the last block has what is left, a one bit, zeros and the length.
template <class Hash>
static __device__ void hash_chunks(const Word* data, Word* digests, int chunk_words, int chunks) {
  __shared__ Stage stage;
  const int thread = threadIdx.x, chunk = blockIdx.x * kThreads + thread;
  Hash hash;
  // The padding needs three words, so one block more where fewer are left.
  const int blocks = (chunk_words + 2) / kBlockWords + 1;
#pragma unroll 1
  for (int block = 0; block < blocks; ++block) {
    const int first = block * kBlockWords;
    if (block % 2 == 0) {
      __syncthreads();  // nobody reads the last stage any more
      load_stage(stage, data, chunk_words, first, chunks);
      __syncthreads();
    }
    Word words[kBlockWords];
#pragma unroll
    for (int i = 0; i < kBlockWords; ++i) {
      Word word = stage[block % 2 * kBlockWords + i][thread];
      if (first + i == chunk_words) word = 0x80u;
      if (first + i > chunk_words) word = block == blocks - 1 ? Hash::length_word(i, 32u * chunk_words) : 0;
      words[i] = word;
    }
    hash.consume(words);
  }
  if (chunk < chunks) hash.store(digests + chunk * Hash::kDigestWords);
}

extern "C" __global__ void md5_chunks(const Word* data, Word* digests, int chunk_words, int chunks) {
  hash_chunks<Md5>(data, digests, chunk_words, chunks);
}

extern "C" __global__ void sha1_chunks(const Word* data, Word* digests, int chunk_words, int chunks) {
  hash_chunks<Sha1>(data, digests, chunk_words, chunks);
}

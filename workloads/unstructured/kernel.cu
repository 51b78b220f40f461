// Flow that no nesting of if and while writes without copies or flags: conditions with short circuits, errors that leave
// nested loops for a handler they share, a search that ends in the middle of two loops, paths that share tails. All tests
// read memory, so that no compiler asks two of them at once.

// Work of about twenty instructions; another `salt`, another work.
static __device__ __forceinline__ unsigned stir(unsigned x, unsigned salt) {
  x = (x ^ salt) * 2654435761u;
  x ^= x >> 15;
  x = x * 2246822519u + salt;
  x ^= x >> 13;
  x *= 3266489917u;
  return x ^ x >> 16;
}

// Rules are bits of a table: does rule r hold for x?
static __device__ __forceinline__ bool holds(const unsigned* rules, unsigned x, unsigned r) {
  return (rules[(x >> r) % 1024] & 1u << r) != 0;
}

// (a and b) or (c and d): the work behind it is come to from two tests, that behind its contrary from two.
extern "C" __global__ void short_circuit(const unsigned* rules, const unsigned* records, unsigned* results,
                                         unsigned rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = records[i];
  for (unsigned round = 0; round < rounds; ++round) {
    if ((holds(rules, x, 0) && holds(rules, x, 1)) || (holds(rules, x, 2) && holds(rules, x, 3)))
      x = stir(stir(x, 11), 12);
    else
      x = stir(stir(x, 13), 14);
  }
  results[i] = x;
}

// 0, or what is wrong with a word; `sum` goes on.
static __device__ __forceinline__ unsigned read_word(const unsigned* rules, unsigned word, unsigned* sum) {
  if (!holds(rules, word, 4)) return 1;
  *sum = stir(*sum ^ word, 21);
  if (!holds(rules, *sum, 5)) return 2;
  *sum += word;
  return 0;
}

// A message is packets, a packet a length and words. What is wrong in a packet ends it, wherever it is found, and comes to
// one handler; the fourth time it ends the message.
extern "C" __global__ void read_messages(const unsigned* rules, const unsigned* words, unsigned* results,
                                         unsigned length) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned* const message = words + i * length;
  unsigned sum = 0, errors = 0, at = 0, code = 0;
  while (at < length) {
    const unsigned packet = message[at] % 8;
    ++at;
    if (at + packet > length) {
      code = 3;
      goto failed;
    }
    for (unsigned k = 0; k < packet; ++k) {
      code = read_word(rules, message[at + k], &sum);
      if (code != 0) goto failed;
      code = read_word(rules, message[at + k] ^ sum, &sum);
      if (code != 0) goto failed;
    }
    at += packet;
    continue;
  failed:
    sum = stir(stir(sum, 22), code);
    if (++errors == 4) goto out;
    at += packet;
  }
  sum = stir(sum, 23);
out:
  results[i] = sum + errors;
}

// The first place of a table, row by row, where a rule holds twice; a rule of the row ends it, another the search.
extern "C" __global__ void search_table(const unsigned* rules, const unsigned* records, unsigned* results,
                                        unsigned rows, unsigned columns) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = records[i];
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      const unsigned y = stir(x, row * columns + column);
      if (!holds(rules, y, 6)) {
        if (!holds(rules, y, 7)) goto found;
        if (!holds(rules, y, 8)) break;
      }
      if (!holds(rules, y, 9)) goto given_up;
      x += y;
    }
    x = stir(x, 31);
  }
given_up:
  x = stir(stir(x, 32), 33);
found:
  results[i] = stir(x, 34);
}

// Splits and merges: a test leads to `both`, or to the next test; `both` falls into `second`, to which a test leads, too.
extern "C" __global__ void split_and_merge(const unsigned* rules, const unsigned* records, unsigned* results,
                                           unsigned rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = records[i];
  for (unsigned round = 0; round < rounds; ++round) {
    if (!holds(rules, x, 10)) goto both;
    if (!holds(rules, x, 11)) goto both;
    if (!holds(rules, x, 12)) goto second;
    x = stir(x, 41);
    goto merged;
  both:
    x = stir(stir(x, 42), 43);
    if (!holds(rules, x, 13)) goto merged;
  second:
    x = stir(stir(x, 44), 45);
  merged:
    x += round;
  }
  results[i] = x;
}

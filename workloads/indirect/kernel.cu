// Every thread interprets a little program of its own: the operation is chosen by a switch that becomes a
// jump table, and the operation Call goes through a table of function pointers. Threads of one warp run
// different programs, so both kinds of indirect control flow diverge many ways.
//
// Without this flag nvcc makes a tree of comparisons of every switch:
// build-ptx: --jump-table-density=50

enum Operation : unsigned { Halt, Add, Xor, Multiply, Rotate, Exchange, SkipIfOdd, SetCounter, Loop, Call };

typedef unsigned (*Function)(unsigned, unsigned);

extern "C" __device__ __noinline__ unsigned greatest_common_divisor(unsigned a, unsigned b) {
  while (b != 0) {
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

extern "C" __device__ __noinline__ unsigned power(unsigned a, unsigned b) {
  unsigned result = 1;
  for (unsigned exponent = b & 31; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result *= a;
    a *= a;
  }
  return result;
}

extern "C" __device__ __noinline__ unsigned mix(unsigned a, unsigned b) {
  a = (a ^ b) * 0x85ebca6bu;
  return a ^ a >> 13;
}

extern "C" __device__ __noinline__ unsigned twice(unsigned a, unsigned b);

__device__ Function functions[4] = {greatest_common_divisor, power, mix, twice};

// Calls another one through the table, so that calls nest; never itself.
extern "C" __device__ __noinline__ unsigned twice(unsigned a, unsigned b) {
  return functions[b % 3](functions[a % 3](a, b), b);
}

// Thread i runs the program that starts at code[entry[i]]. An instruction: operation in the low byte, operand
// above it.
extern "C" __global__ void interpret(const unsigned* code, const unsigned* entry, const unsigned* inputs,
                                     unsigned* results, int threads) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  unsigned at = entry[thread], a = inputs[thread], b = a ^ 0x9e3779b9u, counter = 0;
  // Halt ends the loop, not the switch: so the threads of a warp can meet again after every operation.
  for (unsigned instruction = code[at++]; instruction != Halt; instruction = code[at++]) {
    const unsigned operand = instruction >> 8;
    switch (instruction & 255) {
      case Add: a += operand; break;
      case Xor: a ^= operand * 0x01010101u; break;
      case Multiply: a *= operand | 1; break;
      case Rotate: a = a << (operand & 31) | a >> (-operand & 31); break;
      case Exchange: {
        const unsigned held = a;
        a = b;
        b = held;
        break;
      }
      case SkipIfOdd:
        if (a & 1) at += operand;
        break;
      case SetCounter: counter = operand; break;
      case Loop:
        if (--counter != 0) at -= operand;
        break;
      case Call: a = functions[operand & 3](a, b); break;
    }
  }
  results[thread] = a + b;
}

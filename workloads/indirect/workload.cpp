#include <array>
#include <utility>

#include "workloads/support.h"

namespace heddle::workloads::indirect {

namespace {

constexpr uint32_t kBlock = 64;

enum Operation : uint32_t { Halt, Add, Xor, Multiply, Rotate, Exchange, SkipIfOdd, SetCounter, Loop, Call };

uint32_t instruction(Operation operation, uint32_t operand = 0) { return operand << 8 | operation; }

uint32_t random_step(Random& random) {
  constexpr std::array kSteps = {Add, Xor, Multiply, Rotate, Exchange, Call, Call};
  const auto step = kSteps[random.below(kSteps.size())];  // first: the order of arguments is the compiler's
  return instruction(step, random.below(251));
}

// A loop of 2 or 3 rounds over five steps, one of which is skipped when the value is odd.
void append_program(Random& random, std::vector<uint32_t>& code) {
  code.push_back(random_step(random));
  code.push_back(instruction(SetCounter, 2 + random.below(2)));
  code.push_back(random_step(random));
  code.push_back(random_step(random));
  code.push_back(instruction(SkipIfOdd, 1));
  for (int i = 0; i < 3; ++i) code.push_back(random_step(random));
  code.push_back(instruction(Loop, 7));
  code.push_back(instruction(Call, random.below(4)));
  code.push_back(instruction(Halt));
}

uint32_t greatest_common_divisor(uint32_t a, uint32_t b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

uint32_t power(uint32_t a, uint32_t b) {
  uint32_t result = 1;
  for (uint32_t i = 0; i < (b & 31); ++i) result *= a;
  return result;
}

uint32_t mix(uint32_t a, uint32_t b) {
  a = (a ^ b) * 0x85ebca6bu;
  return a ^ a >> 13;
}

uint32_t call(uint32_t function, uint32_t a, uint32_t b) {
  switch (function) {
    case 0: return greatest_common_divisor(a, b);
    case 1: return power(a, b);
    case 2: return mix(a, b);
  }
  return call(b % 3, call(a % 3, a, b), b);
}

uint32_t interpret(const std::vector<uint32_t>& code, uint32_t at, uint32_t a) {
  uint32_t b = a ^ 0x9e3779b9u, counter = 0;
  for (;;) {
    const uint32_t operand = code[at] >> 8, shift = operand & 31;
    switch (static_cast<Operation>(code[at++] & 255)) {
      case Halt: return a + b;
      case Add: a += operand; break;
      case Xor: a ^= operand * 0x01010101u; break;
      case Multiply: a *= operand | 1; break;
      case Rotate: a = shift == 0 ? a : a << shift | a >> (32 - shift); break;
      case Exchange: std::swap(a, b); break;
      case SkipIfOdd: at += a & 1 ? operand : 0; break;
      case SetCounter: counter = operand; break;
      case Loop: at -= --counter != 0 ? operand : 0; break;
      case Call: a = call(operand & 3, a, b); break;
    }
  }
}

}  // namespace

// Eight programs, dealt to the threads at random.
Check run(Device& device, Size size) {
  const uint32_t blocks = by_size(size, 2u, 120u, 600u), count = blocks * kBlock - 21;
  constexpr uint32_t kPrograms = 8, kLength = 11;
  Random random(1);
  std::vector<uint32_t> code, entry(count), inputs(count), expected(count);
  for (uint32_t i = 0; i < kPrograms; ++i) append_program(random, code);
  for (uint32_t i = 0; i < count; ++i) {
    entry[i] = random.below(kPrograms) * kLength;
    inputs[i] = static_cast<uint32_t>(random.next());
    expected[i] = interpret(code, entry[i], inputs[i]);
  }

  Buffer<uint32_t> device_code(device, code, "code"), entries(device, entry, "entries");
  Buffer<uint32_t> device_inputs(device, inputs, "inputs"), results(device, count, "results");
  device.launch("interpret", {.grid = {blocks}, .block = {kBlock}},
                Arguments(device_code.address(), entries.address(), device_inputs.address(), results.address(), count));
  return compare("results", expected, results.download());
}

}  // namespace heddle::workloads::indirect

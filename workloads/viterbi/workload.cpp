#include <algorithm>
#include <bit>

#include "workloads/support.h"

namespace heddle::workloads::viterbi {

namespace {

constexpr uint32_t kThreads = 256, kStates = 64, kFramesPerBlock = kThreads / kStates;
constexpr uint32_t kGenerators[2] = {0133, 0171};
constexpr uint32_t kTail = 6;  // zeros behind the message, which bring the coder back to state 0
constexpr int32_t kUnreached = 1 << 20;

// What a soft receiver makes of the coded bits of random messages: 0 to 7, where noise moves a value by as much
// as the sum of three dice differs from its mean, so that now and then a bit looks like its opposite.
std::vector<uint8_t> random_received(uint32_t frames, uint32_t bits) {
  Random random(1);
  std::vector<uint8_t> received;
  for (uint32_t frame = 0; frame < frames; ++frame) {
    uint32_t window = 0;
    for (uint32_t bit = 0; bit < bits; ++bit) {
      const uint32_t message = bit + kTail < bits ? random.below(2) : 0;
      window = message << 6 | window >> 1;
      for (const uint32_t generator : kGenerators) {
        const int32_t noise = random.between(-2, 2) + random.between(-2, 2) + random.between(-1, 1);
        const int32_t sent = std::popcount(window & generator) % 2 == 1 ? 6 : 1;
        received.push_back(static_cast<uint8_t>(std::clamp(sent + noise, 0, 7)));
      }
    }
  }
  return received;
}

int32_t distance(uint32_t window, const uint8_t* symbols) {
  int32_t sum = 0;
  for (int i = 0; i < 2; ++i) sum += std::popcount(window & kGenerators[i]) % 2 == 1 ? 7 - symbols[i] : symbols[i];
  return sum;
}

// Appends the decoded bits of one frame. Of two equal paths the one from the even state wins, as in the kernel.
void decode_on_cpu(const uint8_t* symbols, uint32_t bits, std::vector<uint8_t>& decoded) {
  std::vector<int32_t> metrics(kStates, kUnreached), next(kStates);
  std::vector<uint32_t> predecessor(size_t{bits} * kStates);
  metrics[0] = 0;
  for (uint32_t bit = 0; bit < bits; ++bit) {
    for (uint32_t state = 0; state < kStates; ++state) {
      const uint32_t even = 2 * state % kStates;
      const int32_t via_even = metrics[even] + distance(2 * state, symbols + 2 * bit);
      const int32_t via_odd = metrics[even + 1] + distance(2 * state + 1, symbols + 2 * bit);
      next[state] = std::min(via_even, via_odd);
      predecessor[size_t{bit} * kStates + state] = even + (via_odd < via_even);
    }
    metrics.swap(next);
  }
  const size_t begin = decoded.size();
  decoded.resize(begin + bits);
  for (uint32_t bit = bits, state = 0; bit-- > 0; state = predecessor[size_t{bit} * kStates + state])
    decoded[begin + bit] = static_cast<uint8_t>(state >> 5);
}

}  // namespace

// The frames are no multiple of four: the last block has threads to spare.
Check run(Device& device, Size size) {
  const uint32_t frames = by_size(size, 5u, 63u, 717u), bits = kTail + by_size(size, 26u, 96u, 120u);
  const std::vector<uint8_t> received = random_received(frames, bits);
  Buffer<uint8_t> device_received(device, received, "received"), decoded(device, size_t{frames} * bits, "decoded");
  Buffer<uint8_t> choices(device, size_t{frames} * bits * kStates, "choices");
  device.launch("viterbi", {.grid = {ceil_div(frames, kFramesPerBlock)}, .block = {kThreads}},
                Arguments(device_received.address(), choices.address(), decoded.address(), frames, bits));
  std::vector<uint8_t> expected;
  for (uint32_t frame = 0; frame < frames; ++frame)
    decode_on_cpu(received.data() + size_t{frame} * bits * 2, bits, expected);
  return compare("decoded bits", expected, decoded.download());
}

}  // namespace heddle::workloads::viterbi

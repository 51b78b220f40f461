#include "workloads/support.h"

namespace heddle::workloads::workqueue {

namespace {

constexpr uint32_t kBlock = 64, kPuttersPerBlock = kBlock / 2;

uint32_t steps_down(uint32_t number) {
  uint32_t steps = 0;
  for (; number != 1; ++steps) number = number % 2 == 1 ? 3 * number + 1 : number / 2;
  return steps;
}

}  // namespace

Check run(Device& device, Size size) {
  const auto blocks = by_size<uint32_t>(size, 1, 30, 120), per_lane = by_size<uint32_t>(size, 1, 8, 16);
  Random random(1);
  std::vector<uint32_t> numbers(size_t{blocks} * kPuttersPerBlock * per_lane), steps;
  for (uint32_t& number : numbers) {
    number = 1 + random.below(10'000);  // whose walks stay below 2^32
    steps.push_back(steps_down(number));
  }
  const Buffer<uint32_t> device_numbers(device, numbers, "numbers");
  const Buffer<uint32_t> device_steps(device, numbers.size(), "steps"), taken(device, numbers.size(), "taken");
  device.launch("pass_on", {.grid = {blocks}, .block = {kBlock}},
                Arguments(device_numbers.address(), device_steps.address(), taken.address(), per_lane));
  return all_of({compare("steps", steps, device_steps.download()),
                 compare("taken", std::vector<uint32_t>(numbers.size(), 1), taken.download())});
}

}  // namespace heddle::workloads::workqueue

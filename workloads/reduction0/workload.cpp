#include "workloads/support.h"

namespace heddle::workloads::reduction0 {

namespace {

constexpr uint32_t kBlock = 256;

std::vector<int32_t> block_sums(const std::vector<int32_t>& values) {
  std::vector<int32_t> sums(ceil_div(static_cast<uint32_t>(values.size()), kBlock));
  for (size_t i = 0; i < values.size(); ++i) sums[i / kBlock] += values[i];
  return sums;
}

}  // namespace

// Launches until one value is left; the sums after every launch are checked, not only the last.
Check run(Device& device, Size size) {
  Random random(1);
  std::vector<int32_t> expected(by_size(size, 12'000u, 250'000u, 1'500'000u));
  for (int32_t& value : expected) value = random.between(-1000, 1000);  // no partial sum overflows

  Buffer<int32_t> values(device, expected, "values");
  Check check;
  while (values.size() > 1) {
    const uint32_t count = static_cast<uint32_t>(values.size());
    const uint32_t blocks = ceil_div(count, kBlock);
    Buffer<int32_t> sums(device, blocks, "block sums");
    device.launch("reduce_interleaved", {.grid = {blocks}, .block = {kBlock}},
                  Arguments(values.address(), sums.address(), count));
    expected = block_sums(expected);
    const Check step = compare("block sums", expected, sums.download());
    check = check.detail.empty() ? step : all_of({check, step});
    values = sums;
  }
  return check;
}

}  // namespace heddle::workloads::reduction0

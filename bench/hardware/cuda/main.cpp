// The microbenchmarks on a real GPU: `build/hardware [--repeat N] [NAME…]` prints a CSV of their medians.
// A name may be the beginning of several.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/hardware/microbenchmark.h"
#include "workloads/cuda/cuda_device.h"

namespace {

using namespace heddle::hardware;

bool chosen(const std::string& name, const std::vector<std::string>& names) {
  return names.empty() ||
         std::any_of(names.begin(), names.end(), [&](const std::string& begin) { return name.starts_with(begin); });
}

void print(const Microbenchmark& bench, unsigned repeat) {
  try {
    std::vector<double> values;
    for (unsigned i = 0; i < repeat; ++i) {
      heddle::workloads::CudaDevice device;
      values.push_back(bench.measure(device));
    }
    std::sort(values.begin(), values.end());
    fmt::print("{},{:.5g},{:.5g},{:.5g},{}\n", bench.name, values[repeat / 2], values.front(), values.back(),
               bench.unit);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", bench.name, error.what());
  }
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  try {
    unsigned repeat = 5;
    std::vector<std::string> names;
    for (int i = 1; i < count; ++i) {
      if (std::string_view(words[i]) == "--repeat" && i + 1 < count)
        repeat = static_cast<unsigned>(std::max(1, std::stoi(words[++i])));
      else
        names.emplace_back(words[i]);
    }
    fmt::print("# {}\nname,median,least,most,unit\n", heddle::workloads::CudaDevice().name());
    for (const Microbenchmark& bench : microbenchmarks())
      if (chosen(bench.name, names)) print(bench, repeat);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hardware: error: {}\n", error.what());
    return 2;
  }
}

// Runs workloads on a real GPU and checks their results: `workloads-cuda [--size S] [NAME…]`, all without a name.
// The kernels are NAME.cubin in the folder of the program (workloads/Makefile).
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "workloads/cuda/cuda_device.h"
#include "workloads/workload.h"

namespace {

using namespace heddle::workloads;

struct Request {
  std::filesystem::path folder;
  Size size = Size::Small;
  std::vector<std::string_view> names;
};

Request request_of(std::span<char*> words) {
  Request request;
  request.folder = std::filesystem::path(words[0]).parent_path();
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--size" && i + 1 < words.size())
      request.size = size_named(words[++i]);
    else
      request.names.push_back(find(word).name);
  }
  if (request.names.empty())
    for (const Workload& workload : all()) request.names.push_back(workload.name);
  return request;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path.string()));
  return {std::istreambuf_iterator<char>(file), {}};
}

bool passes(const Workload& workload, const Request& request) {
  try {
    CudaDevice device;
    const auto image = request.folder / fmt::format("{}.cubin", workload.name);
    device.load(image.string(), bytes_of(image));
    const Check check = workload.run(device, request.size);
    fmt::print("{:<16} {}: {}\n", workload.name, check.passed ? "passed" : "FAILED", check.detail);
    return check.passed;
  } catch (const std::exception& error) {
    fmt::print("{:<16} FAILED: {}\n", workload.name, error.what());
    return false;
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    const Request request = request_of({words, static_cast<size_t>(count)});
    fmt::print("on {}\n", CudaDevice().name());
    size_t passed = 0;
    for (const std::string_view name : request.names) {
      passed += passes(find(name), request);
      std::fflush(stdout);
    }
    fmt::print("{} of {} passed\n", passed, request.names.size());
    return passed == request.names.size() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "workloads-cuda: error: {}\n", error.what());
    return 2;
  }
}

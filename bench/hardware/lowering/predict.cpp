// Machine instructions that the workloads issue by the costs of their machine code, beside those a GPU counted:
//   heddle_lowering [--size S] [--mechanism M] [--set KEY=VALUE]… docs/hardware-efficiency.csv [NAME…]
// Emulated, so that the order of warps plays no part. Kernels of one workload together.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu/gpu.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

using Counts = std::map<std::string, double>;  // by kernel

std::map<std::string, Counts> measured(const std::string& path) {
  std::map<std::string, Counts> all;
  std::ifstream file(path);
  std::string workload, kernel, launches, instructions, rest;
  std::getline(file, rest);
  while (std::getline(file, workload, ',') && std::getline(file, kernel, ',') && std::getline(file, launches, ',') &&
         std::getline(file, instructions, ',') && std::getline(file, rest))
    all[workload][kernel] = std::stod(instructions);
  return all;
}

struct Predicted {
  double machine = 0, ptx = 0;
};

std::map<std::string, Predicted> predict(const workloads::Workload& workload, workloads::Size size,
                                         const CodeOptions& code, const std::string& mechanism) {
  GpuOptions options;
  options.mechanism = mechanism;
  options.instruments.add("profile");
  Gpu gpu(make_config("default", {}), options);
  const auto program =
      Program::load(std::make_shared<ptx::Source>(std::string(workload.name), std::string(workload.ptx())));
  gpu.load(program->as_machine_code(code));
  const workloads::Check check = workload.run(gpu, size);
  if (!check.passed) throw Error(ExitCode::Internal, check.detail);
  std::map<std::string, Predicted> kernels;
  for (const KernelStats& launch : gpu.launches()) {
    const auto kernel = gpu.kernel(launch.kernel);
    Predicted& sum = kernels[launch.kernel];
    for (Pc pc = 0; pc < launch.by_pc.size(); ++pc) {
      sum.machine += static_cast<double>(launch.by_pc[pc].slots) * kernel->costs[pc].slots;
      sum.ptx += static_cast<double>(launch.by_pc[pc].slots);
    }
  }
  return kernels;
}

int compare(int argc, char** argv) {
  std::vector<std::string> settings, words;
  workloads::Size size = workloads::Size::Paper;
  std::string mechanism = "its";  // as the GPU does it
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--set")
      settings.emplace_back(argv[++i]);
    else if (word == "--mechanism")
      mechanism = argv[++i];
    else if (word == "--size")
      size = workloads::size_named(argv[++i]);
    else
      words.push_back(word);
  }
  const auto counted = measured(words.at(0));
  const CodeOptions code = CodeOptions::from(make_config("default", settings));
  double sum = 0, signed_sum = 0;
  unsigned number = 0;
  for (const workloads::Workload& workload : workloads::all()) {
    const auto found = counted.find(std::string(workload.name));
    if (found == counted.end() || workload.kind == workloads::Kind::Waits) continue;  // how long those try is chance
    if (words.size() > 1 && std::find(words.begin() + 1, words.end(), workload.name) == words.end()) continue;
    double machine = 0, ptx = 0, real = 0;
    for (const auto& [kernel, each] : predict(workload, size, code, mechanism)) {
      const auto own = found->second.find(kernel);
      if (own == found->second.end()) continue;
      fmt::print("  {:16} {:32} {:14.0f} {:14.0f} {:6.3f} ptx {:6.3f}\n", workload.name, kernel, each.machine,
                 own->second, each.machine / own->second, each.ptx / own->second);
      machine += each.machine;
      ptx += each.ptx;
      real += own->second;
    }
    if (real == 0) continue;
    fmt::print("{:18} {:6.3f}  ptx {:6.3f}\n", workload.name, machine / real, ptx / real);
    std::fflush(stdout);
    sum += std::abs(machine / real - 1);
    signed_sum += machine / real - 1;
    ++number;
  }
  fmt::print("{} workloads: mean absolute error {:.1f} %, mean {:+.1f} %\n", number, 100 * sum / number,
             100 * signed_sum / number);
  return 0;
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  try {
    return heddle::compare(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "heddle_lowering: " << error.what() << "\n";
    return 1;
  }
}

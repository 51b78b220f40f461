// What the checks cost in emulation: a few workloads, size small, with and without each.
#include <benchmark/benchmark.h>

#include "gpu/gpu.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

// The figure is how many times as long launches take.
void checked_workload(benchmark::State& state, const workloads::Workload& workload, const std::string& checks) {
  const auto seconds_with = [&](const check::CheckSet& set) {
    GpuOptions options;
    options.checks = set;
    Gpu gpu(make_config("default", {}), options);
    gpu.load(workload.name, workload.ptx());
    workload.run(gpu, workloads::Size::Small);
    return gpu.seconds();
  };
  double with = 0, without = 0;
  for (auto _ : state) {
    without += seconds_with({});
    with += seconds_with(check::CheckSet(checks));
  }
  state.counters["times"] = with / without;
}

const bool registered_checks = [] {
  for (const char* name : {"aes", "backprop", "bfs", "kmeans", "lps", "matmul", "mum", "reduction0"})
    for (const char* checks : {"race", "init", "sync"})
      benchmark::RegisterBenchmark((std::string("check/") + checks + "/" + name).c_str(), checked_workload,
                                   workloads::find(name), std::string(checks))
          ->Unit(benchmark::kMillisecond)
          ->Iterations(3);
  return true;
}();

}  // namespace
}  // namespace heddle

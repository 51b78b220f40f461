// Whole workloads, size small, on one core of the host: every workload under pdom, and every mechanism on a few that
// diverge. A mechanism's price is the ratio of its slots/s to pdom's. And every workload on two threads of the host, a
// few of them at cycle level too: the figure is how many times as fast as on one.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "gpu/gpu.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

constexpr std::string_view kUnderAll[] = {"backprop", "bfs", "lps", "mandelbrot", "matmul"};
constexpr std::string_view kOnThreads[] = {"backprop", "bfs", "cp", "mandelbrot", "matmul", "stencil3d"};

void whole_workload(benchmark::State& state, const workloads::Workload& workload, const std::string& mechanism,
                    bool timed) {
  uint64_t slots = 0;
  double seconds = 0;
  for (auto _ : state) {
    GpuOptions options;
    options.mechanism = mechanism;
    options.timed = timed;
    Gpu gpu(make_config(timed ? "tbc-hpca11" : "default", {}), options);
    gpu.load(workload.name, workload.ptx());
    try {
      workload.run(gpu, workloads::Size::Small);
    } catch (const Error& error) {  // not every mechanism can run everything
      return state.SkipWithError(error.what());
    }
    slots += gpu.total().issue_slots;
    seconds += gpu.seconds();
  }
  state.counters["slots/s"] = static_cast<double>(slots) / seconds;
}

void on_two_threads(benchmark::State& state, const workloads::Workload& workload, bool timed) {
  const auto seconds_on = [&](unsigned threads) {
    GpuOptions options;
    options.threads = threads;
    options.timed = timed;
    Gpu gpu(make_config(timed ? "h200" : "default", {}), options);
    gpu.load(workload.name, workload.ptx());
    workload.run(gpu, workloads::Size::Small);
    state.counters["launches"] = static_cast<double>(gpu.launches_side_by_side());
    return gpu.seconds();
  };
  double one = 0, two = 0;
  for (auto _ : state) {
    one += seconds_on(1);
    two += seconds_on(2);
  }
  state.counters["times"] = one / two;
}

void add(const workloads::Workload& workload, std::string_view mechanism, bool timed) {
  const std::string name =
      std::string(timed ? "cycle/" : "") + "workload/" + std::string(workload.name) + "/" + std::string(mechanism);
  benchmark::RegisterBenchmark(name.c_str(), whole_workload, workload, std::string(mechanism), timed)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1);
}

void add_threads(const workloads::Workload& workload, bool timed) {
  const std::string name = std::string(timed ? "cycle/" : "") + "threads/workload/" + std::string(workload.name);
  benchmark::RegisterBenchmark(name.c_str(), on_two_threads, workload, timed)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(timed ? 1 : 3);
}

template <size_t n>
bool is_among(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

const bool registered = [] {
  for (const workloads::Workload& workload : workloads::all()) {
    if (workload.kind == workloads::Kind::Usual) add_threads(workload, false);
    if (is_among(kOnThreads, workload.name)) add_threads(workload, true);
  }
  for (const bool timed : {false, true})
    for (const workloads::Workload& workload : workloads::all()) {
      const bool all = is_among(kUnderAll, workload.name);
      for (const MechanismRow& mechanism : mechanisms())
        if (all || mechanism.name == "pdom") add(workload, mechanism.name, timed);
    }
  return true;
}();

}  // namespace
}  // namespace heddle

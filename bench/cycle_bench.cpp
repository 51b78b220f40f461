// The cycle-level machine at tbc-hpca11 (30 cores) on one core of the host, and divergent code on several: issue slots
// and cache lines per second.
#include <benchmark/benchmark.h>

#include <vector>

#include "gpu/gpu.h"

namespace heddle::workloads {
std::string_view bench_kernels_ptx();
}

namespace heddle {
namespace {

GpuOptions timed(unsigned threads = 1) {
  GpuOptions options;
  options.timed = true;
  options.threads = threads;
  return options;
}

void report(benchmark::State& state, const Gpu& gpu) {
  const KernelStats total = gpu.total();
  const CoreStats cores = total.timing->all_cores();
  const auto rate = [&](uint64_t count) { return static_cast<double>(count) / gpu.seconds(); };
  state.counters["slots/s"] = rate(total.issue_slots);
  state.counters["lines/s"] = rate(cores.lines);
  state.counters["cycles/s"] = rate(total.timing->cycles);
  state.counters["ipc"] = total.ipc();
  state.counters["dram"] = total.timing->dram_utilisation();
}

void compute_bound(benchmark::State& state) {
  Gpu gpu(make_config("tbc-hpca11", {}), timed());
  gpu.load("kernels.ptx", workloads::bench_kernels_ptx());
  const Buffer<float> out(gpu, 240 * 128, "out");
  for (auto _ : state) gpu.launch("compute", {{240}, {128}}, Arguments(out.address(), 100));
  report(state, gpu);
}

void streaming(benchmark::State& state) {
  Gpu gpu(make_config("tbc-hpca11", {}), timed());
  gpu.load("kernels.ptx", workloads::bench_kernels_ptx());
  const int n = 1 << 22;
  const Buffer<float> in(gpu, n, "in"), out(gpu, n, "out");
  for (auto _ : state) gpu.launch("memory", {{240}, {128}}, Arguments(in.address(), out.address(), n));
  report(state, gpu);
}

// Every lane somewhere else: in so many kB, which the L1 holds, the L2, or nobody.
void scattered(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0)) << 8;
  Gpu gpu(make_config("tbc-hpca11", {}), timed());
  gpu.load("kernels.ptx", workloads::bench_kernels_ptx());
  std::vector<int> indices(1 << 19);
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int>(i * 2654435761U % static_cast<unsigned>(n));
  const Buffer<int> index(gpu, indices, "index");
  const Buffer<float> in(gpu, static_cast<size_t>(n), "in"), out(gpu, indices.size(), "out");
  for (auto _ : state)
    gpu.launch("gather", {{240}, {128}},
               Arguments(index.address(), in.address(), out.address(), static_cast<int>(indices.size())));
  report(state, gpu);
}

void divergent(benchmark::State& state) {
  Gpu gpu(make_config("tbc-hpca11", {}), timed(static_cast<unsigned>(state.range(0))));
  gpu.load("kernels.ptx", workloads::bench_kernels_ptx());
  const Buffer<int> out(gpu, 240 * 128, "out");
  for (auto _ : state) gpu.launch("divergent", {{240}, {128}}, Arguments(out.address(), 1000));
  report(state, gpu);
}

BENCHMARK(compute_bound)->Name("cycle/compute_bound")->Unit(benchmark::kMillisecond);
BENCHMARK(streaming)->Name("cycle/memory_bound_streaming")->Unit(benchmark::kMillisecond);
BENCHMARK(scattered)->Name("cycle/scattered_kB")->Arg(16)->Arg(1024)->Arg(262144)->Unit(benchmark::kMillisecond);
BENCHMARK(divergent)->Name("cycle/divergent_threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle

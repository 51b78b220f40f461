// Issue slots per second of the emulation machine on one core of the host.
#include <benchmark/benchmark.h>

#include <vector>

#include "gpu/gpu.h"

namespace heddle::workloads {
std::string_view bench_kernels_ptx();
}

namespace heddle {
namespace {

// Launches until the benchmark has had enough, and reports slots per second spent inside launches.
template <class Launch>
void measure(benchmark::State& state, Gpu& gpu, Launch&& launch) {
  for (auto _ : state) launch();
  const KernelStats total = gpu.total();
  state.counters["slots/s"] = benchmark::Counter(static_cast<double>(total.issue_slots), benchmark::Counter::kIsRate);
  state.counters["simd"] = total.simd_efficiency(32);
}

void compute_bound_full_warps(benchmark::State& state) {
  Gpu gpu(make_config("default", {}), {});
  gpu.load("kernels.ptx", workloads::bench_kernels_ptx());
  const Buffer<float> out(gpu, 64 * 256, "out");
  measure(state, gpu, [&] { gpu.launch("compute", {{64}, {256}, 0, false}, Arguments(out.address(), 200)); });
}
BENCHMARK(compute_bound_full_warps)->Unit(benchmark::kMillisecond);

void memory_bound_streaming(benchmark::State& state) {
  Gpu gpu(make_config("default", {}), {});
  gpu.load("kernels.ptx", workloads::bench_kernels_ptx());
  const int n = 1 << 21;
  const Buffer<float> in(gpu, n, "in"), out(gpu, n, "out");
  measure(state, gpu, [&] {
    gpu.launch("memory", {{64}, {256}, 0, false}, Arguments(in.address(), out.address(), n));
  });
}
BENCHMARK(memory_bound_streaming)->Unit(benchmark::kMillisecond);

void memory_bound_gather(benchmark::State& state) {
  Gpu gpu(make_config("default", {}), {});
  gpu.load("kernels.ptx", workloads::bench_kernels_ptx());
  const int n = 1 << 20;
  std::vector<int> indices(n);
  for (int i = 0; i < n; ++i)
    indices[static_cast<size_t>(i)] = static_cast<int>(i * 2654435761U % static_cast<unsigned>(n));
  const Buffer<int> index(gpu, indices, "index");
  const Buffer<float> in(gpu, n, "in"), out(gpu, n, "out");
  measure(state, gpu, [&] {
    gpu.launch("gather", {{64}, {256}, 0, false}, Arguments(index.address(), in.address(), out.address(), n));
  });
}
BENCHMARK(memory_bound_gather)->Unit(benchmark::kMillisecond);

void divergent_loops(benchmark::State& state) {
  Gpu gpu(make_config("default", {}), {});
  gpu.load("kernels.ptx", workloads::bench_kernels_ptx());
  const Buffer<int> out(gpu, 64 * 256, "out");
  measure(state, gpu, [&] { gpu.launch("divergent", {{64}, {256}, 0, false}, Arguments(out.address(), 1000)); });
}
BENCHMARK(divergent_loops)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle

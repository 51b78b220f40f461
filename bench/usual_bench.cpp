// Kernels that everybody runs first, in emulation and at cycle level, on one core of the host: issue slots per second.
// Inputs stay as they are, so that versions can be compared.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "gpu/gpu.h"

namespace heddle::workloads {
std::string_view bench_usual_ptx();
}

namespace heddle {
namespace {

constexpr int kMany = 1 << 20;

std::vector<unsigned> random_words(size_t count) {
  std::mt19937 random(1);  // NOLINT: the same each time
  std::vector<unsigned> words(count);
  for (unsigned& word : words) word = random();
  return words;
}

// Of memory that the host has touched: what it gives a process first is not asked here.
template <class T>
Buffer<T> filled(Gpu& gpu, size_t count, std::string_view label) {
  return Buffer<T>(gpu, std::vector<T>(count, T{1}), label);
}

void saxpy(Gpu& gpu) {
  const auto x = filled<float>(gpu, kMany, "x"), y = filled<float>(gpu, kMany, "y");
  gpu.launch("saxpy", {{kMany / 256}, {256}}, Arguments(kMany, 2.0F, x.address(), y.address()));
}

// 65,536 nodes of 2 to 10 neighbours, from the first to the last that is reached.
void bfs(Gpu& gpu) {
  constexpr int kNodes = 1 << 16;
  const std::vector<unsigned> random = random_words(size_t{11} * kNodes);
  std::vector<int> begins, neighbours, levels(kNodes, -1);
  for (size_t node = 0; node < kNodes; ++node) {
    begins.push_back(static_cast<int>(neighbours.size()));
    for (size_t k = 0; k < 2 + random[11 * node] % 9; ++k)
      neighbours.push_back(static_cast<int>(random[11 * node + 1 + k] % kNodes));
  }
  begins.push_back(static_cast<int>(neighbours.size()));
  levels[0] = 0;
  const Buffer<int> begin(gpu, begins, "begin"), neighbour(gpu, neighbours, "neighbour"), level(gpu, levels, "level");
  Buffer<int> changed(gpu, 1, "changed");
  for (int now = 0, more = 1; more != 0; ++now) {
    changed.upload({0});
    gpu.launch("bfs", {{kNodes / 256}, {256}},
               Arguments(begin.address(), neighbour.address(), level.address(), kNodes, now, changed.address()));
    more = changed.download()[0];
  }
}

void matmul(Gpu& gpu) {
  constexpr int kSide = 256;
  const auto a = filled<float>(gpu, kSide * kSide, "a"), b = filled<float>(gpu, kSide * kSide, "b"),
             c = filled<float>(gpu, kSide * kSide, "c");
  gpu.launch("matmul", {{kSide / 16, kSide / 16}, {16, 16}}, Arguments(a.address(), b.address(), c.address(), kSide));
}

void mandelbrot(Gpu& gpu) {
  constexpr int kSide = 512;
  const auto out = filled<int>(gpu, kSide * kSide, "out");
  gpu.launch("mandelbrot", {{kSide / 16, kSide / 16}, {16, 16}}, Arguments(out.address(), kSide, kSide, 256));
}

void histogram(Gpu& gpu) {
  const Buffer<unsigned> in(gpu, random_words(kMany), "in");
  const auto out = filled<unsigned>(gpu, 256, "out");
  gpu.launch("histogram", {{240}, {256}}, Arguments(in.address(), kMany, out.address()));
}

void reduce(Gpu& gpu) {
  const auto in = filled<float>(gpu, kMany, "in"), out = filled<float>(gpu, kMany / 512, "out");
  gpu.launch("reduce", {{kMany / 512}, {256}}, Arguments(in.address(), out.address()));
}

void stencil(Gpu& gpu) {
  constexpr int kSide = 512;
  const auto in = filled<float>(gpu, kSide * kSide, "in"), out = filled<float>(gpu, kSide * kSide, "out");
  for (int i = 0; i < 3; ++i)
    gpu.launch("stencil", {{kSide / 32, kSide / 8}, {32, 8}}, Arguments(in.address(), out.address(), kSide, kSide));
}

void measure_usual(benchmark::State& state, void (*run)(Gpu&), const std::string& preset) {
  GpuOptions options;
  options.timed = !preset.empty();
  options.threads = 1;
  uint64_t slots = 0;
  double seconds = 0;
  for (auto _ : state) {
    Gpu gpu(make_config(options.timed ? preset : "default", {}), options);
    gpu.load("usual.ptx", workloads::bench_usual_ptx());
    run(gpu);
    slots += gpu.total().issue_slots;
    seconds += gpu.seconds();
  }
  state.counters["slots/s"] = static_cast<double>(slots) / seconds;
}

[[maybe_unused]] const bool kRegistered = [] {
  const std::vector<std::pair<std::string, void (*)(Gpu&)>> kernels = {
      {"saxpy", saxpy},         {"bfs", bfs},       {"matmul", matmul},  {"mandelbrot", mandelbrot},
      {"histogram", histogram}, {"reduce", reduce}, {"stencil", stencil}};
  for (const auto& [mode, preset] : std::vector<std::pair<std::string, std::string>>{
           {"emulation", ""}, {"default", "default"}, {"tbc-hpca11", "tbc-hpca11"}, {"h200", "h200"}})
    for (const auto& [name, run] : kernels)
      benchmark::RegisterBenchmark(("usual/" + mode + "/" + name).c_str(), [run = run,
                                                                            preset = preset](benchmark::State& state) {
        measure_usual(state, run, preset);
      })->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace heddle

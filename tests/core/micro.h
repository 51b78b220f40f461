// Small kernels on a machine with a clock, whose time is known from the machine's keys.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "gpu/gpu.h"

namespace heddle::test {

inline std::string repeat(std::string_view text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i) all += text;
  return all;
}

struct Micro {
  std::string preset = "tbc-hpca11";
  std::vector<std::string> set{};
  std::string mechanism = "pdom", schedule = "rr";
};

// One line per cycle and a warp at a time, whatever the machine says.
inline Micro plain_l1(const std::string& preset = "tbc-hpca11") {
  return {preset, {"coalesce_lanes=32", "l1_cycle=1", "l1_read_ports=1", "l1_write_ports=1", "l1_miss_ports=0"}};
}

// A GPU with a clock.
class TimedGpu : public Gpu {
 public:
  explicit TimedGpu(const Micro& micro = {}) : Gpu(make_config(micro.preset, micro.set), options_of(micro)) {}

  // Loads a kernel `k` of one pointer parameter, %rd1, with the registers %r<16>, %f<16>, %rd<16>, %fd<16>, %p<8>.
  void load_body(std::string_view body) {
    load("micro.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n" + declarations + kernel_text("k", body));
  }
  static std::string kernel_text(std::string_view name, std::string_view body) {
    return ".visible .entry " + std::string(name) +
           "(.param .u64 p) { .reg .b32 %r<16>; .reg .f32 %f<16>; .reg .b64 %rd<16>; .reg .f64 %fd<16>; .reg .pred "
           "%p<8>; ld.param.u64 %rd1, [p];\n" +
           std::string(body) + "ret; }\n";
  }
  const KernelStats& run(Dim3 grid, Dim3 block, Address pointer = 0, std::string_view kernel = "k") {
    launch(kernel, {grid, block}, Arguments(pointer));
    return launches().back();
  }
  uint64_t key(std::string_view name) const { return static_cast<uint64_t>(config().integer(name)); }

  std::string declarations;  // of module variables

 private:
  static GpuOptions options_of(const Micro& micro) {
    GpuOptions options;
    options.timed = true;
    options.mechanism = micro.mechanism;
    options.schedule = micro.schedule;
    return options;
  }
};

// Cycles of a kernel whose body is `prologue` and `times` times `text`.
inline uint64_t cycles_of(const Micro& micro, std::string_view prologue, std::string_view text, unsigned times,
                          Dim3 block = {32}, Dim3 grid = {1}) {
  TimedGpu gpu(micro);
  gpu.load_body(std::string(prologue) + repeat(text, times));
  return gpu.run(grid, block).timing->cycles;
}

// Cycles of one `text` among many.
inline double cycles_each(const Micro& micro, std::string_view prologue, std::string_view text, Dim3 block = {32},
                          Dim3 grid = {1}) {
  const uint64_t few = cycles_of(micro, prologue, text, 40, block, grid);
  const uint64_t many = cycles_of(micro, prologue, text, 140, block, grid);
  return static_cast<double>(many - few) / 100;
}

inline const std::vector<std::string>& paper_presets() {
  static const std::vector<std::string> names{"tbc-hpca11", "capri-isca12", "slp-isca13", "large-warp-2010"};
  return names;
}

}  // namespace heddle::test

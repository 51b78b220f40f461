// Tensor-core instructions: cycles from one to the next that adds to its result, and instructions of a core per cycle.
#include <fmt/format.h>

#include "bench/hardware/microbenchmark.h"
#include "bench/hardware/timed_kernel.h"

namespace heddle::hardware {
namespace {

struct MatrixForm {
  const char* name;
  const char* types;  // shape, layout and types
  unsigned a, b, c;   // registers
  const char* in = "b32";
  const char* sum = "f32";
  const char* target = "sm_80";
};

constexpr MatrixForm kMatrixForms[] = {
    {"mma.f16.f16", "m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, "b32", "b32"},
    {"mma.f32.f16", "m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4},
    {"mma.k8.f32.f16", "m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4},
    {"mma.f32.bf16", "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4},
    {"mma.f32.tf32", "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4},
    {"mma.k4.f32.tf32", "m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1, 4},
    {"mma.s32.s8", "m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4, "b32", "b32"},
    {"mma.k16.s32.s8", "m16n8k16.row.col.s32.s8.s8.s32", 2, 1, 4, "b32", "b32"},
    {"mma.f64", "m8n8k4.row.col.f64.f64.f64.f64", 1, 1, 2, "f64", "f64"},
    {"mma.k16.f64", "m16n8k16.row.col.f64.f64.f64.f64", 8, 4, 4, "f64", "f64", "sm_90"},
};

constexpr unsigned kMatrixSteps = 64;  // in a trip

std::string register_list(const std::string& name, unsigned registers) {
  std::string text;
  for (unsigned i = 0; i < registers; ++i) text += fmt::format("{}{}_{}", i ? ", " : "", name, i);
  return "{" + text + "}";
}

std::string zeroed(const std::string& name, unsigned registers, const char* type) {
  std::string text;
  for (unsigned i = 0; i < registers; ++i) text += fmt::format("  .reg .{} {}_{};\n", type, name, i);
  for (unsigned i = 0; i < registers; ++i) {
    const std::string_view of = type;
    if (of == "f64")
      text += fmt::format("  cvt.rn.f64.u32 {}_{}, %y;\n", name, i);
    else
      text += fmt::format("  mov.b32 {}_{}, %y;\n", name, i);
  }
  return text;
}

double cycles_of_products(Device& device, const MatrixForm& form, unsigned chains, unsigned warps) {
  TimedKernel kernel;
  kernel.header = fmt::format(".version 8.4\n.target {}", form.target);
  kernel.registers = "  .reg .b32 %sum, %n;\n";
  kernel.setup = zeroed("%a", form.a, form.in) + zeroed("%b", form.b, form.in);
  kernel.after = "  mov.b32 %sum, 0;\n";
  for (unsigned c = 0; c < chains; ++c) {
    const std::string name = fmt::format("%c{}", c);
    kernel.setup += zeroed(name, form.c, form.sum);
    for (unsigned i = 0; i < form.c; ++i) {
      const char* move = std::string_view(form.sum) == "f64" ? "cvt.rzi.u32.f64" : "mov.b32";
      kernel.after += fmt::format("  {} %n, {}_{};\n  xor.b32 %sum, %sum, %n;\n", move, name, i);
    }
  }
  for (unsigned i = 0; i < kMatrixSteps; ++i) {
    const std::string sum = register_list(fmt::format("%c{}", i % chains), form.c);
    kernel.body += fmt::format("  mma.sync.aligned.{} {}, {}, {}, {};\n", form.types, sum, register_list("%a", form.a),
                               register_list("%b", form.b), sum);
  }
  kernel.result = "%sum";
  constexpr unsigned kTrips = 32;  // so many that it counts for little that the last warp is alone at the end
  return run(device, kernel, {1, warps * 32, kTrips, 2, 0, 0, 0}).longest() / kTrips / kMatrixSteps;
}

}  // namespace

void add_tensor(std::vector<Microbenchmark>& all) {
  for (const MatrixForm& form : kMatrixForms) {
    all.push_back({fmt::format("latency.{}", form.name), "cycles",
                   "of one in a chain where each adds to the sums before it",
                   [&form](Device& device) { return cycles_of_products(device, form, 1, 1); }});
    all.push_back({fmt::format("rate.{}", form.name), "warp instructions/cycle/core",
                   "with 16 warps of four chains each",
                   [&form](Device& device) { return 16 / cycles_of_products(device, form, 4, 16); }});
  }
}

}  // namespace heddle::hardware

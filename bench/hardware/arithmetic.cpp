// Arithmetic: cycles from an instruction to one that needs its result, and instructions of a core per cycle.
#include <fmt/format.h>

#include <cctype>

#include "bench/hardware/microbenchmark.h"
#include "bench/hardware/timed_kernel.h"

namespace heddle::hardware {
namespace {

enum class Kind { Integer, Long, Single, Double };

struct Form {
  const char* name;
  Kind kind;
  // X and W: registers of the chain, Y and Z: values that do not change, P a predicate, F and D registers between.
  const char* text;
  unsigned instructions = 1;  // that the figure is shared by: one where the others are only on the way
  unsigned chains = 4;        // of a warp, for its rate
  unsigned steps = 256;       // in a trip
};

// Adds and logic are chains of two values, each made from both: of a chain of one value the assembler joins two steps
// to one instruction with three operands. Packed half precision goes to two pipes, chain by chain: of few chains the
// assembler puts those of one pipe first, and the other is idle.
constexpr Form kForms[] = {
    {"fma.f32", Kind::Single, "fma.rn.f32 X, X, Y, Z;"},
    {"add.f32", Kind::Single, "add.rn.f32 X, X, Y;"},
    {"mul.f32", Kind::Single, "mul.rn.f32 X, X, Y;"},
    {"fma.f64", Kind::Double, "fma.rn.f64 X, X, Y, Z;"},
    {"add.f64", Kind::Double, "add.rn.f64 X, X, Y;"},
    {"fma.f16x2", Kind::Integer, "fma.rn.f16x2 X, X, Y, Z;", 1, 16, 512},
    {"add.s32", Kind::Integer, "add.s32 X, X, W; add.s32 W, W, X;", 2},
    {"lop3.b32", Kind::Integer, "lop3.b32 X, X, W, Y, 0x96; lop3.b32 W, W, X, Z, 0x96;", 2},
    {"shl.b32", Kind::Integer, "shf.l.wrap.b32 X, X, W, Y; shf.l.wrap.b32 W, W, X, Y;", 2},
    {"mad.s32", Kind::Integer, "mad.lo.s32 X, X, Y, Z;"},
    {"mul.hi.u32", Kind::Integer, "mul.hi.u32 X, X, Y;"},
    {"add.s64", Kind::Long, "add.s64 X, X, W; add.s64 W, W, X;", 2},
    {"mul.s64", Kind::Long, "mul.lo.s64 X, X, Y;"},
    {"setp+selp", Kind::Integer, "setp.lt.s32 P, X, Y; selp.b32 X, Z, W, P;", 2},
    {"prmt.b32", Kind::Integer, "prmt.b32 X, X, Y, Z;"},
    {"popc.b32", Kind::Integer, "popc.b32 X, X;"},
    {"brev.b32", Kind::Integer, "brev.b32 X, X;"},
    {"cvt.f32.s32", Kind::Integer, "cvt.rn.f32.s32 F, X; cvt.rzi.s32.f32 X, F;", 2},
    {"cvt.f64.f32", Kind::Single, "cvt.f64.f32 D, X; cvt.rn.f32.f64 X, D;", 2},
    {"ex2.f32", Kind::Single, "ex2.approx.ftz.f32 X, X;"},
    {"rcp.f32", Kind::Single, "rcp.approx.ftz.f32 X, X; add.rn.f32 X, X, Y;", 2},
    {"rsqrt.f32", Kind::Single, "rsqrt.approx.ftz.f32 X, X;"},
    {"sin.f32", Kind::Single, "sin.approx.ftz.f32 X, X;"},
    {"div.rn.f32", Kind::Single, "div.rn.f32 X, X, Y;"},
    {"sqrt.rn.f32", Kind::Single, "sqrt.rn.f32 X, X;"},
    {"div.rn.f64", Kind::Double, "div.rn.f64 X, X, Y;"},
    {"sqrt.rn.f64", Kind::Double, "sqrt.rn.f64 X, X;"},
    {"div.s32", Kind::Integer, "div.s32 X, W, X; add.s32 X, X, Y;", 1},
    {"rem.u32", Kind::Integer, "rem.u32 X, W, X; add.s32 X, X, Y;", 1},
    {"shfl", Kind::Integer, "shfl.sync.bfly.b32 X, X, 1, 31, -1;"},
    {"vote", Kind::Integer, "setp.ne.s32 P, X, Y; vote.sync.ballot.b32 X, P, -1;", 1},
};

const char* type_of(Kind kind) {
  switch (kind) {
    case Kind::Integer: return "b32";
    case Kind::Long: return "b64";
    case Kind::Single: return "f32";
    case Kind::Double: return "f64";
  }
  return "";
}

// Y and Z as bits of a float: near one and small, so that a chain stays among ordinary numbers.
constexpr uint32_t kNearOne = 0x3F800001, kSmall = 0x3A800000;

// The values of chain `c`.
std::string start_of(Kind kind, unsigned c) {
  const auto text = [&](const char* how) { return fmt::format(fmt::runtime(how), fmt::arg("c", c)); };
  switch (kind) {
    case Kind::Integer: return text("  add.u32 %x{c}, %me, %y;\n  add.u32 %w{c}, %x{c}, %z;\n");
    case Kind::Long: return text("  add.u32 %n, %me, %y;\n  cvt.u64.u32 %x{c}, %n;\n  add.u64 %w{c}, %x{c}, 7;\n");
    case Kind::Single: return text("  add.u32 %n, %me, 1;\n  cvt.rn.f32.u32 %x{c}, %n;\n  mov.f32 %w{c}, %x{c};\n");
    case Kind::Double: return text("  add.u32 %n, %me, 1;\n  cvt.rn.f64.u32 %x{c}, %n;\n  mov.f64 %w{c}, %x{c};\n");
  }
  return "";
}

std::string constants_of(Kind kind) {
  switch (kind) {
    case Kind::Integer: return "  mov.b32 %cy, %y;\n  mov.b32 %cz, %z;\n";
    case Kind::Long: return "  cvt.u64.u32 %cy, %y;\n  cvt.u64.u32 %cz, %z;\n";
    case Kind::Single: return "  mov.b32 %cy, %y;\n  mov.b32 %cz, %z;\n";
    case Kind::Double:
      return "  mov.b32 %f0, %y;\n  cvt.f64.f32 %cy, %f0;\n  mov.b32 %f0, %z;\n  cvt.f64.f32 %cz, %f0;\n";
  }
  return "";
}

// All chains end in one number, so that none of them is dead.
std::string folded(Kind kind, unsigned chains) {
  std::string text = "  mov.u32 %sum, 0;\n";
  for (unsigned c = 0; c < chains; ++c)
    for (const char value : {'x', 'w'}) {
      switch (kind) {
        case Kind::Integer: text += fmt::format("  mov.b32 %n, %{}{};\n", value, c); break;
        case Kind::Long:  // both halves
          text += fmt::format("  mov.b64 {{%n, %high}}, %{}{};\n  xor.b32 %sum, %sum, %high;\n", value, c);
          break;
        case Kind::Single: text += fmt::format("  mov.b32 %n, %{}{};\n", value, c); break;
        case Kind::Double: text += fmt::format("  cvt.rzi.u32.f64 %n, %{}{};\n", value, c); break;
      }
      text += "  xor.b32 %sum, %sum, %n;\n";
    }
  return text;
}

// The text with the registers of a chain for its capitals, where these stand alone.
std::string step(const Form& form, unsigned chain) {
  static constexpr std::string_view kCapitals = "XWPFDYZ";
  static constexpr const char* kNames[] = {"%x{}", "%w{}", "%q{}", "%f{}", "%d{}", "%cy", "%cz"};
  std::string text = "  ";
  for (const char* c = form.text; *c; ++c) {
    const bool inside = c > form.text && (std::isalnum(static_cast<unsigned char>(c[-1])) || c[-1] == '.');
    const size_t which = inside ? std::string_view::npos : kCapitals.find(*c);
    text += which == std::string_view::npos ? std::string(1, *c) : fmt::format(fmt::runtime(kNames[which]), chain);
  }
  return text + "\n";
}

TimedKernel kernel_of(const Form& form, unsigned chains) {
  TimedKernel kernel;
  kernel.registers = fmt::format(
      "  .reg .{0} %x<{1}>, %w<{1}>, %cy, %cz;\n  .reg .f32 %f<{1}>;\n  .reg .f64 %d<{1}>;\n  .reg .pred %q<{1}>;\n"
      "  .reg .u32 %n, %high, %sum;\n",
      type_of(form.kind), chains);
  kernel.setup = constants_of(form.kind);
  for (unsigned c = 0; c < chains; ++c) kernel.setup += start_of(form.kind, c);
  const unsigned steps = form.steps / form.instructions;
  for (unsigned i = 0; i < steps; ++i) kernel.body += step(form, i % chains);
  kernel.result = "%sum";
  return kernel;
}

// The chains are folded behind the clock, in front of the end.
double cycles_of(Device& device, const Form& form, unsigned chains, unsigned warps, unsigned trips) {
  TimedKernel kernel = kernel_of(form, chains);
  kernel.after = folded(form.kind, chains);
  const bool real = form.kind == Kind::Single || form.kind == Kind::Double;
  const Times times = run(device, kernel, {1, warps * 32, trips, 2, 0, real ? kNearOne : 3, real ? kSmall : 5});
  return times.longest() / trips / (form.steps / form.instructions * form.instructions);
}

}  // namespace

void add_arithmetic(std::vector<Microbenchmark>& all) {
  for (const Form& form : kForms) {
    all.push_back({fmt::format("latency.{}", form.name), "cycles",
                   "of one in a chain where each needs the result before it",
                   [&form](Device& device) { return cycles_of(device, form, 1, 1, 8); }});
    all.push_back({fmt::format("rate.{}", form.name), "warp instructions/cycle/core",
                   fmt::format("with 32 warps of {} chains each", form.chains),
                   [&form](Device& device) { return 32 / cycles_of(device, form, form.chains, 32, 4); }});
  }
}

}  // namespace heddle::hardware

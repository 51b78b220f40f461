// Local memory: what is a thread's own lies word by word beside that of its neighbours, so that lanes which touch
// different words of theirs touch different lines, and parts of sectors.
#include <fmt/format.h>

#include "bench/hardware/microbenchmark.h"
#include "bench/hardware/timed_kernel.h"

namespace heddle::hardware {
namespace {

struct Pattern {
  bool load, store;  // both: what is loaded is stored one larger
  unsigned words;    // of an array of each thread, which lanes go to in turn; a power of two
  const char* type = "u32";
};

constexpr unsigned kSteps = 16, kRounds = 16;

// The place in the array moves on by one from step to step, and from lane to lane by three.
std::string step_of(const Pattern& p, unsigned step) {
  std::string text =
      fmt::format("  add.u32 %n, %turn, {};\n  and.b32 %n, %n, {};\n  shl.b32 %n, %n, 2;\n  add.u32 %a, %n, %own;\n",
                  step, p.words - 1);
  if (p.load) text += fmt::format("  ld.local.{} %v{}, [%a];\n", p.type, step);
  if (p.load && p.store) text += fmt::format("  add.u32 %v{0}, %v{0}, 1;\n", step);
  if (p.store) text += fmt::format("  st.local.{} [%a], {};\n", p.type, p.load ? fmt::format("%v{}", step) : "%me");
  return text;
}

TimedKernel kernel_of_local(const Pattern& p) {
  TimedKernel kernel;
  kernel.registers = fmt::format("  .local .align 16 .b8 own[{}];\n  .reg .u32 %own, %a, %n, %turn, %sum, %v<{}>;\n",
                                 4 * p.words, kSteps);
  kernel.setup = "  mov.u32 %own, own;\n  mul.lo.u32 %turn, %me, %y;\n  mov.u32 %sum, 0;\n";
  kernel.setup += repeated(kSteps, "  mov.u32 %v@, 0;\n");
  for (unsigned i = 0; i < p.words; ++i) kernel.setup += fmt::format("  st.local.u32 [own+{}], %z;\n", 4 * i);
  for (unsigned i = 0; i < kSteps; ++i) kernel.body += step_of(p, i);
  if (p.load) kernel.body += repeated(kSteps, "  xor.b32 %sum, %sum, %v@;\n");
  kernel.body += "  add.u32 %turn, %turn, 5;\n";
  kernel.after = "  ld.local.u32 %n, [own];\n  xor.b32 %sum, %sum, %n;\n";
  kernel.result = "%sum";
  return kernel;
}

// Cycles of a core for each step of a warp.
double local_cycles(Device& device, const Pattern& p) {
  constexpr unsigned kWarps = 32;
  return run(device, kernel_of_local(p), {1, kWarps * 32, kRounds, 2, 0}).longest() / (kRounds * kSteps * kWarps);
}

}  // namespace

void add_local_memory(std::vector<Microbenchmark>& all) {
  const auto add = [&](const char* name, const char* meaning, const Pattern& p) {
    all.push_back({name, "cycles/warp instruction", meaning, [p](Device& d) { return local_cycles(d, p); }});
  };
  add("local.load.16", "of a core, lanes on 16 words of theirs, loads that hit", {true, false, 16});
  add("local.load.32", "the same, on 32", {true, false, 32});
  add("local.store.bytes", "of a core, lanes on 4 words of theirs, stores of a byte", {false, true, 4, "u8"});
  add("local.store.16", "the same on 16, stores of words", {false, true, 16});
  add("local.store.32", "the same, on 32", {false, true, 32});
  add("local.add.16", "a load and a store of a core, lanes on 16 words of theirs", {true, true, 16});
}

}  // namespace heddle::hardware

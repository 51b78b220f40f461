// Atomic operations, on one address and on many.
#include <fmt/format.h>

#include "bench/hardware/microbenchmark.h"
#include "bench/hardware/timed_kernel.h"

namespace heddle::hardware {
namespace {

// A chain: what comes back (nothing but zeros is added) is part of the next address.
double atomic_latency(Device& device, bool shared, const char* operation = "add.u32 %old, [%s], 0") {
  TimedKernel kernel;
  kernel.registers = "  .reg .u64 %a;\n  .reg .u32 %s, %old;\n";
  if (shared) {
    kernel.variables = ".shared .align 16 .b8 array[4096];";
    kernel.setup =
        "  mov.u32 %s, array;\n  mad.lo.u32 %s, %me, 4, %s;\n  mov.u32 %old, 0;\n  st.shared.u32 [%s], %old;\n";
    kernel.body = repeated(64, fmt::format("  atom.shared.{};\n  add.u32 %s, %s, %old;\n", operation));
  } else {
    kernel.setup = "  mul.wide.u32 %a, %me, 4;\n  add.u64 %a, %data, %a;\n  mov.u32 %old, 0;\n";
    kernel.body = repeated(
        64, "  atom.global.add.u32 %old, [%a], %old;\n  mul.wide.u32 %wide, %old, 4;\n  add.u64 %a, %a, %wide;\n");
  }
  kernel.result = "%old";
  const Address data = device.allocate(4096, "data");
  const double cycles = run(device, kernel, {1, 1024 / 32, 4, 2, data}).longest();
  device.free(data);
  return cycles / (4 * 64);
}

// Operations (lanes) per cycle of all cores. A lane's address: thread * each + warp * per_warp. Both come as arguments:
// where the assembler sees that all lanes go to one address, it makes one operation of them. Which slices of the L2
// have the most to do depends on where the data happens to lie: the mean of `places`.
double global_rate(Device& device, unsigned each, unsigned per_warp, unsigned places) {
  constexpr unsigned kTrips = 4, kUnroll = 8, kThreads = 256;
  const unsigned blocks = cores_of(device);
  TimedKernel kernel;
  kernel.registers = "  .reg .u64 %a;\n  .reg .u32 %n;\n";
  kernel.setup =
      "  mul.wide.u32 %a, %thread, %y;\n  add.u64 %a, %data, %a;\n  shr.u32 %n, %thread, 5;\n"
      "  mul.wide.u32 %wide, %n, %z;\n  add.u64 %a, %a, %wide;\n";
  kernel.body = repeated(kUnroll, "  red.global.add.u32 [%a], %trips;\n");
  kernel.result = "%n";
  const size_t bytes = size_t{blocks} * kThreads * 32;
  const Address data = device.allocate(bytes * places, "data");
  double cycles = 0;
  for (unsigned place = 0; place < places; ++place)
    cycles += run(device, kernel, {blocks, kThreads, kTrips, 2, data + place * bytes, each, per_warp}).longest();
  device.free(data);
  return double{kTrips} * kUnroll * kThreads * blocks * places / cycles;
}

// Cycles of a core per warp instruction, the lanes `stride` words apart. Trips enough that their begin and end, and the
// wait of the first for all others, count for little.
double shared_cycles(Device& device, unsigned stride) {
  TimedKernel kernel;
  kernel.variables = ".shared .align 16 .b8 array[4096];";
  kernel.registers = "  .reg .u32 %s, %old<8>;\n";
  kernel.setup = "  mov.u32 %s, array;\n  and.b32 %old0, %me, 31;\n  mad.lo.u32 %s, %old0, %y, %s;\n";
  kernel.body = repeated(8, "  atom.shared.add.u32 %old@, [%s], %z;\n");
  kernel.result = "%old0";
  for (unsigned i = 1; i < 8; ++i) kernel.after += fmt::format("  xor.b32 %old0, %old0, %old{};\n", i);
  constexpr unsigned kTrips = 64;
  return run(device, kernel, {1, 512, kTrips, 2, 0, 4 * stride}).longest() / (kTrips * 8 * 16);
}

}  // namespace

void add_atomics(std::vector<Microbenchmark>& all) {
  const auto add = [&](const char* name, const char* unit, const char* meaning, std::function<double(Device&)> how) {
    all.push_back({name, unit, meaning, std::move(how)});
  };
  add("atomic.shared.latency", "cycles", "of one whose address needs the one before; a word per lane",
      [](Device& d) { return atomic_latency(d, true); });
  add("atomic.shared.cas", "cycles", "the same of exchanges on condition",
      [](Device& d) { return atomic_latency(d, true, "cas.b32 %old, [%s], 1, 0"); });
  add("atomic.shared.apart", "cycles/warp instruction", "of a core, a word per lane",
      [](Device& d) { return shared_cycles(d, 1); });
  add("atomic.shared.one", "cycles/warp instruction", "of a core, all lanes on one word",
      [](Device& d) { return shared_cycles(d, 0); });
  add("atomic.global.latency", "cycles", "of one whose address needs the one before; a word per lane",
      [](Device& d) { return atomic_latency(d, false); });
  add("atomic.global.apart", "lanes/cycle", "of all cores, a word per thread",
      [](Device& d) { return global_rate(d, 4, 0, 16); });
  add("atomic.global.sectors", "lanes/cycle", "of all cores, a sector per thread",
      [](Device& d) { return global_rate(d, 32, 0, 4); });
  add("atomic.global.warps", "lanes/cycle", "of all cores, a word per warp, in lines of their own",
      [](Device& d) { return global_rate(d, 0, 128, 16); });
  add("atomic.global.one", "lanes/cycle", "of all cores, one word", [](Device& d) { return global_rate(d, 0, 0, 1); });
}

}  // namespace heddle::hardware

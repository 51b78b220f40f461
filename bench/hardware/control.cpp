// Control: branches, barriers and blocks.
#include <fmt/format.h>

#include "bench/hardware/microbenchmark.h"
#include "bench/hardware/timed_kernel.h"

namespace heddle::hardware {
namespace {

double barrier(Device& device, unsigned threads) {
  TimedKernel kernel;
  kernel.body = repeated(32, "  bar.sync 0;\n");
  kernel.result = "%y";
  return run(device, kernel, {1, threads, 8, 2, 0}).longest() / (8 * 32);
}

// A loop of one multiply-add, its count and its branch.
double trip(Device& device, unsigned warps) {
  TimedKernel kernel;
  kernel.registers = "  .reg .u32 %sum;\n";
  kernel.setup = "  mov.u32 %sum, %me;\n";
  kernel.body = "  mad.lo.u32 %sum, %sum, %y, %z;\n";
  kernel.result = "%sum";
  return run(device, kernel, {1, warps * 32, 2048, 2, 0}).longest() / 2048;
}

// Both sides of a branch on the lane, each long enough not to be predicated.
double diverge(Device& device) {
  TimedKernel kernel;
  kernel.registers = "  .reg .u32 %sum, %odd;\n  .reg .pred %side;\n";
  kernel.setup = "  mov.u32 %sum, %me;\n";
  constexpr unsigned kSteps = 32;
  kernel.body = "  and.b32 %odd, %sum, 1;\n  setp.eq.u32 %side, %odd, 0;\n  @%side bra ODD;\n" +
                repeated(kSteps, "  mad.lo.u32 %sum, %sum, %y, %z;\n") + "  bra JOIN;\nODD:\n" +
                repeated(kSteps, "  mad.lo.u32 %sum, %sum, %z, %y;\n") + "JOIN:\n";
  kernel.result = "%sum";
  return run(device, kernel, {1, 32, 256, 2, 0}).longest() / 256;
}

// Straight code that was not there yet.
double fetch(Device& device, unsigned blocks) {
  constexpr unsigned kInstructions = 4096;
  TimedKernel kernel;
  kernel.registers = "  .reg .u32 %x<8>;\n";
  for (unsigned i = 0; i < 8; ++i) kernel.setup += fmt::format("  add.u32 %x{}, %me, {};\n", i, i);
  for (unsigned i = 0; i < kInstructions; ++i)
    kernel.body += fmt::format("  mad.lo.u32 %x{0}, %x{0}, %y, %z;\n", i % 8);
  for (unsigned i = 1; i < 8; ++i) kernel.after += fmt::format("  xor.b32 %x0, %x0, %x{};\n", i);
  kernel.result = "%x0";
  return run(device, kernel, {blocks, 32, 1, 1, 0}).longest() / kInstructions;
}

// Many more blocks than fit at once, each of which ends at once.
double block_interval(Device& device, unsigned threads) {
  TimedKernel kernel;
  kernel.result = "%y";
  const unsigned blocks = cores_of(device) * 64;
  const Times times = run(device, kernel, {blocks, threads, 1, 1, 0});
  return times.of_starts() * (threads / 32);
}

}  // namespace

void add_control(std::vector<Microbenchmark>& all) {
  for (const unsigned threads : {32, 64, 256, 1024})
    all.push_back({fmt::format("barrier.{}", threads), "cycles", fmt::format("of a barrier of {} threads", threads),
                   [threads](Device& device) { return barrier(device, threads); }});
  all.push_back({"branch.trip", "cycles", "of a loop of one multiply-add, one warp",
                 [](Device& device) { return trip(device, 1); }});
  all.push_back({"branch.trip.full", "cycles", "the same, 32 warps", [](Device& device) { return trip(device, 32); }});
  all.push_back({"branch.diverge", "cycles", "of 32 multiply-adds on each side of a branch on the lane, one warp",
                 [](Device& device) { return diverge(device); }});
  all.push_back({"fetch.one", "cycles/instruction", "of straight code that runs for the first time, one warp",
                 [](Device& device) { return fetch(device, 1); }});
  all.push_back({"fetch.all", "cycles/instruction", "the same, a warp on every core",
                 [](Device& device) { return fetch(device, cores_of(device)); }});
  for (const unsigned threads : {32, 256, 1024})
    all.push_back({fmt::format("block.interval.{}", threads), "cycles",
                   fmt::format("between blocks of {} threads that a core starts", threads),
                   [threads](Device& device) { return block_interval(device, threads); }});
}

}  // namespace heddle::hardware

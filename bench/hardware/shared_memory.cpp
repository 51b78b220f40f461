// Shared memory: how far away it is, what it delivers, and what conflicts cost.
#include <fmt/format.h>

#include "bench/hardware/microbenchmark.h"
#include "bench/hardware/timed_kernel.h"

namespace heddle::hardware {
namespace {

constexpr unsigned kBytes = 32768;
const std::string kArray = fmt::format(".shared .align 16 .b8 array[{}];", kBytes);

// Every word holds its own address, so that a load leads to itself.
double load_latency(Device& device) {
  TimedKernel kernel;
  kernel.variables = kArray;
  kernel.registers = "  .reg .u32 %p, %base;\n";
  kernel.setup = "  mov.u32 %base, array;\n  mad.lo.u32 %p, %me, 4, %base;\n  st.shared.u32 [%p], %p;\n";
  kernel.body = repeated(256, "  ld.shared.u32 %p, [%p];\n");
  kernel.result = "%p";
  return run(device, kernel, {1, 32, 8, 2, 0}).longest() / (8 * 256);
}

// Cycles of a core per warp instruction, the lanes `stride` words apart.
double cycles(Device& device, const std::string& access, unsigned words, unsigned stride) {
  TimedKernel kernel;
  kernel.variables = kArray;
  kernel.registers = "  .reg .u32 %p, %base, %sum;\n  .reg .b32 %v<4>, %a<16>, %b<16>, %c<16>, %d<16>;\n";
  kernel.setup = fmt::format(
      "  mov.u32 %base, array;\n  and.b32 %p, %me, 31;\n  mul.lo.u32 %p, %p, {};\n  add.u32 %p, %p, %base;\n"
      "  mov.u32 %sum, 0;\n  mov.b32 %v0, %me;\n  mov.b32 %v1, %me;\n  mov.b32 %v2, %me;\n  mov.b32 %v3, %me;\n",
      4 * stride * words);
  kernel.body = repeated(16, access);
  kernel.result = "%sum";
  constexpr unsigned kTrips = 32, kThreads = 512;
  return run(device, kernel, {1, kThreads, kTrips, 2, 0}).longest() / (kTrips * 16 * (kThreads / 32));
}

// Registers of PTX are as many as one likes: each load has its own, so that none waits for the one before.
std::string load(unsigned words) {
  switch (words) {
    case 2: return "  ld.volatile.shared.v2.u32 {%a@, %b@}, [%p];\n  xor.b32 %sum, %sum, %a@;\n";
    case 4: return "  ld.volatile.shared.v4.u32 {%a@, %b@, %c@, %d@}, [%p];\n  xor.b32 %sum, %sum, %a@;\n";
    default: return "  ld.volatile.shared.u32 %a@, [%p];\n  xor.b32 %sum, %sum, %a@;\n";
  }
}

}  // namespace

void add_shared_memory(std::vector<Microbenchmark>& all) {
  all.push_back({"shared.latency", "cycles", "of a load whose address is the result of the one before", load_latency});
  for (const unsigned words : {1, 2, 4})
    all.push_back({fmt::format("shared.load.b{}", 32 * words), "cycles/warp instruction",
                   "of a core, lanes side by side",
                   [words](Device& device) { return cycles(device, load(words), words, 1); }});
  for (const unsigned stride : {2, 4, 8, 16, 32})
    all.push_back({fmt::format("shared.load.stride{}", stride), "cycles/warp instruction",
                   fmt::format("of a core, lanes {} words apart", stride),
                   [stride](Device& device) { return cycles(device, load(1), 1, stride); }});
  all.push_back({"shared.store.b32", "cycles/warp instruction", "of a core, lanes side by side",
                 [](Device& device) { return cycles(device, "  st.volatile.shared.u32 [%p], %v0;\n", 1, 1); }});
  all.push_back({"shared.store.b128", "cycles/warp instruction", "of a core, lanes side by side", [](Device& device) {
                   return cycles(device, "  st.volatile.shared.v4.u32 [%p], {%v0, %v1, %v2, %v3};\n", 4, 1);
                 }});
}

}  // namespace heddle::hardware

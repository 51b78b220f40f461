#include "runtime/machine_facts.h"

#include "core/occupancy.h"

namespace heddle::runtime {

Machine machine_of(Gpu& gpu) {
  const auto value = [&](std::string_view key) { return static_cast<uint32_t>(gpu.config().integer(key)); };
  Machine machine;
  machine.memory_capacity = gpu.memory().capacity();
  machine.cores = value("cores");
  machine.warp_size = value("warp_size");
  machine.core_threads = value("core_threads");
  machine.core_blocks = value("core_blocks");
  machine.core_registers = value("core_registers");
  machine.core_shared = value("core_shared");
  machine.core_clock = value("core_clock");
  machine.memory_clock = value("memory_clock");
  machine.memory_bus_bits = value("channels") * value("dram_bytes_per_cycle") * 8;
  machine.l2_bytes = value("channels") * value("l2_bytes");
  machine.timed = gpu.options().timed ? 1 : 0;
  return machine;
}

std::vector<std::string_view> keys_shown() {
  return {"cores",      "warp_size",    "core_threads", "core_blocks",          "core_registers", "core_shared",
          "core_clock", "memory_clock", "channels",     "dram_bytes_per_cycle", "l2_bytes"};
}

KernelFacts facts_of(const Kernel& kernel, const Config& config) {
  KernelFacts facts;
  facts.parameter_bytes = kernel.parameter_bytes;
  facts.static_shared = kernel.static_shared;
  facts.max_threads = kernel.max_threads;
  facts.registers = registers_taken(kernel, config);
  facts.local_bytes = kernel.functions.front().frame_bytes;
  return facts;
}

double cycle_seconds(const Gpu& gpu) { return 1e-6 / static_cast<double>(gpu.config().integer("core_clock")); }

double simulated_seconds(const Gpu& gpu, const KernelStats& launch) {
  const uint64_t cycles = launch.timing ? launch.timing->cycles : launch.issue_slots;
  return static_cast<double>(cycles) * cycle_seconds(gpu);
}

}  // namespace heddle::runtime

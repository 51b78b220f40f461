#include "runtime/machine_facts.h"

#include <fmt/format.h>

#include "core/occupancy.h"

namespace heddle::runtime {
namespace {

std::string name_of(const Config& config) {
  const std::string& name = config.text("card_name");
  return name.empty() ? fmt::format("Heddle ({} cores)", config.integer("cores")) : name;
}

}  // namespace

Machine machine_of(Gpu& gpu) {
  const auto value = [&](std::string_view key) { return static_cast<uint32_t>(gpu.config().integer(key)); };
  const auto or_else = [](uint32_t said, uint32_t derived) { return said > 0 ? said : derived; };
  Machine machine;
  name_of(gpu.config()).copy(machine.name, sizeof machine.name - 1);
  machine.capability = value("card_capability");
  machine.memory_bytes = static_cast<uint64_t>(gpu.config().integer("card_memory"));
  machine.memory_capacity = gpu.memory().capacity();
  machine.cores = value("cores");
  machine.warp_size = value("warp_size");
  machine.core_threads = value("core_threads");
  machine.core_blocks = value("core_blocks");
  machine.core_registers = value("core_registers");
  machine.core_shared = value("core_shared");
  machine.shared_reserved = value("shared_reserved");
  machine.core_clock = value("core_clock");
  machine.memory_clock = or_else(value("card_memory_clock"), value("memory_clock"));
  machine.memory_bus_bits = or_else(value("card_bus_bits"), value("channels") * value("dram_bytes_per_cycle") * 8);
  machine.l2_bytes = or_else(value("card_l2_bytes"), value("channels") * value("l2_bytes"));
  machine.timed = gpu.options().timed ? 1 : 0;
  machine.launches = static_cast<uint32_t>(most_in_flight(gpu));
  return machine;
}

std::vector<std::string_view> keys_shown() {
  std::vector<std::string_view> keys = {"cores",           "warp_size",   "core_threads",         "core_blocks",
                                        "core_registers",  "core_shared", "core_clock",           "memory_clock",
                                        "shared_reserved", "channels",    "dram_bytes_per_cycle", "l2_bytes"};
  for (const Key& key : card_keys()) keys.push_back(key.name);
  return keys;
}

size_t most_in_flight(const Gpu& gpu) {
  const bool several = gpu.options().timed && !gpu.one_at_a_time();
  return several ? static_cast<size_t>(gpu.config().integer("launches")) : 1;
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

uint64_t simulated_cycles(const KernelStats& launch) {
  return launch.timing ? launch.timing->cycles : launch.issue_slots;
}

}  // namespace heddle::runtime

#include "gpu/machine_keys.h"

#include <fstream>
#include <iterator>
#include <optional>

#include "base/error.h"
#include "core/core_parameters.h"
#include "divergence/registry.h"
#include "gpu/key_owners.h"
#include "gpu/presets.h"
#include "memory/memory_system.h"
#include "schedule/registry.h"

namespace heddle {

namespace {

using enum Key::Kind;

constexpr Key kMachineKeys[] = {
    {"cores", Integer, "1", "cores (SMs) of the GPU; emulation runs on one", "1 1024"},
    {"max_slots", Integer, "10000000000", "issue slots after which a launch is given up; 0: never", ""},
    {"spin_limit", Integer, "4000000",
     "issue slots in which no thread comes to anything new, after which a launch is given up; 0: never", ""},
};

constexpr Key kClockKeys[] = {
    {"core_clock", Integer, "1000", "MHz of the cores", "1 100000"},
    {"network_clock", Integer, "1000", "MHz of the network and the L2", "1 100000"},
    {"memory_clock", Integer, "1000", "MHz of the DRAM", "1 100000"},
    {"launch_overhead", Integer, "0", "core cycles before the first block of a launch starts", "0 1000000000"},
    {"block_interval", Integer, "0",
     "core cycles from a block that a core is given to its next; 0: as many as fit at once", "0 1000000"},
    {"block_clock", Integer, "0",
     "MHz at which the GPU hands out blocks, one in a cycle, whichever core gets it; 0: as many as fit at once",
     "0 100000"},
    {"block_end_clock", Integer, "0",
     "MHz at which the GPU puts away blocks that have ended, one in a cycle, whichever core had it; its place is free "
     "then; 0: at once; needs a block_clock",
     "0 100000"},
    {"block_latency", Integer, "0", "core cycles from a block that a core is given to its first warp", "0 1000000"},
    {"launch_drain", Integer, "0", "core cycles from the end of the last block to that of the launch", "0 1000000000"},
    {"launch_flush", Integer, "0", "core cycles more, where the launch has touched global or local memory",
     "0 1000000000"},
    {"launches", Integer, "1",
     "launches of a CUDA program in flight at once, of streams that allow it; each core has one of them", "1 1024"},
    {"launch_caches", Choice, "warm", "what a launch finds in the L2: what those before it left, or nothing",
     "warm cold"},
    {"launch_code", Choice, "memory",
     "where a launch finds its code: in memory, or brought into the L2 before it starts", "memory l2"},
    {"max_cycles", Integer, "0", "core cycles after which a launch is given up; 0: never", ""},
    {"stall_limit", Integer, "1000000", "core cycles without an instruction after which a launch is given up; 0: never",
     ""},
};

constexpr Key kCardKeys[] = {
    {"card_name", Text, "", "what the device is called; empty: Heddle and its number of cores", ""},
    {"card_capability", Integer, "75", "its compute capability: 75 is 7.5", "10 999"},
    {"card_memory", Integer, "17179869184", "bytes of its memory", "268435456 274877906944"},
    {"card_memory_clock", Integer, "0", "MHz of its memory as its driver has it; 0: memory_clock", "0 100000"},
    {"card_bus_bits", Integer, "0", "width of its memory's bus; 0: channels x dram_bytes_per_cycle x 8", "0 1000000"},
    {"card_l2_bytes", Integer, "0", "bytes of its L2 as its driver has it; 0: channels x l2_bytes", "0 1073741824"},
};

constexpr Key kEmulationKeys[] = {
    {kInterleaveKey, Boolean, "false", "emulation: one instruction at a time, chosen by the scheduler", ""},
    {"resident_blocks", Integer, "1024",
     "emulation: blocks that may be resident where those of a core do not end, so that who waits for others gets on",
     "1 65535"},
};

std::string joined_names() {
  std::string names;
  for (const SchedulerRow& row : schedulers()) names += (names.empty() ? "" : " ") + std::string(row.name);
  return names;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ExitCode::Usage, "cannot read the preset file '" + path + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::span<const Key> machine_keys() { return kMachineKeys; }
std::span<const Key> clock_keys() { return kClockKeys; }
std::span<const Key> card_keys() { return kCardKeys; }
std::span<const Key> emulation_keys() { return kEmulationKeys; }

std::span<const Key> schedule_keys() {
  static const std::string names = joined_names();
  static const Key keys[] = {
      {kScheduleKey, Choice, "rr", "which warp is issued next, unless the mechanism has a block_priority", names}};
  return keys;
}

Config make_config() {
  std::vector<Key> keys;
  for (const KeyGroup& group : key_groups()) keys.insert(keys.end(), group.keys.begin(), group.keys.end());
  return Config(std::move(keys));
}

Config make_config(std::string_view preset, std::span<const std::string> assignments) {
  Config config = make_config();
  if (preset.ends_with(".toml"))
    config.load_toml(read_file(std::string(preset)), preset);
  else
    config.load_toml(preset_named(preset).toml, preset);
  for (const std::string& assignment : assignments) config.set(assignment);
  check_machine(config);
  return config;
}

void check_machine(const Config& config) {
  if (config.integer("block_clock") > 0 && config.integer("block_interval") > 0)
    throw Error(ExitCode::Usage, "block_clock and block_interval: one of them must be 0");
  if (config.integer("block_end_clock") > 0 && config.integer("block_clock") == 0)
    throw Error(ExitCode::Usage, "block_end_clock needs a block_clock");
  CoreParameters::from(config);
  const MemoryParameters memory = MemoryParameters::from(config);
  const Clocks clocks = clocks_of(config);
  // To build one takes a millisecond, and who plans thousands of runs asks again and again about the same.
  thread_local std::optional<MemoryParameters> good;
  if (good == memory) return;
  const MemorySystem refuses(memory, clocks, 1);  // its parts do, what cannot be
  good = memory;
}

std::string_view usual_schedule_key(std::string_view mechanism) {
  return mechanism_named(mechanism).by_block ? kBlockPriorityKey : kScheduleKey;
}

std::string usual_schedule(const Config& config, std::string_view mechanism) {
  return config.text(usual_schedule_key(mechanism));
}

Clocks clocks_of(const Config& config) {
  const auto mhz = [&](std::string_view key) { return static_cast<uint64_t>(config.integer(key)); };
  return Clocks::of(mhz("core_clock"), mhz("network_clock"), mhz("memory_clock"));
}

}  // namespace heddle

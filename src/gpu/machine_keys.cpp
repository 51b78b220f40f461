#include "gpu/machine_keys.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "base/nearest.h"
#include "core/core_parameters.h"
#include "divergence/registry.h"
#include "memory/memory_system.h"
#include "schedule/registry.h"

namespace heddle {

namespace presets {
std::string_view default_toml();
std::string_view tbc_hpca11_toml();
std::string_view capri_isca12_toml();
std::string_view slp_isca13_toml();
std::string_view large_warp_2010_toml();
std::string_view tiny_toml();
}  // namespace presets

namespace {

using enum Key::Kind;

constexpr Key kMachineKeys[] = {
    {"cores", Integer, "1", "cores (SMs) of the GPU; emulation runs on one", "1 1024"},
    {"core_clock", Integer, "1000", "MHz of the cores", "1 100000"},
    {"network_clock", Integer, "1000", "MHz of the network and the L2", "1 100000"},
    {"memory_clock", Integer, "1000", "MHz of the DRAM", "1 100000"},
    {"launch_overhead", Integer, "0", "core cycles before the first block of a launch starts", "0 1000000000"},
    {"interleave", Boolean, "false", "emulation: one instruction at a time, chosen by the scheduler", ""},
    {"max_slots", Integer, "10000000000", "issue slots after which a launch is given up; 0: never", ""},
    {"max_cycles", Integer, "0", "core cycles after which a launch is given up; 0: never", ""},
    {"spin_limit", Integer, "4000000",
     "issue slots in which no thread comes to anything new, after which a launch is given up; 0: never", ""},
    {"stall_limit", Integer, "1000000", "core cycles without an instruction after which a launch is given up; 0: never",
     ""},
    {"check_init", Boolean, "false", "report reads of shared memory that nobody has written", ""},
};

constexpr Preset kPresets[] = {
    {"default", "a roomy core of today: 2048 threads, 64 k registers, 228 kB shared memory", &presets::default_toml},
    {"tbc-hpca11", "Thread Block Compaction, HPCA 2011: 30 cores of 1024 threads, 32/8 lanes",
     &presets::tbc_hpca11_toml},
    {"capri-isca12", "CAPRI, ISCA 2012: 30 cores of 1024 threads, 32/32 lanes", &presets::capri_isca12_toml},
    {"slp-isca13", "SIMD Lane Permutation, ISCA 2013: as capri-isca12", &presets::slp_isca13_toml},
    {"large-warp-2010", "Large Warps and two-level scheduling, 2010: one core, strict barrel",
     &presets::large_warp_2010_toml},
    {"tiny", "a core small enough to follow by hand: warps of 4, 64 threads", &presets::tiny_toml},
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

std::span<const Preset> all_presets() { return kPresets; }

Config make_config() {
  std::vector<Key> keys(std::begin(kMachineKeys), std::end(kMachineKeys));
  for (std::span<const Key> more : {CoreParameters::keys(), MemoryParameters::keys()})
    keys.insert(keys.end(), more.begin(), more.end());
  const auto add = [&](std::span<const Key> more) {
    for (const Key& key : more) {
      const bool known =
          std::any_of(keys.begin(), keys.end(), [&](const Key& other) { return other.name == key.name; });
      if (!known) keys.push_back(key);
    }
  };
  static const std::string names = joined_names();
  keys.push_back(
      {"schedule", Choice, "rr", "which warp is issued next, unless the mechanism has a block_priority", names});
  for (const MechanismRow& row : mechanisms()) add(row.keys);
  for (const SchedulerRow& row : schedulers()) add(row.keys);
  return Config(std::move(keys));
}

Config make_config(std::string_view preset, std::span<const std::string> assignments) {
  Config config = make_config();
  if (preset.ends_with(".toml")) {
    const std::string path(preset);
    config.load_toml(read_file(path), path);
  } else {
    std::vector<std::string_view> names;
    const Preset* chosen = nullptr;
    for (const Preset& each : kPresets) {
      names.push_back(each.name);
      if (each.name == preset) chosen = &each;
    }
    if (!chosen)
      throw Error(ExitCode::Usage, "no preset '" + std::string(preset) + "'" + did_you_mean(preset, names) + " (" +
                                       joined(names) + ", or a .toml file)");
    config.load_toml(chosen->toml(), chosen->name);
  }
  for (const std::string& assignment : assignments) config.set(assignment);
  check_machine(config);
  return config;
}

void check_machine(const Config& config) {
  CoreParameters::from(config);
  MemorySystem(MemoryParameters::from(config), clocks_of(config), 1);  // its parts refuse what cannot be
}

std::string usual_schedule(const Config& config, std::string_view mechanism) {
  const std::span<const Key> keys = mechanism_named(mechanism).keys;
  const bool by_block =
      std::any_of(keys.begin(), keys.end(), [](const Key& key) { return key.name == "block_priority"; });
  return config.text(by_block ? "block_priority" : "schedule");
}

Clocks clocks_of(const Config& config) {
  const auto mhz = [&](std::string_view key) { return static_cast<uint64_t>(config.integer(key)); };
  return Clocks::of(mhz("core_clock"), mhz("network_clock"), mhz("memory_clock"));
}

}  // namespace heddle

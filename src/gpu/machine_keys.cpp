#include "gpu/machine_keys.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "base/nearest.h"
#include "divergence/registry.h"

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

constexpr Key kMachineKeys[] = {
    {"warp_size", Key::Kind::Choice, "32", "threads of a warp", "2 4 8 16 32"},
    {"cores", Key::Kind::Integer, "1", "cores (SMs) of the GPU; emulation runs on one", "1 1024"},
    {"core_threads", Key::Kind::Integer, "2048", "threads resident on a core", "32 32768"},
    {"core_blocks", Key::Kind::Integer, "32", "blocks resident on a core", "1 1024"},
    {"core_registers", Key::Kind::Integer, "65536", "32-bit registers of a core", "1024 16777216"},
    {"core_shared", Key::Kind::Integer, "233472", "bytes of shared memory of a core", "0 268435456"},
    {"interleave", Key::Kind::Boolean, "false", "emulation: one instruction at a time, chosen by the scheduler", ""},
    {"max_slots", Key::Kind::Integer, "10000000000", "issue slots after which a launch is given up; 0: never", ""},
    {"check_init", Key::Kind::Boolean, "false", "report reads of shared memory that nobody has written", ""},
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

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ExitCode::Usage, "cannot read the preset file '" + path + "'");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::span<const Preset> all_presets() { return kPresets; }

Config make_config() {
  std::vector<Key> keys(std::begin(kMachineKeys), std::end(kMachineKeys));
  for (const MechanismRow& row : mechanisms())
    for (const Key& key : row.keys) {
      const bool known =
          std::any_of(keys.begin(), keys.end(), [&](const Key& other) { return other.name == key.name; });
      if (!known) keys.push_back(key);
    }
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
  return config;
}

CoreLimits core_limits(const Config& config) {
  const auto value = [&](std::string_view key) { return static_cast<unsigned>(config.integer(key)); };
  return {value("core_threads"), value("core_blocks"), value("core_registers"), value("core_shared")};
}

}  // namespace heddle

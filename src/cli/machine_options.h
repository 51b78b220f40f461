// The options that run and compare share: which machine, what to print.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "config/config.h"
#include "gpu/gpu_options.h"

namespace heddle::cli {

struct MachineOptions {
  std::string lanes = "none", schedule, preset = "default", json, size = "small", compiler = "nvcc";
  std::vector<std::string> assignments;
  std::string max_slots, max_cycles;
  bool emulate = false, quiet = false, check_init = false, taint = false, scores = false;
  std::vector<CLI::Option*> of_clock;  // options that need the cycle-level machine

  void declare(CLI::App& command);
  // Preset, then --set, then --max-slots, --max-cycles and --check-init. Error (Usage) for options that do not go
  // together, and for values that contradict each other.
  Config config() const;
  GpuOptions gpu_options(const std::string& mechanism, const volatile bool* stop) const;
  std::string words() const;  // what chooses the same machine again
};

}  // namespace heddle::cli

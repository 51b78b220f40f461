// The options that run and compare share: which machine, what to print.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "config/config.h"

namespace heddle::cli {

struct MachineOptions {
  std::string lanes = "none", schedule = "rr", preset = "default", json, size = "small";
  std::vector<std::string> assignments;
  std::string max_slots;
  bool emulate = false, quiet = false, check_init = false;

  void declare(CLI::App& command);
  Config config() const;  // preset, then --set, then --max-slots and --check-init
};

}  // namespace heddle::cli

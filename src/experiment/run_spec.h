// One run of an experiment, and who it is: everything its result depends on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/run_result.h"

namespace heddle {

struct RunSpec {
  std::string workload;
  std::string size = "small", compiler = "nvcc";
  std::string mechanism = "pdom", lanes = "none", schedule, preset = "default";
  std::vector<std::string> settings;  // "key=value"
  bool timed = true, taint = false, scores = false;
};

// The resolved configuration, the text of the kernels, and the versions of simulator and workload: runs of equal
// identity have equal results. The key is a short name for it.
struct RunIdentity {
  nlohmann::ordered_json content;
  std::string key;  // "bfs-tbc-0123456789abcdef"
};

RunIdentity identity_of(const RunSpec& spec);  // Error (Usage) for names that do not exist
RunResult execute(const RunSpec& spec, const volatile bool* stop);
std::string command_of(const RunSpec& spec);  // `heddle run …` that shows the same run

}  // namespace heddle

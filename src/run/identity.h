// Who a run of a workload or of a CUDA program is: everything its result depends on. Of a CUDA program that is its file
// and its arguments; what files it reads nobody knows.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "run/run_spec.h"

namespace heddle {

// The configuration that the run reads, the program, and the versions of simulator and workload or runtime: runs of
// equal identity have equal results. The key is a short name for it.
struct RunIdentity {
  nlohmann::ordered_json content;
  std::string key;  // "bfs-tbc-0123456789abcdef"
};

RunIdentity identity_of(const RunSpec& spec);  // Error (Usage) for names and programs that do not exist

}  // namespace heddle

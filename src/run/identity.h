// Who a run of a workload is: everything its result depends on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "run/run_spec.h"

namespace heddle {

// The configuration that the run reads, the text of the kernels, and the versions of simulator and workload: runs of
// equal identity have equal results. The key is a short name for it.
struct RunIdentity {
  nlohmann::ordered_json content;
  std::string key;  // "bfs-tbc-0123456789abcdef"
};

RunIdentity identity_of(const RunSpec& spec);  // Error (Usage) for names that do not exist

}  // namespace heddle

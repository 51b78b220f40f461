// What a launch took on a machine with a clock, as JSON; docs/json.md explains every field.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "run/run_result.h"

namespace heddle {

void add_timing(nlohmann::ordered_json& json, const KernelStats& stats, unsigned warp_size);

// The time series of --sample: of one launch as JSON, of all launches as CSV with a line of headings.
nlohmann::ordered_json samples_json(const KernelStats& stats, unsigned warp_size);
std::string samples_csv(const RunResult& result);

}  // namespace heddle

// A run's description as JSON: `run` in every file of results (docs/json.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "config/config.h"
#include "run/run_spec.h"

namespace heddle {

nlohmann::ordered_json spec_json(const RunSpec& spec, const Config& config);

// The keys with their values: numbers, texts, true or false.
nlohmann::ordered_json config_json(const Config& config, std::span<const Key> keys);

}  // namespace heddle

// A run as JSON; docs/json.md explains every field.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/run_result.h"

namespace heddle {

nlohmann::ordered_json run_json(const RunResult& result);

}  // namespace heddle

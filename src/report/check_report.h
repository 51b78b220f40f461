// What the checks of a run found, for a person and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "run/run_result.h"

namespace heddle {

std::string check_text(const RunResult& result);
nlohmann::ordered_json check_json(const RunResult& result);

}  // namespace heddle

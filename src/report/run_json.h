// A run as JSON; docs/json.md explains every field.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "run/run_result.h"
#include "run/store.h"

namespace heddle {

nlohmann::ordered_json run_json(const RunResult& result);

Record record_of(const RunResult& result);  // what is kept of it

}  // namespace heddle

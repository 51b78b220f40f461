// What became of the decisions to wait at branches, for a person and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "stats/decision_stats.h"

namespace heddle {

// Shares of stall/stall, stall/bypass, bypass/stall, bypass/bypass (done / would have been best), and of the right
// ones.
std::vector<std::string> decision_cells(const DecisionStats& decisions);
std::string decisions_text(const DecisionStats& decisions);
nlohmann::ordered_json decisions_json(const DecisionStats& decisions);

}  // namespace heddle

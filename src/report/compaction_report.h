// How well the paths of divergent branches compact, for a person and as JSON; docs/taint.md explains the numbers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stats/compaction_stats.h"

namespace heddle {

// The columns of figures 11 to 13: every lane map, then `ideal`.
std::vector<std::string_view> compaction_names();

// Shares in that order: of all divergent paths, or of those that ideal compaction compacts. None of no path.
using Rates = std::optional<std::vector<double>>;
Rates compaction_rates(const PathCounts& counts);
Rates rates_of_compactable(const PathCounts& counts);

std::string compaction_tables(const CompactionStats& stats);
nlohmann::ordered_json compaction_json(const CompactionStats& stats);

}  // namespace heddle

// Immediate dominators of any graph, by Boost.Graph's Lengauer-Tarjan.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

// By node: its immediate dominator from `root`; -1 for the root and what it does not reach.
std::vector<int32_t> immediate_dominators(const std::vector<std::vector<uint32_t>>& next, uint32_t root);

}  // namespace heddle

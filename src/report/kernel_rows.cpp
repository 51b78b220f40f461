#include "report/kernel_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

std::vector<KernelRow> kernel_rows(const RunResult& result) {
  std::vector<KernelRow> rows;
  for (const LaunchResult& launch : result.launches) {
    const KernelStats& stats = launch.stats;
    auto row = std::find_if(rows.begin(), rows.end(), [&](const KernelRow& each) {
      return each.stats.kernel == stats.kernel && each.stats.grid == stats.grid && each.stats.block == stats.block;
    });
    if (row == rows.end()) {
      rows.push_back({stats, 1});
    } else {
      row->stats.add(stats);
      ++row->launches;
    }
  }
  return rows;
}

std::string shape_text(const Dim3& size) {
  if (size.z != 1) return fmt::format("{}x{}x{}", size.x, size.y, size.z);
  if (size.y != 1) return fmt::format("{}x{}", size.x, size.y);
  return std::to_string(size.x);
}

}  // namespace heddle

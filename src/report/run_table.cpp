#include "report/run_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/table.h"

namespace heddle {
namespace {

struct Row {  // launches of one kernel with one shape
  KernelStats stats;
  unsigned launches = 0;
};

std::vector<Row> rows_of(const RunResult& result) {
  std::vector<Row> rows;
  for (const LaunchResult& launch : result.launches) {
    const KernelStats& stats = launch.stats;
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) {
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

std::vector<std::string> cells_of(const KernelStats& stats, unsigned launches, unsigned warp_size, bool of_total) {
  return {of_total ? "total" : stats.kernel,         of_total ? "" : shape_text(stats.grid),
          of_total ? "" : shape_text(stats.block),   std::to_string(launches),
          grouped(stats.thread_instructions),        grouped(stats.issue_slots),
          percent(stats.simd_efficiency(warp_size)), grouped(stats.branches),
          grouped(stats.divergent_branches),         percent(stats.branch_efficiency())};
}

// Issue slots by active threads, in the eight classes the papers draw.
std::string occupancy_line(const KernelStats& stats, unsigned warp_size) {
  const unsigned step = std::max(1U, warp_size / 8);
  std::string text = "active threads";
  for (unsigned low = 1; low <= warp_size; low += step) {
    uint64_t slots = 0;
    for (unsigned n = low; n < low + step; ++n) slots += stats.active_threads[n];
    const double share = static_cast<double>(slots) / static_cast<double>(stats.issue_slots);
    const std::string name = step == 1 ? fmt::format("W{}", low) : fmt::format("W{}-{}", low, low + step - 1);
    text += fmt::format("  {} {}", name, percent(share));
  }
  return text + "\n";
}

std::string state_line(const KernelStats& stats) {
  std::string text = fmt::format("state per warp  {} bits", grouped(stats.state_bits_per_warp));
  text += stats.state_constant ? ", whatever the nesting" : fmt::format(" at the deepest nesting, {}", stats.deepest);
  if (stats.phantom_slots > 0) text += fmt::format("; {} phantom slots", grouped(stats.phantom_slots));
  return text + "\n";
}

std::string speed_line(const RunResult& result) {
  const double millions = static_cast<double>(result.total.stats.issue_slots) / 1e6;
  return fmt::format("{} issue slots in {:.3f} s: {:.1f} million per second\n", grouped(result.total.stats.issue_slots),
                     result.seconds, result.seconds > 0 ? millions / result.seconds : 0.0);
}

}  // namespace

std::string shape_text(const Dim3& size) {
  if (size.z != 1) return fmt::format("{}x{}x{}", size.x, size.y, size.z);
  if (size.y != 1) return fmt::format("{}x{}", size.x, size.y);
  return std::to_string(size.x);
}

std::string run_table(const RunResult& result) {
  std::string text = fmt::format("{}{}: mechanism {}, lanes {}, warps of {}, emulation\n\n", result.program,
                                 result.size.empty() ? "" : fmt::format(" ({})", result.size), result.mechanism,
                                 result.lanes, result.warp_size());
  Table table({{"kernel", false},
               {"grid"},
               {"block"},
               {"launches"},
               {"thread instr."},
               {"issue slots"},
               {"SIMD eff."},
               {"branches"},
               {"divergent"},
               {"branch eff."}});
  const std::vector<Row> rows = rows_of(result);
  for (const Row& row : rows) table.add(cells_of(row.stats, row.launches, result.warp_size(), false));
  if (rows.size() != 1) {
    table.rule();
    table.add(cells_of(result.total.stats, static_cast<unsigned>(result.launches.size()), result.warp_size(), true));
  }
  text += table.text();
  if (result.total.stats.issue_slots > 0) {
    text += '\n';
    text += occupancy_line(result.total.stats, result.warp_size());
    text += state_line(result.total.stats);
    text += speed_line(result);
  }
  if (result.check)
    text += fmt::format("check {}: {}\n", result.check->passed ? "passed" : "FAILED", result.check->detail);
  return text;
}

}  // namespace heddle

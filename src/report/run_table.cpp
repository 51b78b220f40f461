#include "report/run_table.h"

#include <fmt/format.h>

#include "report/breakdown.h"
#include "report/compaction_report.h"
#include "report/decision_report.h"
#include "report/kernel_names.h"
#include "report/kernel_rows.h"
#include "report/table.h"
#include "report/timing_table.h"
#include "run/command.h"

namespace heddle {
namespace {

std::vector<std::string> cells_of(const std::string& name, const KernelStats& stats, unsigned launches,
                                  unsigned warp_size, bool of_total) {
  return {name,
          of_total ? "" : shape_text(stats.grid),
          of_total ? "" : shape_text(stats.block),
          std::to_string(launches),
          grouped(stats.thread_instructions),
          grouped(stats.issue_slots),
          percent(stats.simd_efficiency(warp_size)),
          grouped(stats.branches),
          grouped(stats.divergent_branches),
          percent(stats.branch_efficiency())};
}

// Issue slots by active threads, in the eight classes the papers draw.
std::string occupancy_line(const KernelStats& stats, unsigned warp_size) {
  const unsigned step = class_size(warp_size);
  std::string text = "active threads";
  for (unsigned low = 1; low <= warp_size; low += step) {
    uint64_t slots = 0;
    for (unsigned n = low; n < low + step; ++n) slots += stats.active_threads[n];
    text += fmt::format("  {} {}", class_name(low, warp_size), percent(share(slots, stats.issue_slots)));
  }
  return text + "\n";
}

std::string state_line(const KernelStats& stats) {
  std::string text = fmt::format("state per warp  {} bits", grouped(stats.state_bits_per_warp));
  text += stats.state_constant ? ", whatever the nesting" : fmt::format(" at the deepest nesting, {}", stats.deepest);
  if (stats.phantom_slots > 0) text += fmt::format("; {} phantom slots", grouped(stats.phantom_slots));
  return text + "\n";
}

std::string counters_line(const KernelStats& stats) {
  std::string text;
  for (const Counter& counter : stats.counters)
    text += fmt::format("{}{} {}", text.empty() ? "counted  " : ", ", counter.name, grouped(counter.value));
  return text.empty() ? text : text + "\n";
}

std::string speed_line(const RunResult& result) {
  const auto millions = [&](uint64_t count) {
    return result.seconds > 0 ? static_cast<double>(count) / 1e6 / result.seconds : 0.0;
  };
  const uint64_t slots = result.total.stats.issue_slots;
  std::string text = fmt::format("{} issue slots in {:.3f} s: {:.1f} million per second", grouped(slots),
                                 result.seconds, millions(slots));
  if (result.spec.timed) text += fmt::format(", {:.2f} million cycles", millions(result.timing().cycles));
  return text + "\n";
}

std::string sampling_line(const RunResult& result) {
  if (result.spec.sample_launches == 0) return "";
  return fmt::format("{} of {} launches were timed; each of the others takes the cycles of one that is like it\n",
                     result.timed_launches(), result.launches.size());
}

std::string heading(const RunResult& result) {
  const std::string program = title_of(result.spec);
  if (!result.spec.timed)
    return fmt::format("{}: mechanism {}, lanes {}, warps of {}, emulation\n\n", program, result.spec.mechanism,
                       result.spec.lanes, result.warp_size());
  return fmt::format("{}: mechanism {}, schedule {}, lanes {}, cycle level\n{}\n\n", program, result.spec.mechanism,
                     result.schedule, result.spec.lanes, machine_line(result));
}

std::string emulation_table(const RunResult& result) {
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
  const std::vector<KernelRow> rows = kernel_rows(result);
  const KernelNames names(result.launches);
  for (const KernelRow& row : rows)
    table.add(cells_of(names.of(row.stats.kernel), row.stats, row.launches, result.warp_size(), false));
  if (rows.size() != 1) {
    table.rule();
    table.add(
        cells_of("total", result.total.stats, static_cast<unsigned>(result.launches.size()), result.warp_size(), true));
  }
  return table.text();
}

}  // namespace

std::string run_table(const RunResult& result) {
  std::string text = heading(result);
  text += result.spec.timed ? timing_tables(result) : emulation_table(result);
  if (result.total.stats.issue_slots > 0) {
    if (!result.spec.timed) text += '\n' + occupancy_line(result.total.stats, result.warp_size());
    text += state_line(result.total.stats);
    text += counters_line(result.total.stats);
    if (result.total.stats.decisions)
      text += decisions_text(*result.total.stats.decisions);
    else if (result.spec.instruments.has("scores"))
      text += fmt::format("decisions at branches  none: {} has no warps that wait or pass on\n", result.spec.mechanism);
    text += sampling_line(result);
    text += speed_line(result);
    if (result.total.stats.compaction)
      text += '\n' + compaction_tables(*result.total.stats.compaction) + '\n';
    else if (result.spec.instruments.has("taint"))
      text += fmt::format("compaction rate  none: {} has no stack per block, as tbc has\n", result.spec.mechanism);
  }
  if (result.check)
    text += fmt::format("check {}: {}\n", result.check->passed ? "passed" : "FAILED", result.check->detail);
  return text;
}

}  // namespace heddle

// The charts of the report. Each is empty where its data is not there; wanted() says what would make it.
#pragma once

#include <vector>

#include "report/page/chart.h"

namespace heddle {

Chart ipc_chart(const RunGroup& group);             // IPC over that of the first mechanism
Chart efficiency_chart(const RunGroup& group);      // SIMD efficiency
Chart mean_breakdown_chart(const RunGroup& group);  // where the cycles, or the issue slots, go: where bars are too many
Chart breakdown_chart(const RunGroup& group);       // the same, workload by workload
Chart idle_chart(const RunGroup& group);
Chart traffic_chart(const RunGroup& group);     // bytes between cores and memory
Chart stall_chart(const RunGroup& group);       // cycles the memory stage stalls
Chart compaction_chart(const RunGroup& group);  // of P- and D-branches, by lane map
Chart decision_chart(const RunGroup& group);    // CAPRI's four outcomes

// Curves over a key of the machine (warp_size, capt_entries, fetch_group …), of runs that differ in nothing else.
std::vector<Chart> sweep_charts(const ReportData& results);

// All mechanisms on one machine, of an experiment of heddle reproduce that has them.
Chart contenders_chart(const ReportData::Json& experiment, const std::string& command);  // means
Chart contests_chart(const ReportData::Json& experiment, const std::string& command);    // workload by workload

// What the page would show beside, and the command that makes it.
struct Wanted {
  std::string what, command;
};
std::vector<Wanted> wanted(const ReportData& results, const std::vector<RunGroup>& groups,
                           const std::vector<Chart>& curves);

}  // namespace heddle

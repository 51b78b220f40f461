// Runs that can be laid side by side: the same machine and size; workloads × mechanisms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/page/report_data.h"

namespace heddle {

struct RunGroup {
  using Json = ReportData::Json;

  std::string words;  // the options that choose the machine again: "--size small --preset tbc-hpca11"
  std::string title;  // the machine as a heading: "tbc-hpca11, small"
  bool timed = false;
  std::vector<std::string> workloads, mechanisms;  // the first mechanism is the yardstick
  std::vector<std::vector<const Json*>> cells;     // runs, workload by workload, mechanism by mechanism; may be none

  const std::vector<const Json*>& at(size_t workload, size_t mechanism) const {
    return cells[workload * mechanisms.size() + mechanism];
  }
  // The run that has this in its total; null if none has.
  const Json* with(size_t workload, size_t mechanism, const char* field) const;
  bool has(const char* field) const;  // some run that passed
  bool passed(size_t workload, size_t mechanism) const;
  std::string outcome(size_t workload, size_t mechanism) const;  // "passed", "refused", …; "" without a run
  std::string why(size_t workload, size_t mechanism) const;      // what went wrong

  // A number of the total of a run that passed; nested fields with '/': "traffic/request_bytes".
  std::optional<double> number(size_t workload, size_t mechanism, const std::string& field) const;
  // The same over that of the first mechanism.
  std::optional<double> against_first(size_t workload, size_t mechanism, const std::string& field) const;
  std::optional<double> idle(size_t workload, size_t mechanism) const;  // share of the cycles of all cores

  std::string command(const std::string& more = "") const;  // what makes these runs again
};

// By machine: those of many mechanisms first, then the largest. Mechanisms are in the order of their runs; in a folder,
// of the registry.
std::vector<RunGroup> groups_of(const ReportData& results);

// The options that choose the machine of a run again: preset, --set for what differs from it, lanes, schedule, …;
// without one key, if it is named (for curves over it).
std::string machine_words(const ReportData::Json& run, const std::string& without = "");

// The same as a heading: "tbc-hpca11, small, cores=8, lanes balanced".
std::string machine_title(const ReportData::Json& run, const std::string& without = "");

// Harmonic or arithmetic mean of what there is; none of nothing.
std::optional<double> harmonic_mean(const std::vector<double>& values);
std::optional<double> mean(const std::vector<double>& values);

}  // namespace heddle

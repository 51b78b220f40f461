// All mechanisms on all workloads of one machine. The first run is the yardstick. Means are over the workloads that
// every run finished with a right result, so that all means speak of the same programs; what a mechanism cannot run, or
// gets wrong, is counted beside them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiment/measure.h"

namespace heddle {

enum class ContestGroup : uint8_t {
  Divergent,
  Coherent,
  All
};  // by the SIMD efficiency under the first run, below 76 % or not
constexpr size_t kGroups = 3;

struct Contender {
  std::string run;
  bool bound = false;                      // no hardware has it: it wins nothing
  std::optional<double> speedup[kGroups];  // harmonic mean of its speed over the first run's
  double simd_efficiency = 0, idle = 0;    // arithmetic means
  std::optional<double> memory_stalls;     // cycles, summed, over the first run's; none: it has none
  double state_bits = 0;                   // per warp, the most it needed
  unsigned wins[kGroups] = {};  // workloads on which it has the highest IPC; of those within 0.5 %, the first
  unsigned refused = 0, failed = 0;
};

struct Contest {
  std::string workload;
  bool divergent = false, common = false;     // common: every run ended right
  std::vector<std::optional<double>> ratios;  // speed over the first run's, in the order of the contenders
  std::vector<std::string> missing;           // why there is none
  std::optional<size_t> winner;               // not one that is a bound
  std::vector<size_t> tied;                   // those behind it that are as fast, within 0.5 %
};

struct HeadToHeadResult {
  std::vector<Contender> contenders;
  std::vector<Contest> contests;
  unsigned common[kGroups] = {};
  std::string what = "mechanism";  // contenders differ in it
  bool timed = true;               // speed is IPC; without a clock active threads per issue slot
};

HeadToHeadResult head_to_head(const HeadToHead& table, const Records& records);

std::string head_to_head_table(const HeadToHeadResult& result, bool details);
nlohmann::ordered_json head_to_head_json(const HeadToHeadResult& result);

}  // namespace heddle

#include "observe/standard.h"

#include "observe/branch_records.h"
#include "observe/compaction_rates.h"
#include "observe/instruction_profile.h"
#include "observe/likely_merges.h"
#include "observe/time_series.h"
#include "observe/waiting_scores.h"

namespace heddle {

Observers standard_observers(const Instruments& wanted, std::string_view mechanism, const Config& config) {
  Observers observers{std::make_shared<BranchRecords>(), std::make_shared<LikelyMerges>()};
  if (wanted.compaction) observers.push_back(std::make_shared<CompactionRates>());
  if (wanted.scores && mechanism != "pdom") observers.push_back(std::make_shared<WaitingScores>());
  if (wanted.scores && mechanism == "pdom" && !config.boolean("lcp"))
    observers.push_back(std::make_shared<PassingScores>());
  if (wanted.profile) observers.push_back(std::make_shared<InstructionProfile>());
  if (wanted.sample > 0) observers.push_back(std::make_shared<TimeSeries>(wanted.sample));
  return observers;
}

}  // namespace heddle

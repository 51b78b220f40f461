#include "observe/instruments.h"

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "observe/branch_records.h"
#include "observe/compaction_rates.h"
#include "observe/instruction_profile.h"
#include "observe/likely_merges.h"
#include "observe/time_series.h"
#include "observe/timing_profile.h"
#include "observe/waiting_scores.h"

namespace heddle {
namespace {

Observers compaction(const Watched&) { return {std::make_shared<CompactionRates>()}; }

Observers scores(const Watched& run) {
  if (run.mechanism != "pdom") return {std::make_shared<WaitingScores>()};
  if (run.config.boolean("lcp")) return {};
  return {std::make_shared<PassingScores>()};
}

constexpr InstrumentRow kRows[] = {
    {.name = "taint",
     .help = "follow what branches depend on, data (D) or not (P), and how well they compact (docs/taint.md)",
     .everywhere = true,
     .follows_values = true,
     .make = compaction},
    {.name = "scores",
     .help = "judge with hindsight whether warps should have waited at branches (pdom, tbc, tbc+, capri)",
     .everywhere = true,
     .make = scores},
    {.name = "branches",
     .help = "a table of the branches at which threads diverge, and how well they compact under tbc",
     .make = compaction},
    {.name = "profile",
     .make =
         [](const Watched&) {
           return Observers{std::make_shared<InstructionProfile>(), std::make_shared<TimingProfile>()};
         }},
    {.name = "sample",
     .help = "cycle level: a time series, one row every so many cycles",
     .takes_number = true,
     .timed = true,
     .make = [](const Watched& run) { return Observers{std::make_shared<TimeSeries>(run.number)}; }},
};

}  // namespace

std::span<const InstrumentRow> instrument_rows() { return kRows; }

const InstrumentRow& instrument_named(std::string_view name) {
  for (const InstrumentRow& row : kRows)
    if (row.name == name) return row;
  throw InternalError(fmt::format("there is no instrument '{}'", name));
}

uint64_t Instruments::number(std::string_view name) const {
  const auto found = asked_.find(name);
  return found == asked_.end() ? 0 : found->second;
}

bool Instruments::follow_values() const {
  for (const auto& [name, number] : asked_)
    if (instrument_named(name).follows_values) return true;
  return false;
}

// Two rows may be made alike: compaction rates come once, whoever asks for them.
Observers Instruments::observers(std::string_view mechanism, const Config& config) const {
  Observers observers{std::make_shared<BranchRecords>(), std::make_shared<LikelyMerges>()};
  std::set<Observers (*)(const Watched&)> made;
  for (const InstrumentRow& row : kRows) {
    if (!has(row.name) || !made.insert(row.make).second) continue;
    const Observers own = row.make({mechanism, config, number(row.name)});
    observers.insert(observers.end(), own.begin(), own.end());
  }
  return observers;
}

}  // namespace heddle

#include "divergence/mechanisms/capri.h"

namespace heddle {

Capri::Capri(Host& host, const Config& config)
    : Tbc(host, {.compact_cycles = static_cast<uint64_t>(config.integer("compact_cycles")),
                 .look_up_cycles = static_cast<uint64_t>(config.integer("capt_cycles"))}),
      entries_(static_cast<size_t>(config.integer("capt_entries"))),
      lone_warps_teach_(config.boolean("lone_warps_teach")),
      table_(entries_, AdequacyTable::history_named(config.text("history"))) {}

bool Capri::waits(BlockId block, Pc branch, bool diverged) {
  if (!diverged) return false;
  if (decisions_.size() <= block) decisions_.resize(block + 1U);
  const bool adequate = table_.look_up(branch);
  if (!decisions_[block]) decisions_[block] = adequate;
  return *decisions_[block];
}

void Capri::forget(BlockId block) {
  if (block < decisions_.size()) decisions_[block].reset();
}

void Capri::begins(const PassedOn& passed, BlockId block, const BlockMask& threads) {
  if (!table_.has(passed.branch) || (passed.arrived == 1 && !lone_warps_teach_)) return;
  table_.update(passed.branch, compacted_warps(host_, block, threads) < passed.arrived);
}

// The block's, and what the core's table says.
State Capri::state(BlockId block) const {
  State state = Tbc::state(block);
  if (state.empty() || table_.rows().empty()) return state;
  StateRow rows{"CAPT, rows", table_.rows().size(), {}};
  for (const AdequacyTable::Row& row : table_.rows())
    rows.entries.push_back({table_.adequate(row) ? "adequate" : "not adequate",
                            {{"branch", CodeAddress{row.branch}}, {"history", uint64_t{row.history}}}});
  state.insert(state.begin() + 1, std::move(rows));
  return state;
}

StateCost Capri::cost() const {
  // Beside tbc's: the core's table, shared by the warps that can be resident.
  StateCost cost = Tbc::cost();
  const uint64_t rows = entries_ > 0 ? entries_ : table_.most_rows();
  const uint64_t warps = std::max<uint64_t>(1, host_.size());
  cost.bits_per_warp += (rows * table_.bits() + warps - 1) / warps;
  return cost;
}

std::vector<Counter> Capri::counters() const {
  return {{"capt_lookups", table_.lookups()},
          {"capt_misses", table_.misses()},
          {"capt_evictions", table_.evictions()},
          {"capt_rows", table_.most_rows(), Counter::Kind::Peak}};
}

}  // namespace heddle

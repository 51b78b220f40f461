#include "divergence/mechanisms/capri.h"

namespace heddle {

Capri::Capri(Host& host, const Config& config)
    : Tbc(host, {.compact_cycles = static_cast<Cycle>(config.integer("compact_cycles")),
                 .look_up_cycles = static_cast<Cycle>(config.integer("capt_cycles"))}),
      entries_(static_cast<size_t>(config.integer("capt_entries"))),
      table_(entries_, AdequacyTable::history_named(config.text("history"))) {}

bool Capri::waits(BlockSlot slot, Pc branch, bool diverged) {
  if (!diverged) return false;
  if (decisions_.size() <= slot) decisions_.resize(slot + 1U);
  const bool adequate = table_.look_up(branch);
  if (!decisions_[slot]) decisions_[slot] = adequate;
  return *decisions_[slot];
}

void Capri::all_came(BlockSlot slot) {
  if (slot < decisions_.size()) decisions_[slot].reset();
}

void Capri::begins(const PassedOn& passed, BlockSlot slot, const BlockMask& threads) {
  if (!table_.has(passed.branch)) return;
  table_.update(passed.branch, warps_needed(host_, slot, threads).tbc < passed.arrived);
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

#include "core/scoreboard.h"

#include <algorithm>

#include "program/analysis.h"

namespace heddle {

RegisterUses::RegisterUses(const Kernel& kernel) {
  for (const Instruction& instruction : kernel.code) {
    const Accesses accesses = accesses_of(kernel, instruction);
    std::vector<uint32_t> writes, all;
    for (const Operand& operand : accesses.writes) writes.push_back(operand.at);
    all = writes;
    for (const Operand& operand : accesses.reads) all.push_back(operand.at);
    used.push_back(std::move(all));
    written.push_back(std::move(writes));
  }
}

// Each row of the group once, more or less: neighbours in a list are mostly of one row.
template <class F>
void Scoreboard::for_each_row(const Group& group, F&& f) {
  if (group.kind == Group::Kind::Rows) return f(group.row);
  unsigned last = ~0U;
  for_each_lane(group.mask, [&](unsigned k) {
    const unsigned row = group.thread(k) / kRow;
    if (row != last) f(static_cast<uint16_t>(row));
    last = row;
  });
}

bool Scoreboard::free(Pc pc, const Group& group) const {
  bool free = true;
  for_each_row(group, [&](uint16_t row) {
    if (row >= waiting_.size() || waiting_[row].empty()) return;
    for (uint32_t wanted : uses_.used[pc])
      free = free && std::find(waiting_[row].begin(), waiting_[row].end(), wanted) == waiting_[row].end();
  });
  return free;
}

void Scoreboard::take(FlightId flight, Pc pc, const Group& group) {
  if (rows_.size() <= flight) rows_.resize(flight + 1);
  for_each_row(group, [&](uint16_t row) {
    if (waiting_.size() <= row) waiting_.resize(row + 1U);
    waiting_[row].insert(waiting_[row].end(), uses_.written[pc].begin(), uses_.written[pc].end());
    rows_[flight].push_back(row);
  });
}

void Scoreboard::release(FlightId flight, Pc pc) {
  if (flight >= rows_.size()) return;  // a slot that executed nothing has taken nothing
  for (uint16_t row : rows_[flight])
    for (uint32_t written : uses_.written[pc]) {
      std::vector<uint32_t>& waiting = waiting_[row];
      const auto at = std::find(waiting.begin(), waiting.end(), written);
      *at = waiting.back();
      waiting.pop_back();
    }
  rows_[flight].clear();
}

}  // namespace heddle

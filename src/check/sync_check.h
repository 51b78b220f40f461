// Barriers and warp-wide instructions that are not met as they ask to be: a barrier for all threads of a block that
// some have left before, or that they meet at from different places; members of a warp that do not name themselves, or
// not the same members. What never completes ends the launch (exit code 6), and is a finding too.
#pragma once

#include <map>
#include <vector>

#include "check/collector.h"
#include "exec/monitor.h"

namespace heddle::check {

class SyncCheck {
 public:
  SyncCheck(const Context& context, Collector& found) : found_(found), alive_(context.block_of_row.size()) {}

  static bool concerns(const Instruction& instruction) {
    return instruction.flow == Flow::Sync || instruction.op == Op::Exit;
  }
  void block_started(const Context& context, BlockId block);
  void before(Context& context, const Instruction& instruction, const Lanes& lanes);
  void warp_came(Context& context, const Instruction& instruction, const Lanes& lanes);
  void barrier_came(const BarrierCame& came);
  void barrier_done(Context& context, BlockId block, unsigned index);

 private:
  void check_masks(Context& context, const Instruction& instruction, const Lanes& lanes);
  void check_places(Context& context, const std::map<Pc, Hw>& places);
  void check_left(Context& context, BlockId block, Pc pc, Hw thread);
  void report(Context& context, Finding::Kind kind, std::string what, std::vector<std::pair<Pc, Hw>> who);

  Collector& found_;
  std::vector<LaneMask> alive_;                                        // by row
  std::map<std::pair<BlockId, unsigned>, std::map<Pc, Hw>> barriers_;  // where threads have come from, and one of them
};

}  // namespace heddle::check

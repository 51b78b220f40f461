// capri: compaction-adequacy prediction (Rhu and Erez, ISCA 2012). The block-wide stack of tbc+
// (thread_block_compaction.h), whose warps wait at a branch only where waiting is predicted to pay.
//
// A warp that does not diverge at a branch passes on. One that diverges looks its branch up (adequacy_table.h) and
// waits or passes on; all warps of the block that diverge there follow the first of them. When a path becomes the top
// for the first time, the branch's history learns whether compaction could have saved a warp there: adequate if the
// path's threads, passed on or not, need fewer warps in their home lanes than came with a thread for it; one warp alone
// cannot be compacted, and teaches that (lone_warps_teach = false: nothing). A path that starts at the RPC and the
// reconvergence itself teach nothing. The table belongs to a core and is empty at launch.
#pragma once

#include <optional>

#include "divergence/mechanisms/tbc.h"
#include "divergence/support/adequacy_table.h"

namespace heddle {

class Capri : public Tbc {
 public:
  static constexpr Key kKeys[] = {
      {"capt_entries", Key::Kind::Integer, "32", "capri: rows of the prediction table; 0: as many as it takes",
       "0 100000"},
      {"history", Key::Kind::Choice, "1b-latest", "capri: what a row of the table remembers",
       "1b-latest 1b-sticky 2b-counter always never"},
      {"lone_warps_teach", Key::Kind::Boolean, "true",
       "capri: a path that one warp alone takes teaches that waiting does not pay", ""},
      {"capt_cycles", Key::Kind::Integer, "0",
       "capri: cycles a look-up adds to a branch; the paper does it while the branch executes", "0 1000", true},
      kPriority,
      kCycles,
  };
  Capri(Host& host, const Config& config);

  Traits traits() const override { return {.hears_branches = true, .passes = true, .learns = true}; }
  State state(BlockId block) const override;
  StateCost cost() const override;
  std::vector<Counter> counters() const override;
  AdequacyTable& table() { return table_; }  // for tests

 protected:
  bool waits(BlockId block, Pc branch, bool diverged) override;
  bool all_wait() const override { return false; }
  void begins(const PassedOn& passed, BlockId block, const BlockMask& threads) override;
  void forget(BlockId block) override;
  uint64_t extra_entry_bits(unsigned warps) const override { return warps; }  // UMask

 private:
  const size_t entries_;
  const bool lone_warps_teach_;
  AdequacyTable table_;
  std::vector<std::optional<bool>> decisions_;  // by block: what the first warp that diverged was told
};

}  // namespace heddle

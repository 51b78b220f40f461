// Warps by hand for schedulers: a host whose blocks and warps a test opens and makes ready.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/machine_keys.h"
#include "schedule/registry.h"
#include "support/scripted.h"

namespace heddle {

class Bench {
 public:
  // So many warps in each block, in the order of their ids.
  explicit Bench(std::vector<unsigned> warps_of_blocks) {
    for (unsigned warps : warps_of_blocks) {
      const auto block = static_cast<BlockId>(host.block_count());
      start(block, warps);
    }
  }
  // A block of one-thread warps; the old warps of this id must be closed.
  void start(BlockId block, unsigned warps) {
    host.start_block(block, {static_cast<Hw>(block * 1024), warps, started_++});
    for (unsigned i = 0; i < warps; ++i) host.open(block, 0, Group::rows(block * 32U, LaneMask::of(i % kRow)));
  }
  std::unique_ptr<Scheduler> make(std::string_view name, std::vector<std::string> set = {}) {
    return scheduler_named(name).make(host, make_config("default", set));
  }

 private:
  const scripted::Listing listing_{"A: exit"};
  uint64_t started_ = 0;

 public:
  Host host{listing_.kernel(), 32};
};

inline WarpSet set_of(const std::vector<unsigned>& warps) {
  WarpSet set;
  for (unsigned id : warps) set.insert(WarpId(id));
  return set;
}

inline WarpSet first(unsigned count) {
  WarpSet set;
  for (WarpId id{0}; id < count; ++id) set.insert(id);
  return set;
}

// Who is issued, one after the other, of warps that are always ready; a cycle each.
inline std::vector<unsigned> order(Bench& bench, Scheduler& scheduler, const WarpSet& ready, unsigned times) {
  std::vector<unsigned> warps;
  for (unsigned i = 0; i < times; ++i, ++bench.host.now) {
    const WarpId chosen = scheduler.choose(ready);
    scheduler.issued(chosen);
    warps.push_back(chosen);
  }
  return warps;
}

}  // namespace heddle

// --trace-steps: every issue slot on a line, and the mechanism's state whenever it has changed.
//
// Columns: slot (of the launch, over all cores), with a clock core and cycle, block, warp, PC, source line, the thread
// in each lane (numbered within its block; - where a lane is empty), and the instruction. Lines that start with | show
// the state in which the mechanism hands out the next slot. A + behind the slot: it went beside the one before.
#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "divergence/mechanism.h"
#include "observe/range.h"

namespace heddle {

// What is shown; all of it where nothing is said.
struct TraceFilter {
  std::optional<uint64_t> block;  // its number in the grid
  std::optional<unsigned> warp;   // as the column shows it
  Range slots{};
  std::function<bool(const std::string&)> kernel{};  // launches of this one

  bool shows(const Scene& scene, uint64_t slot, WarpId warp) const;  // of a launch of that kernel
};
class StepTrace : public Observer {
 public:
  StepTrace(std::FILE* to, TraceFilter filter) : to_(to), filter_(std::move(filter)) {}
  uint32_t wants() const override { return kSteps; }
  void launch_began(const LaunchBegan& launch) override;
  void issued(const Scene& scene, const Issued& event) override;
  void synced(const Scene& scene, const Synced& event) override;

 private:
  bool shows(const Scene& scene, WarpId warp) const;
  void print_header(const Scene& scene);
  void print_state(const Scene& scene, BlockId block);
  void print_slot(const Scene& scene, WarpId warp, Pc pc, const Group& group, bool beside);

  std::FILE* to_;
  const TraceFilter filter_;
  bool wanted_ = true;  // this launch
  bool header_ = false;
  uint64_t slot_ = 0;
  std::map<std::pair<unsigned, BlockId>, State> shown_;  // by core and block
};

}  // namespace heddle

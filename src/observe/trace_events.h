// A run as trace events, for Perfetto and its like.
//
// Of the GPU: the launches, and every so many cycles the instructions per cycle and what memory did since the last
// time. Of each core: `issue port`, the cycles without an issue by what was waited for; a track for each block that can
// be there, with the blocks that were; a track for each warp, with its instructions from issue to completion, and more
// tracks for a warp where several of its instructions are under way at once.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "observe/timeline.h"
#include "observe/trace_writer.h"
#include "stats/timing_stats.h"

namespace heddle {

class TraceEvents : public Timeline {
 public:
  TraceEvents(std::FILE* to, Range cycles) : Timeline(to, cycles), writer_(to) {}
  uint32_t wants() const override { return kFlights | kIdle | kAccesses | kBlocks; }
  uint64_t sample_every() const override;

  void launch_began(const LaunchBegan& launch) override;
  void block_started(const Scene& scene, BlockId block) override;
  void block_ended(const Scene& scene, BlockId block) override;
  void completed(const Scene& scene, const Completed& event) override;
  void idled(const Scene& scene, const Idled& event) override;
  void accessed(const Scene& scene, const Accessed& event) override;
  void sampled(const Sample& sample) override;
  void launch_ended(KernelStats& stats) override;
  void finish() override { writer_.finish(); }

 private:
  struct Place {  // for a block on a core
    uint64_t order = 0, before = 0;
    CoreCycle since;
    bool taken = false;
  };
  struct Access {
    unsigned lines = 0, misses = 0, bank_passes = 0;
  };
  using OnCore = std::pair<unsigned, unsigned>;  // a core and a number of it

  void cut_slice(Track track, std::string_view name, uint64_t from, uint64_t to, std::string_view arguments = "");
  void end_block(unsigned core, BlockId block, CoreCycle now);
  Track row_of(const Scene& scene, const Completed& event);
  const std::string& text_of(const Kernel& kernel, Pc pc);

  TraceWriter writer_;
  std::string launch_, launch_arguments_;
  std::vector<std::string> texts_;  // of instructions, by PC; empty until it is asked for
  std::map<OnCore, Place> places_;
  std::map<OnCore, std::vector<CoreCycle>> rows_;    // of a warp: when each is free again
  std::map<OnCore, std::map<Pc, Access>> accesses_;  // of a warp: that have been served and are not complete
  Sample last_;
};

}  // namespace heddle

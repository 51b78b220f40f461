// The emulation machine: cores without a clock (emulated_core.h).
//
// Where the blocks of a kernel have no means to wait for each other, they are taken in chunks, as many blocks as a core
// has room for. A chunk begins on an empty core, so that what it does depends on memory alone, and chunks can run side
// by side on threads of the host: the first goes alone and shows what memory is written, then each thread takes the
// next that is left. As soon as two get in each other's way (exec/touches.h), or anything goes wrong, what they did is
// taken back and the rest of the launch runs in order on one thread. So it is the same, to the bit, on any number of
// threads.
//
// All other launches are one chunk: blocks come as others leave.
#pragma once

#include "gpu/emulated_core.h"

namespace heddle {

class Emulation {
 public:
  Emulation(const EmulatedLaunch& launch, const GpuOptions& options, unsigned threads);

  void run();  // statistics are good, as far as it came, even if it throws
  const KernelStats& stats() const { return stats_; }
  bool side_by_side() const { return side_by_side_; }  // some of it ran so
  bool had_conflict() const { return conflict_; }

 private:
  struct Batch;  // of chunks that run side by side
  class Part;    // of a batch, on a thread of its own

  void run_chunks();
  bool pays() const;
  void run_batch();
  void end_batch(const Batch& batch);
  std::vector<Extent> written();  // allocations that stores have gone to
  void gather();

  const EmulatedLaunch& launch_;
  const GpuOptions& options_;
  const unsigned threads_;
  const uint64_t grid_blocks_, max_slots_;
  const EmulatedCore::Room room_;
  EmulatedCore core_;   // of what goes alone
  uint64_t next_ = 0;   // block
  KernelStats others_;  // what other cores have done
  KernelStats stats_;
  bool side_by_side_ = false, conflict_ = false;
};

}  // namespace heddle

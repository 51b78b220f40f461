// Of launches that are alike only some are timed (GpuOptions::sample_launches): the same kernel over the same grid,
// with about as many thread instructions. The first two of a kind are timed, the first because there is none to go by,
// the second because caches are warm then; it stands for all that follow.
//
// How many instructions a launch has is known when it has run: it is emulated, and where nothing stands for it memory
// is as before and it runs again with a clock.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "exec/context.h"
#include "exec/global_memory.h"
#include "program/kernel.h"
#include "stats/kernel_stats.h"

namespace heddle {

class LaunchSampling {
 public:
  explicit LaunchSampling(unsigned percent) : percent_(percent) {}

  // Worth emulating: some launch over the same grid has been timed, and it leaves nothing behind but memory, of which
  // there is not too much to be copied.
  bool may_stand_for(const Kernel& kernel, const LaunchInfo& launch, const GlobalMemory& memory) const;
  // The launch that stands for one with so many instructions; null: it is to be timed.
  const KernelStats* like(const Kernel& kernel, const LaunchInfo& launch, uint64_t thread_instructions) const;
  void timed(const Kernel& kernel, const LaunchInfo& launch, const KernelStats& stats, size_t place);

 private:
  using Shape = std::pair<const Kernel*, std::array<uint32_t, 7>>;
  struct Kind {
    unsigned timed = 0;
    KernelStats last;  // timed_as says which launch that was
  };
  static Shape shape_of(const Kernel& kernel, const LaunchInfo& launch) {
    const Dim3 &grid = launch.grid, &block = launch.block;
    return {&kernel, {grid.x, grid.y, grid.z, block.x, block.y, block.z, launch.dynamic_shared}};
  }
  bool alike(uint64_t a, uint64_t b) const;

  const uint64_t percent_;
  std::map<Shape, std::vector<Kind>> kinds_;
};

// What GPU memory held: every live allocation.
class MemorySnapshot {
 public:
  explicit MemorySnapshot(const GlobalMemory& memory);
  void restore();

 private:
  struct Part {
    std::byte* at;
    std::vector<std::byte> bytes;
  };
  std::vector<Part> parts_;
};

}  // namespace heddle

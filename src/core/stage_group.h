// A group on its way through the memory stage, and how the addresses of its threads become lines, passes over banks
// and constant addresses.
#pragma once

#include <vector>

#include "core/core_parameters.h"
#include "core/flights.h"
#include "core/queue.h"
#include "exec/context.h"
#include "memory/coalescer.h"
#include "stats/core_stats.h"

namespace heddle {

// Local memory lies above all allocations, a core's threads interleaved word by word, so that neighbours that touch
// the same variable touch neighbouring words.
inline constexpr Address kLocalPhysical = Address{1} << 42;

struct StageOfGroup {
  enum class Path : uint8_t { Fixed, Load, Past, Constant, Texture, Store, Atomic };
  FlightId flight = 0;
  Path path = Path::Fixed;
  bool answered = false;  // Atomic
  bool in_stage = false;
  MemoryStall cause = MemoryStall::Banks;  // why it holds the stage longer than usual, if no line is in the way
  unsigned hold = 0;                       // cycles in the stage, at least
  unsigned rest = 0;                       // cycles from the stage to the end
  unsigned operand_bytes = 0;              // Atomic
  uint16_t bank_passes = 0;                // of shared memory
  uint16_t read_passes = 0;                // over the banks of the L1
  uint16_t below = 0;                      // lines that were not there
  CoreCycle ready{0};                      // when it can be in the stage
  CoreCycle resume{0};                     // in the stage: its next line is not served before
  CoreCycle entered{0};                    // when it came there
  uint32_t done = 0;                       // lines
  uint32_t waiting = 0;                    // of these, lines that come from memory
};

struct StageGroup : StageOfGroup {
  std::vector<LineAccess> lines;
};

// Appends a group; the storage of its lines is used again.
inline StageGroup& append_to(Queue<StageGroup>& queue) {
  StageGroup& group = queue.append();
  static_cast<StageOfGroup&>(group) = {};
  group.lines.clear();
  return group;
}

class GroupCollector {
 public:
  GroupCollector(const CoreParameters& parameters, unsigned core, CoreStats& stats)
      : parameters_(parameters), core_(core), stats_(stats), lines_(parameters.l1.line) {}
  // Fills path, hold, cause and lines of the group.
  void collect(StageGroup& group, const Instruction& instruction, const Access& access, const Lanes& lanes);

 private:
  const std::array<Address, kRow>& addresses_of(const Access& access);
  void add_parts(const Access& access, unsigned together);
  void add_each(const Access& access, LaneMask global, LaneMask local, Address local_base, const Lanes& lanes);
  unsigned lanes_together(unsigned bytes) const;
  void count_operations(std::span<LineAccess> lines, const Access& access) const;
  void add_shared(StageGroup& group, const Instruction& instruction, const Access& access, LaneMask mask);
  void add_constants(StageGroup& group, const Access& access, LaneMask mask);
  unsigned read_passes(const Access& access, LaneMask global, LaneMask local, Address local_base, const Lanes& lanes);
  Address place_of_local(Address word, Hw thread) const;
  void add_local(Address offset, unsigned bytes, Hw thread, unsigned lane);

  const CoreParameters& parameters_;
  const unsigned core_;
  CoreStats& stats_;
  Coalescer lines_;
  std::array<Address, kRow> spread_;  // addresses of an access that was told by parts
};

}  // namespace heddle

// What is issued: warps, and the groups of threads one issue slot carries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/lane_mask.h"
#include "base/types.h"
#include "exec/lanes.h"

namespace heddle {

// One issue slot: all that exec ever sees of grouping.
struct Group {
  enum class Kind : uint8_t {
    Rows,     // threads of one register row: row * 32 + bit, those in the mask
    List,     // threads[i] for each i in the mask, of 32, one per lane, in order of their lanes
    Phantom,  // charged, not executed: count threads
  };
  Kind kind = Kind::Rows;
  uint8_t count = 0;            // threads charged; may be 0 for a phantom
  uint16_t along = 0;           // threads beyond count that go along without a lane: a large warp's jump
  uint16_t row = 0;             // Rows
  LaneMask mask;                // Rows: lanes of the row. List: positions in `threads`
  const Hw* threads = nullptr;  // List

  Hw thread(unsigned i) const { return kind == Kind::List ? threads[i] : static_cast<Hw>(row * kRow + i); }
  Lanes lanes() const {
    if (kind == Kind::List) return {mask, {}, threads};
    return {mask, static_cast<Hw>(row * kRow), nullptr};
  }
  static Group rows(unsigned row, LaneMask mask) {
    return {Kind::Rows, static_cast<uint8_t>(mask.count()), 0, static_cast<uint16_t>(row), mask, nullptr};
  }
  static Group list(const Hw* threads, LaneMask mask) {
    return {Kind::List, static_cast<uint8_t>(mask.count()), 0, 0, mask, threads};
  }
  static Group unnamed(unsigned count) { return {Kind::Rows, static_cast<uint8_t>(count), 0, 0, {}, nullptr}; }
  Group part(LaneMask who) const { return kind == Kind::List ? list(threads, who) : rows(row, who); }
  static Group phantom(unsigned count) { return {Kind::Phantom, static_cast<uint8_t>(count), 0, 0, {}, nullptr}; }
};

// A group that outlives the warp it was part of.
class KeptGroup {
 public:
  explicit KeptGroup(const Group& group) : group_(group) {
    if (group.kind == Group::Kind::List) for_each_lane(group.mask, [&](unsigned i) { threads_[i] = group.threads[i]; });
  }
  Group group() const {
    Group result = group_;
    if (result.kind == Group::Kind::List) result.threads = threads_.data();
    return result;
  }

 private:
  Group group_;
  std::array<Hw, kRow> threads_{};
};

enum class WarpState : uint8_t {
  Free,       // no warp
  Ready,      // may issue
  InFlight,   // an instruction of it is under way (cycle level)
  Held,       // the mechanism lets it wait
  AtBarrier,  // waits for its block
  AtSync,     // waits for lanes of its static warp
};

inline constexpr size_t kWarpStates = 6;

// A field that everybody may read and only the host writes, because it keeps sets by it.
template <class T>
class HostOwned {
 public:
  operator T() const { return value_; }

 private:
  friend class Host;
  T value_{};
};

// The schedulable unit: threads that share one PC. Most are warps of their own; a split is a part of another, its
// parent, which schedulers take it for (Host::open_split).
struct Warp {
  Pc pc = 0;
  Pc ask_at = kNoPc;           // the lowest PC above pc, reached by fall-through, where the mechanism must be asked
  CoreCycle not_before{0};     // compaction latency; emulation ignores it
  uint64_t age = 0;            // the order in which warps were opened; a split is as old as its parent
  uint64_t serial = 0;         // the same, but every split has its own
  WarpId parent{0};            // whose split it is; its own id: nobody's
  HostOwned<BlockId> block;    // Host::set_block
  HostOwned<WarpState> state;  // Host::set_state; Free at first
  HostOwned<uint32_t> key;     // Host::set_key: the mechanism's wish, smaller first (Traits::wishes)
  uint8_t depth = 0;           // call depth
  uint16_t groups = 1;         // more than one group per instruction: ask expand()
  // The machine's. Executed until there, if pc is another: what has been put off (WarpEngine::put_off) is from there
  // on, and may be until puts_off_until, if that is not 0; what has been computed ahead ends there.
  Pc done = 0, puts_off_until = 0;
  // Where it goes alone: instructions that have been executed, but not issued; less than 0: others may go beside it. pc
  // is where it was when they were counted last.
  int16_t ahead = 0;
  bool alone = false;
  // It comes to a branch with others that wait there, too (Mechanism::gathering); its threads diverge there.
  bool gathers = false, diverges = false;
  Group group;  // of the next instruction, unless groups > 1
};

}  // namespace heddle

// Happens-before among the threads of a core: what barriers, meetings of a warp, fences and flags put in order,
// whatever the order in which things happened to be done.
//
// What everybody has is kept once: a block knows itself up to its last barrier, a warp itself up to its last meeting.
// Only what goes beyond that (members of a meeting that are not all of the warp, named barriers of some of the block's
// threads, what a flag brought) is kept by warp or by thread, as a Clock.
//
// A fence makes what a thread did, and what it knew, fit to be released: by an atomic, or a volatile or relaxed store,
// of its own or, behind a barrier, of another thread of its block. Who reads such a flag with an atomic acquires what
// was released there; who reads it with a volatile or relaxed load does at its next fence or barrier.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "check/clock.h"
#include "check/timeline.h"
#include "exec/monitor.h"

namespace heddle::check {

enum class Reach : uint8_t { Block, Gpu };  // of a fence or a strong access

class Order {
 public:
  Order(Timeline& timeline, unsigned rows, unsigned rows_per_block);

  void start_block(const Context& context, BlockId block);
  void exit(Hw thread) { warps_[thread / kRow].alive.remove(thread % kRow); }
  LaneMask alive(unsigned row) const { return warps_[row].alive; }

  void warp_met(unsigned row, LaneMask members);
  void barrier_came(const BarrierCame& came);
  void barrier_done(BlockId block, unsigned index);

  // The lanes of a row pass a fence.
  void fence(unsigned row, LaneMask lanes, Reach reach);
  // What a strong write of the thread releases to others of its block, or of the GPU. Null: nothing.
  Knowledge released(Hw thread, Reach reach) const;
  // As a fence and a strong write.
  Knowledge release_now(Hw thread);
  void acquire(Hw thread, const Knowledge& what);
  void acquire_at_fence(Hw thread, const Knowledge& what);

  // The thread's warp is in this segment. Asked before something is noted under it.
  Segment touch(unsigned row) {
    warps_[row].touched = true;
    return warps_[row].now;
  }
  uint32_t warp_number(unsigned row) const { return warps_[row].number; }
  uint32_t block_number(unsigned row) const { return block_of(row).number; }
  // Behind this every access to the shared memory of the block is ordered before its threads.
  Segment shared_floor(unsigned row) const { return block_of(row).known; }
  Segment block_start(unsigned row) const { return block_of(row).start; }
  // Is all that these threads did in the segment ordered before the thread?
  bool ordered(Hw thread, const Threads& others, Segment segment) const;
  bool ordered_behind_block(Hw thread, uint32_t block, Segment segment) const;
  bool ordered_behind_grid(Hw thread, uint64_t blocks, Segment segment) const;

 private:
  using Released = std::array<Knowledge, 2>;  // by reach
  struct Fenced {
    Segment at = 0;
    Knowledge knew;
  };
  struct Lane {
    Knowledge extra, pending;
    std::array<Fenced, 2> fenced;  // by reach
    Released released;             // of others
  };
  using Matrix = std::array<std::array<Segment, kRow>, kRow>;
  struct Warp {
    uint32_t number = 0;
    BlockId block;
    LaneMask all, alive;
    bool touched = false;  // something has been noted under its segment
    Segment now = 0, known = 0;
    Knowledge extra;
    Released released;
    std::unique_ptr<std::array<Lane, kRow>> lanes;
    std::unique_ptr<Matrix> partial;  // [lane][other]: what the lane knows of the other
  };
  struct Came {
    unsigned row;
    LaneMask lanes;
    bool waits;
  };
  struct Barrier {
    std::vector<Came> came;
    Knowledge left;     // of those that did not wait,
    Released released;  // and what they had fenced
  };
  struct Block {
    uint32_t number = 0;
    unsigned first = 0, rows = 0;
    Segment start = 0, known = 0;
    Knowledge extra;
    Released released;
    std::map<unsigned, Barrier> barriers;
  };

  Block& block_of(unsigned row) { return blocks_[warps_[row].block]; }
  const Block& block_of(unsigned row) const { return blocks_[warps_[row].block]; }
  std::array<Lane, kRow>& lanes_of(Warp& warp);
  void new_segment(Warp& warp) {
    warp.now = timeline_.open(warp.number);
    warp.touched = false;
  }
  Knowledge knows(const Warp& warp, unsigned lane) const;
  Knowledge gathered(const Warp& warp, LaneMask lanes) const;
  void gather_lanes(const Warp& warp, LaneMask lanes, Knowledge& extra, Released& released) const;
  void meet_all(Warp& warp);
  void meet_some(Warp& warp, LaneMask members);
  bool everybody_came(const Block& block, const Barrier& barrier) const;
  void meet_block(Block& block);
  void meet_some(Barrier barrier);
  void tell_lanes(Warp& warp, LaneMask lanes, const Knowledge& extra, const Released& released);

  Timeline& timeline_;
  std::vector<Warp> warps_;    // by row of the core
  std::vector<Block> blocks_;  // by id
};

}  // namespace heddle::check

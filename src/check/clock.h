// What a thread knows of others beyond what barriers of its own block and meetings of its own warp tell it: a vector
// clock, with one entry for a whole block or a whole warp where that is known.
//
// Clocks are made, then shared and never changed.
#pragma once

#include <memory>
#include <vector>

#include "check/segment.h"

namespace heddle::check {

class Clock;
using Knowledge = std::shared_ptr<const Clock>;  // null: nothing

class Clock {
 public:
  void add_block(uint32_t block, Segment segment) { add(key(kBlock, block), segment); }
  void add_warp(uint32_t warp, Segment segment) { add(key(kWarp, warp), segment); }
  void add_lane(uint32_t warp, unsigned lane, Segment segment) { add(key(kLane, uint64_t{warp} * 32 + lane), segment); }
  void add(const Clock& other);

  // Is it ordered behind what all these threads did in the segment?
  bool knows(const Threads& threads, Segment segment) const;
  // The same of all of a block, and of all blocks of a grid.
  bool knows_block(uint32_t block, Segment segment) const { return at(key(kBlock, block)) >= segment; }
  bool knows_grid(uint64_t blocks, Segment segment) const;
  bool covers(const Clock& other) const;

 private:
  enum Kind : uint64_t { kBlock, kWarp, kLane };
  struct Entry {
    uint64_t key;
    Segment segment;
  };
  static uint64_t key(Kind kind, uint64_t number) { return kind << 60 | number; }
  void add(uint64_t key, Segment segment);
  Segment at(uint64_t key) const;

  std::vector<Entry> entries_;  // by key
};

// What is known to who knows both.
Knowledge joined(const Knowledge& a, const Knowledge& b);

}  // namespace heddle::check

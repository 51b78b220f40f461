// Who touches which global memory, where parts of one launch run side by side: what they compute is what they compute
// one after another as long as nobody touches what another has written, nor writes what another has read.
//
// Life cycle: a TouchMap for the parts that run at the same time, and a Touches for each of them, which its Context
// (Context::touches) tells of every access before it happens. An access that is another's business throws a Conflict
// and does not happen: so there is no race, and whoever has the parts can take back what all of them wrote (undo())
// and run them in order.
//
// Only memory that is known to be written is looked after: loads from the rest cost nothing, and a store there is a
// Conflict.
#pragma once

#include <array>
#include <atomic>
#include <span>
#include <vector>

#include "base/lane_mask.h"
#include "exec/global_memory.h"

namespace heddle {

struct Conflict {};

// One byte for every 4 bytes of memory: nobody, the part that has read or written them, or several that have read.
class TouchMap {
 public:
  static constexpr unsigned kGranule = 4, kPerWord = 8, kMostParts = 62;

  TouchMap(GlobalMemory& memory, std::vector<Extent> written);
  ~TouchMap();
  TouchMap(const TouchMap&) = delete;
  TouchMap& operator=(const TouchMap&) = delete;

  bool good() const { return words_ != nullptr; }  // there was room for it

 private:
  friend class Touches;
  bool is_written(Address begin) const {
    for (const Extent& extent : written_)
      if (extent.begin == begin) return true;
    return false;
  }

  GlobalMemory& memory_;
  const std::vector<Extent> written_;  // known to be
  uint64_t* words_ = nullptr;
  size_t bytes_ = 0;
};

class Touches {
 public:
  Touches(TouchMap& map, unsigned part);  // 1 and up

  // Bytes of one allocation, by where it begins.
  void range(Address allocation, Address at, uint64_t bytes, bool store) {
    if (matters(allocation, store)) mark(at, bytes, store);
  }
  void row(Address allocation, std::span<const Address> at, LaneMask who, uint64_t bytes, bool store) {
    if (matters(allocation, store)) for_each_lane(who, [&](unsigned lane) { mark(at[lane], bytes, store); });
  }

  uint64_t kept_bytes() const { return kept_.size() * sizeof(Kept); }
  void undo() const;  // everybody has stopped

 private:
  struct Kept {  // what granules of a word held before this part wrote them
    uint64_t word;
    uint8_t which;
    std::array<std::byte, TouchMap::kGranule * TouchMap::kPerWord> bytes;
  };

  bool matters(Address allocation, bool store) const {
    if (map_.is_written(allocation)) return true;
    if (store) throw Conflict();
    return false;
  }
  void mark(Address at, uint64_t bytes, bool store);
  void mark_word(uint64_t word, uint64_t mask, bool store);
  uint64_t joined(uint64_t now, uint64_t mask, bool store) const;
  void keep(uint64_t word, uint64_t before);

  TouchMap& map_;
  const uint64_t read_, wrote_;  // in each byte of a word
  std::vector<Kept> kept_;
};

}  // namespace heddle

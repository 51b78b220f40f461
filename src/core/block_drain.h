// Blocks that have ended and still wait for what they have stored: it has arrived so many cycles after a store has left
// the core, and until then a block keeps its place.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/flights.h"

namespace heddle {

class BlockDrain {
 public:
  explicit BlockDrain(unsigned latency) : latency_(latency) {}  // 0: none waits

  bool used() const { return latency_ > 0; }
  void stores(BlockId block, FlightId flight) {
    if (stored_by_.size() <= flight) stored_by_.resize(flight + 1);
    if (!std::exchange(stored_by_[flight], block)) ++at(block).under_way;  // once for all groups of a warp
  }
  void completed(FlightId flight, CoreCycle now) {  // a store, or another instruction
    if (flight >= stored_by_.size() || !stored_by_[flight]) return;
    const BlockId block = *std::exchange(stored_by_[flight], std::nullopt);
    Place& place = at(block);
    place.arrived = now + latency_;
    if (--place.under_way == 0 && std::exchange(place.ended, false)) waiting_.emplace_back(place.arrived, block);
  }
  bool keeps(BlockId block, CoreCycle now) {  // one that ends
    Place& place = at(block);
    if (place.under_way > 0) return place.ended = true;
    if (place.arrived <= now) return false;
    waiting_.emplace_back(place.arrived, block);
    return true;
  }
  bool empty() const {
    return waiting_.empty() && std::none_of(places_.begin(), places_.end(), [](const Place& p) { return p.ended; });
  }
  CoreCycle next() const {
    CoreCycle next = kNever;
    for (const auto& [when, block] : waiting_) next = std::min(next, when);
    return next;
  }
  template <class Leaves>
  void take_due(CoreCycle now, Leaves leaves) {
    std::erase_if(waiting_, [&](const auto& each) {
      if (each.first > now) return false;
      leaves(each.second);
      return true;
    });
  }

 private:
  struct Place {
    unsigned under_way = 0;  // stores in the core
    bool ended = false;      // and waits for these
    CoreCycle arrived{0};    // what has left
  };
  Place& at(BlockId block) {
    if (places_.size() <= block) places_.resize(block + 1U);
    return places_[block];
  }

  const unsigned latency_;
  std::vector<Place> places_;                           // by block
  std::vector<std::optional<BlockId>> stored_by_;       // by flight
  std::vector<std::pair<CoreCycle, BlockId>> waiting_;  // blocks whose stores have all left
};

}  // namespace heddle

// The tag store of a set-associative cache: which lines it holds, and in what state. No data, no time: the functional
// machine has the data, the owner has the clock.
//
// Life cycle of a miss: look_up() says Invalid, reserve() gives up a victim and makes its way Pending, fill() makes the
// line Valid once it has come (Dirty, if mark_dirty() was called meanwhile). look_up() is a pure question, so that an
// owner that must stall may ask again; what counts as a use is what the owner calls use() for, and reserve().
//
// Replacement is least recently used. A way that was invalidated becomes the first victim of its set, fresh ways are
// taken in order of their number; a Pending way is never a victim.
//
// A set is scanned by a byte of hash per way, eight ways to a machine word: 64 ways are eight words, on any host.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace heddle {

class Cache {
 public:
  enum class State : uint8_t { Invalid, Valid, Dirty, Pending };
  using Line = uint64_t;  // address / line bytes
  using Way = uint32_t;   // of all ways of the cache
  static constexpr Way kNoWay = ~Way{0};

  struct Found {
    State state = State::Invalid;  // Invalid: a miss
    Way way = kNoWay;
    bool hit() const { return state == State::Valid || state == State::Dirty; }
    bool pending() const { return state == State::Pending; }
    bool miss() const { return state == State::Invalid; }
  };
  struct Victim {
    Way way = kNoWay;    // now Pending with the new line; kNoWay: all ways of the set are Pending
    bool dirty = false;  // `line` must be written back
    Line line = 0;
    explicit operator bool() const { return way != kNoWay; }
  };

  // `name` is the front of the keys that errors speak of: l2 means l2_bytes, l2_line and l2_ways.
  Cache(std::string_view name, uint64_t bytes, unsigned line_bytes, unsigned ways);

  Found look_up(Line line) const;
  // Brings what a miss of the line will touch nearer to the host, which has other things to do until then.
  void prefetch(Line line) const {
    const unsigned set = set_of(line);
    const size_t first = size_t{set} << shift_;
    __builtin_prefetch(&hashes_[first / 8]);
    __builtin_prefetch(&order_[first]);
    __builtin_prefetch(&order_[first + (associativity_ - 1) / 2]);
    __builtin_prefetch(&front_[set]);
  }
  void use(Way way);  // becomes the most recently used of its set
  bool can_reserve(Line line) const { return victim_of(set_of(line)) != kNoWay; }
  Victim reserve(Line line);
  void fill(Way way);          // Pending becomes Valid or Dirty
  void mark_dirty(Way way);    // of a Pending way: it will be Dirty
  void invalidate(Line line);  // what is Pending stays so: its fetch is under way
  void invalidate_all();

  // A number of the owner's for a Pending way: the MSHR that fetches it.
  uint32_t note(Way way) const { return ways_[way].note; }
  void set_note(Way way, uint32_t note) { ways_[way].note = note; }

  State state(Way way) const { return ways_[way].state; }
  Line line(Way way) const { return ways_[way].line; }
  unsigned sets() const { return sets_; }
  unsigned ways() const { return associativity_; }

 private:
  static constexpr Line kNoLine = ~Line{0};
  struct Entry {
    Line line = kNoLine;
    uint32_t note = 0;
    State state = State::Invalid;
    bool dirty_when_filled = false;
  };
  // The ways of a set from the most to the least recently used, as a ring: the newer neighbour of the front is the
  // back.
  struct Neighbours {
    uint8_t newer, older;
  };

  unsigned set_of(Line line) const { return static_cast<unsigned>(line) & (sets_ - 1); }
  static uint8_t hash_of(Line line) { return static_cast<uint8_t>((line * 0x9E37'79B9'7F4A'7C15u) >> 56); }
  Way victim_of(unsigned set) const;
  uint8_t& hash(Way way) { return reinterpret_cast<uint8_t*>(hashes_.data())[way]; }
  void forget(Way way);
  void move_to_front(unsigned set, unsigned way);

  unsigned sets_ = 0, associativity_ = 0;
  unsigned shift_ =
      0;  // a set has 1 << shift_ places in the arrays: its ways, rounded up to a power of two, eight at least
  std::vector<uint64_t> hashes_;
  std::vector<Entry> ways_;
  std::vector<Neighbours> order_;
  std::vector<uint8_t> front_;
};

inline void Cache::use(Way way) { move_to_front(way >> shift_, way & ((1u << shift_) - 1)); }

inline void Cache::fill(Way way) {
  Entry& entry = ways_[way];
  require(entry.state == State::Pending, "a line is filled that was not reserved");
  entry.state = entry.dirty_when_filled ? State::Dirty : State::Valid;
}

inline void Cache::mark_dirty(Way way) {
  Entry& entry = ways_[way];
  if (entry.state == State::Pending)
    entry.dirty_when_filled = true;
  else
    entry.state = State::Dirty;
}

inline void Cache::move_to_front(unsigned set, unsigned way) {
  const unsigned front = front_[set];
  if (way == front) return;
  front_[set] = static_cast<uint8_t>(way);
  Neighbours* order = &order_[size_t{set} << shift_];
  Neighbours& own = order[way];
  if (order[front].newer == way) return;  // it was the back: turning the ring is enough
  order[own.newer].older = own.older;
  order[own.older].newer = own.newer;
  const unsigned back = order[front].newer;
  own = {static_cast<uint8_t>(back), static_cast<uint8_t>(front)};
  order[back].older = static_cast<uint8_t>(way);
  order[front].newer = static_cast<uint8_t>(way);
}

}  // namespace heddle

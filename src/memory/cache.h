// The tag store of a set-associative cache: which lines it holds, and in what state. No data, no time: the functional
// machine has the data, the owner has the clock.
//
// Life cycle of a miss: look_up() finds nothing, reserve() gives up a victim and makes its way Pending, fill() makes
// the line Valid once it has come (Dirty, if mark_dirty() was called meanwhile). look_up() is a pure question, so that
// an owner that must stall may ask again; what counts as a use is what the owner calls use() for, and reserve().
//
// An owner that keeps sectors says which: some of a line may be there, others on their way (expect()), others neither.
// The state of a line is that of the busiest. Who has no sectors leaves them out: then there is one.
//
// Replacement is least recently used. A way that was invalidated becomes the first victim of its set, fresh ways are
// taken in order of their number; a Pending way is never a victim.
//
// A set is scanned by a byte of hash per way, eight ways to a machine word: 64 ways are eight words, on any host.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "memory/deal.h"
#include "memory/sectors.h"

namespace heddle {

class Cache {
 public:
  enum class State : uint8_t { Invalid, Valid, Dirty, Pending };
  using Line = uint64_t;  // address / line bytes
  using Way = uint32_t;   // of all ways of the cache
  static constexpr Way kNoWay = ~Way{0};

  struct Found {
    Way way = kNoWay;
    Sectors valid = 0, coming = 0;
    bool hit(Sectors sectors = 1) const { return (sectors & ~valid) == 0; }
    bool pending() const { return coming != 0; }
    bool miss() const { return way == kNoWay; }  // nothing of the line
  };
  struct Victim {
    Way way = kNoWay;   // now Pending with the new line; kNoWay: all ways of the set are Pending
    Sectors dirty = 0;  // of `line`: they must be written back
    Line line = 0;
    explicit operator bool() const { return way != kNoWay; }
  };

  // `name` is the front of the keys that errors speak of: l2 means l2_bytes, l2_line and l2_ways.
  // `hash`: lines that lie a multiple of the sets apart do not meet in one set.
  Cache(std::string_view name, uint64_t bytes, unsigned line_bytes, unsigned ways, bool hash = false);

  Found look_up(Line line) const;
  // Brings what a miss of the line will touch nearer to the host, which has other things to do until then.
  void prefetch(Line line) const {
    const unsigned set = set_of(line);
    const size_t first = size_t{set} << shift_;
    __builtin_prefetch(&hashes_[first / 8]);
    __builtin_prefetch(&order_[first + front_[set]]);
  }
  // The same of what a look-up of it will, and a miss give up.
  struct Guess {
    Way way = kNoWay;             // where it may be; kNoWay: it was not there
    uint32_t reserved = kNobody;  // as often as a way of its set was until then
  };
  Guess guess(Line line) const;
  Found look_up(Line line, const Guess& guess) const {  // of whom somebody has guessed before
    if (guess.way == kNoWay) return guess.reserved == reserved_[set_of(line)] ? Found{} : look_up(line);
    return ways_[guess.way].line == line ? found(guess.way) : look_up(line);
  }
  void use(Way way);                                                 // becomes the most recently used of its set
  Way room_for(Line line) const { return victim_of(set_of(line)); }  // the way that would be given up; kNoWay: none can
  bool can_reserve(Line line) const { return room_for(line) != kNoWay; }
  bool can_reserve_clean(Line line) const {  // nothing would have to be written back
    const Way way = room_for(line);
    return way != kNoWay && ways_[way].dirty == 0;
  }
  Victim reserve(Line line, Sectors coming = 1) { return reserve(line, coming, room_for(line)); }
  // `room`: of whom it is known. None coming: the owner writes it whole, or in part.
  Victim reserve(Line line, Sectors coming, Way room);
  void expect(Way way, Sectors sectors) { ways_[way].coming |= sectors; }     // more of a line that has a way
  void fill(Way way, Sectors sectors = 1);                                    // Pending becomes Valid or Dirty
  void mark_dirty(Way way, Sectors sectors = 1);                              // of a Pending way: it will be Dirty
  void mark_valid(Way way, Sectors sectors) { ways_[way].valid |= sectors; }  // without a fetch: written whole
  void invalidate(Line line);  // what is Pending stays so: its fetch is under way
  void invalidate_all();

  // A number of the owner's for a Pending way: the MSHR that fetches it.
  uint32_t note(Way way) const { return ways_[way].note; }
  void set_note(Way way, uint32_t note) { ways_[way].note = note; }

  State state(Way way) const;
  Sectors dirty(Way way) const { return ways_[way].dirty; }
  Line line(Way way) const { return ways_[way].line; }
  bool has_room_for(Line first, Line end) const;  // all of them at once, if there is nothing else
  size_t places() const { return ways_.size(); }  // numbers of ways are smaller
  unsigned sets() const { return sets_; }
  unsigned ways() const { return associativity_; }

 private:
  static constexpr Line kNoLine = ~Line{0};
  static constexpr uint32_t kNobody = ~uint32_t{0};  // has guessed
  struct Entry {
    Line line = kNoLine;
    uint32_t note = 0;
    Sectors valid = 0, dirty = 0, coming = 0;  // dirty and coming: dirty when it has come
  };
  // The ways of a set from the most to the least recently used, as a ring: the newer neighbour of the front is the
  // back.
  struct Neighbours {
    uint8_t newer, older;
  };

  // Ways are numbered across the sets: lines that follow each other mostly replace the same way of theirs, and what is
  // known of them then lies side by side.
  Way number_of(unsigned set, unsigned way) const { return (way << set_bits_) + set; }
  unsigned set_of_way(Way way) const { return way & ((1u << set_bits_) - 1); }
  unsigned set_of(Line line) const { return plain_ ? static_cast<unsigned>(line) & (sets_ - 1) : deal_(line).place; }
  // Not 0, which a way has that holds nothing, nor 1, for which zero_bytes() may take that.
  static uint8_t hash_of(Line line) {
    return std::max(static_cast<uint8_t>((line * 0x9E37'79B9'7F4A'7C15u) >> 56), uint8_t{2});
  }
  Found found(Way way) const { return {way, ways_[way].valid, ways_[way].coming}; }
  Way victim_of(unsigned set) const;
  uint8_t& hash(unsigned set, unsigned way) {
    return reinterpret_cast<uint8_t*>(hashes_.data())[(set << shift_) + way];
  }
  void forget(Way way);
  void move_to_front(unsigned set, unsigned way);

  static constexpr uint64_t kOnes = 0x0101'0101'0101'0101;
  static constexpr uint64_t kTops = 0x8080'8080'8080'8080;
  // The top bits of the bytes of `word` that are zero, and perhaps of some above them.
  static uint64_t zero_bytes(uint64_t word) { return (word - kOnes) & ~word & kTops; }
  static constexpr unsigned kMany = 32;  // ways: sets that have so many are asked for all of them first
  static bool any_alike(const uint64_t* hashes, uint8_t hash) {
    using Bytes [[gnu::vector_size(kMany / 2)]] = uint8_t;
    using Words [[gnu::vector_size(kMany / 2)]] = uint64_t;
    std::array<Bytes, 2> halves;
    std::memcpy(halves.data(), hashes, sizeof(halves));
    const auto alike = reinterpret_cast<Words>((halves[0] == hash) | (halves[1] == hash));
    return (alike[0] | alike[1]) != 0;
  }
  // The first way of a set that has this hash and for which f says so; kNoWay: none.
  template <class F>
  Way first_alike(unsigned set, uint8_t hash, F&& f) const {
    const uint64_t* hashes = &hashes_[size_t{set} << shift_ >> 3];
    if (associativity_ < kMany) return first_alike(hashes, set, 0, associativity_, hash, f);
    for (unsigned many = 0; many < associativity_; many += kMany)
      if (any_alike(hashes + many / 8, hash))
        if (const Way way = first_alike(hashes, set, many, std::min(associativity_, many + kMany), hash, f);
            way != kNoWay)
          return way;
    return kNoWay;
  }
  template <class F>
  Way first_alike(const uint64_t* hashes, unsigned set, unsigned from, unsigned end, uint8_t hash, F&& f) const {
    const uint64_t wanted = hash * kOnes;
    for (unsigned eight = from; eight < end; eight += 8)
      for (uint64_t alike = zero_bytes(hashes[eight / 8] ^ wanted); alike != 0; alike &= alike - 1)
        if (const Way way = number_of(set, eight + static_cast<unsigned>(std::countr_zero(alike)) / 8); f(way))
          return way;
    return kNoWay;
  }

  unsigned sets_ = 0, associativity_ = 0;
  Deal deal_{1, false};
  bool plain_ = true;  // the sets are a power of two, and dealt in order
  // A set has 1 << shift_ places for hashes and neighbours, its ways rounded up to a power of two, eight at least; the
  // numbers of a way in all sets lie 1 << set_bits_ apart from those of the next.
  unsigned shift_ = 0, set_bits_ = 0;
  std::vector<uint64_t> hashes_;
  std::vector<Entry> ways_;
  std::vector<Neighbours> order_;
  std::vector<uint8_t> front_;
  std::vector<uint32_t> reserved_;  // how often ways of the set were
};

inline Cache::Found Cache::look_up(Line line) const {
  const Way way = first_alike(set_of(line), hash_of(line), [&](Way each) { return ways_[each].line == line; });
  return way == kNoWay ? Found{} : found(way);
}

inline void Cache::use(Way way) { move_to_front(set_of_way(way), way >> set_bits_); }

inline void Cache::fill(Way way, Sectors sectors) {
  Entry& entry = ways_[way];
  require((sectors & ~entry.coming) == 0, "a line is filled that was not reserved");
  entry.coming &= static_cast<Sectors>(~sectors);
  entry.valid |= sectors;
}

inline void Cache::mark_dirty(Way way, Sectors sectors) { ways_[way].dirty |= sectors; }

inline Cache::State Cache::state(Way way) const {
  const Entry& entry = ways_[way];
  if (entry.coming != 0) return State::Pending;
  if (entry.dirty != 0) return State::Dirty;
  return entry.valid != 0 ? State::Valid : State::Invalid;
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

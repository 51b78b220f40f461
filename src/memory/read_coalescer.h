// Reads of cores that sit together: while a line's sectors are on their way to one of them, others of its group that
// ask for the same get the same answer, and the L2 hears of it once. (Nsight calls the part of NVIDIA's GPUs that does
// this the L2 request coalescer.)
//
// Each group has a list of its own, and nothing is common to two: several threads may go through one each. Reads under
// way are found by line when another asks, by core and tag when they come: two tables of chains through one list of
// reads, whose places are used again. Who knows before when a read comes may say so: it stays in the list until it is
// forgotten, but none joins it later.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/clock.h"
#include "memory/request.h"

namespace heddle {

class ReadCoalescer {
 public:
  using Index = uint32_t;
  static constexpr Index kNone = ~Index{0};
  struct Comes {
    Tick time = kNever;  // kNever: that is not known
    uint32_t rank = 0;   // among those that come then
  };

  ReadCoalescer(unsigned together, unsigned cores)  // of a group; 1: each core asks for itself
      : together_(together), groups_(together > 1 ? (cores + together - 1) / together : 0) {}

  size_t groups() const { return groups_.size(); }
  bool may_join(const Request& request) const { return together_ > 1 && request.kind == Request::Kind::Read; }

  // The oldest read that has not come by `now` and is for this one, too; kNone: there is none. Several threads may ask
  // as long as nothing else is done.
  Index find(const Request& request, Tick now) const { return group_of(request.core).find(request, now); }
  // The same; where there is none it goes its way, and others may join it.
  Index find_or_add(const Request& request, Tick now) {
    return groups_[request.core / together_].find_or_add(request, now);
  }
  Comes comes(unsigned core, Index read) const { return group_of(core).comes(read); }
  void join(Index read, const Reply& who) { groups_[who.core / together_].join(read, who); }

  // Has one been added since that was noted, of this line perhaps?
  bool has_grown(unsigned group) const { return groups_[group].added != 0; }
  bool may_have_added(const Request& request) const {
    return (group_of(request.core).added & Group::bit_of(request.address)) != 0;
  }
  void note_growth(unsigned group) { groups_[group].added = 0; }

  // It comes then. Those who have joined it are added.
  void expect(const Reply& reply, const Comes& comes, std::vector<Reply>& joined) {
    if (together_ > 1) groups_[reply.core / together_].expect(reply, comes, joined);
  }
  void forget(Tick upto);  // those that have come by then
  void forget(unsigned group, Tick upto) { groups_[group].forget(upto); }

  // What has come now is also for those who joined: their answers are added.
  void add_joined(std::vector<Reply>& replies, Tick now);

 private:
  class alignas(kApart) Group {
   public:
    uint64_t added = 0;  // lines of late, by a hash
    static uint64_t bit_of(Address line) { return uint64_t{1} << chain_of(line) % 64; }
    Index find(const Request& request, Tick now) const;
    Index find_or_add(const Request& request, Tick now);
    Comes comes(Index read) const { return {reads_[read].comes, reads_[read].rank}; }
    void join(Index read, const Reply& who) { reads_[read].joined.push_back(who); }
    void expect(const Reply& reply, const Comes& comes, std::vector<Reply>& joined);
    void forget(Tick upto);

   private:
    static constexpr unsigned kChainBits = 10;

    struct alignas(64) Read {
      uint64_t line, name;
      Tick comes = kNever;
      uint32_t rank = 0;
      Index next_there = kNone, next_named = kNone;  // in its chains; of those that are free: the next
      Sectors sectors = 0;
      std::vector<Reply> joined;
    };

    static uint64_t name_of(unsigned core, uint32_t tag) { return uint64_t{core} << 32 | tag; }
    static size_t chain_of(uint64_t value) { return value * 0x9E37'79B9'7F4A'7C15u >> (64 - kChainBits); }
    static bool is_for(const Read& read, const Request& request, Tick now) {
      return read.line == request.address && (request.sectors & ~read.sectors) == 0 &&
             (request.sectors == 0) == (read.sectors == 0) && read.comes > now;
    }
    struct Expected {
      Tick time;
      Index read;
    };
    void add(Index& link, const Request& request);
    void drop(Index index);
    void grow();

    std::vector<Read> reads_;
    std::vector<Expected> expected_;  // in the order of time
    Index free_ = kNone;
    std::vector<Index> by_line_ =
        std::vector<Index>(size_t{1} << kChainBits, kNone);  // by hash: the first of the chain
    std::vector<Index> by_name_ = by_line_;
  };

  const Group& group_of(unsigned core) const { return groups_[core / together_]; }

  const unsigned together_;
  std::vector<Group> groups_;
};

}  // namespace heddle

// Reads of cores that sit together: while a line's sectors are on their way to one of them, others of its group that
// ask for the same get the same answer, and the L2 hears of it once. (Nsight calls the part of NVIDIA's GPUs that does
// this the L2 request coalescer.)
//
// Each group has a list of its own, and nothing is common to two. Reads under way are found by line when another asks,
// by core and tag when they come: two tables of chains through one list of reads, whose places are used again.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/request.h"

namespace heddle {

class ReadCoalescer {
 public:
  ReadCoalescer(unsigned together, unsigned cores)  // of a group; 1: each core asks for itself
      : together_(together), groups_(together > 1 ? (cores + together - 1) / together : 0) {}

  // True: the read joins one that is under way. False: it goes its way, and others may join it.
  bool joins(const Request& request) {
    return together_ > 1 && request.kind == Request::Kind::Read && groups_[request.core / together_].joins(request);
  }

  // What has come is also for those who joined: their answers are added.
  void add_joined(std::vector<Reply>& replies) {
    if (together_ <= 1) return;
    const size_t own = replies.size();
    for (size_t i = 0; i < own; ++i) groups_[replies[i].core / together_].answer(replies[i], replies);
  }
  uint64_t joined() const {  // reads, in all
    uint64_t joined = 0;
    for (const Group& group : groups_) joined += group.joined();
    return joined;
  }

 private:
  class alignas(64) Group {
   public:
    bool joins(const Request& request) {
      if (free_ == kNone) grow();
      Index* link = &by_line_[chain_of(request.address)];  // others join the oldest that is for them, too
      for (; *link != kNone; link = &reads_[*link].next_there) {
        Read& other = reads_[*link];
        if (other.line != request.address || (request.sectors & ~other.sectors) != 0) continue;
        if ((request.sectors == 0) != (other.sectors == 0)) continue;
        other.joined.push_back({request.core, request.tag});
        ++joined_;
        return true;
      }
      add(*link, request);
      return false;
    }

    void answer(Reply came, std::vector<Reply>& replies) {
      if (under_way_ == 0) return;
      const uint64_t name = name_of(came.core, came.tag);
      Index* link = &by_name_[chain_of(name)];
      while (*link != kNone && reads_[*link].name != name) link = &reads_[*link].next_named;
      if (*link == kNone) return;
      const Index index = *link;
      *link = reads_[index].next_named;
      replies.insert(replies.end(), reads_[index].joined.begin(), reads_[index].joined.end());
      drop(index);
    }
    uint64_t joined() const { return joined_; }

   private:
    using Index = uint32_t;
    static constexpr Index kNone = ~Index{0};
    static constexpr unsigned kChainBits = 9;

    struct Read {
      uint64_t line, name;
      Index next_there = kNone, next_named = kNone;  // in its chains; of those that are free: the next
      Sectors sectors = 0;
      std::vector<Reply> joined;
    };

    static uint64_t name_of(unsigned core, uint32_t tag) { return uint64_t{core} << 32 | tag; }
    static size_t chain_of(uint64_t value) { return value * 0x9E37'79B9'7F4A'7C15u >> (64 - kChainBits); }

    void add(Index& link, const Request& request) {
      const Index index = free_;
      Read& read = reads_[index];
      free_ = read.next_there;
      read.line = request.address;
      read.name = name_of(request.core, request.tag);
      read.sectors = request.sectors;
      read.next_there = kNone;
      link = index;
      Index& named = by_name_[chain_of(read.name)];
      read.next_named = named;
      named = index;
      ++under_way_;
    }

    void drop(Index index) {
      Read& read = reads_[index];
      Index* link = &by_line_[chain_of(read.line)];
      while (*link != index) link = &reads_[*link].next_there;
      *link = read.next_there;
      read.joined.clear();
      read.next_there = free_;
      free_ = index;
      --under_way_;
    }

    void grow() {
      const size_t before = reads_.size();
      reads_.resize(before == 0 ? 64 : 2 * before);
      for (size_t i = before; i < reads_.size(); ++i) {
        reads_[i].next_there = free_;
        free_ = static_cast<Index>(i);
      }
    }

    std::vector<Read> reads_;
    Index free_ = kNone;
    size_t under_way_ = 0;
    uint64_t joined_ = 0;
    std::vector<Index> by_line_ =
        std::vector<Index>(size_t{1} << kChainBits, kNone);  // by hash: the first of the chain
    std::vector<Index> by_name_ = by_line_;
  };

  const unsigned together_;
  std::vector<Group> groups_;
};

}  // namespace heddle

// aware: the tables of multi-path as a queue, so that threads that spin do not keep out those they wait for (ElTantawy
// and Aamodt, MIMD synchronization on SIMT architectures, MICRO 2016).
//
// The first split of the queue runs. It goes to the end when it jumps anywhere but to the next instruction; who parts
// or comes to a join makes room for the next. So the splits of a warp take turns, and a loop that waits for what
// another split will do comes to its end. What keeps threads from going on is then only the join: a thread that has the
// lock waits behind the loop for those that want it. Therefore the time-out:
//
// recv_timeout: a join to which nobody has come for more cycles (in emulation: issue slots) than that lets those who
// are there go on without the others, as a split of the join above; the others keep the join, and its clock starts
// again. 0: never. It is looked at when a split of the warp is done with a control instruction; nobody could go before.
//
// delayed: joins that a spin loop lies in front of are moved behind all that may end it (program/delayed_joins.h). So
// who has the lock gives it back before it waits for the others, and needs no time-out. What is between is executed
// thread by thread, which a lock demands anyway. A lock that a function takes and its caller gives back needs the
// time-out.
//
// Ours, where the source is silent: where all splits of a warp wait at barriers or warp-wide instructions and nothing
// else can go, those at the join that is due first go when it is due (without a clock at once). Entries beyond
// st_entries and rt_entries would be spilled to memory; that is counted and costs nothing.
#pragma once

#include "divergence/mechanisms/multi_path.h"

namespace heddle {

class Aware : public MultiPath {
 public:
  static constexpr Key kKeys[] = {
      {"recv_timeout", Key::Kind::Integer, "100000",
       "aware: cycles (in emulation: slots) after which threads at a join go on without the others; 0: never",
       "0 1000000000000"},
      {"delayed", Key::Kind::Boolean, "false",
       "aware: joins behind spin loops are moved behind the stores that may end them", ""},
      {"st_entries", Key::Kind::Integer, "0", "aware: splits of a warp before the table spills; 0: no limit", "0 32"},
      {"rt_entries", Key::Kind::Integer, "0", "aware: joins of a warp before the table spills; 0: no limit", "0 1024"}};

  Aware(Host& host, const Config& config);
  Traits traits() const override { return {.splits = true, .hears_stalls = true, .learns = true}; }
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  bool starved() override;
  std::vector<Counter> counters() const override;

 private:
  Pc join_of(Pc branch) const override { return joins_[branch]; }
  bool all_go() const override { return false; }
  void choose(StaticWarp& own) override;
  void jumped(StaticWarp& own, WarpId id) override;
  void time_out(StaticWarp& own);
  uint32_t first_due(const StaticWarp& own) const;  // the join with somebody there that nobody came to for longest
  WarpId let_go(StaticWarp& own, uint32_t join);    // kNoWarp: they have come to the next join

  const uint64_t timeout_;
  const std::vector<Pc> joins_;  // by PC of a branch
  uint64_t timed_out_ = 0;
};

}  // namespace heddle

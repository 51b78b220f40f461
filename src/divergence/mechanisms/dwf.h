// dwf: dynamic warp formation (Fung, Sham, Yuan and Aamodt, MICRO 2007; as in Fung and Aamodt, HPCA 2011, 2.3).
//
// One pool of warps per core; warps may mix blocks. A block starts as its static warps. When a warp's instruction
// completes, its threads are grouped by next PC, lowest first. A table names the youngest pool warp at each PC:
// threads whose home lanes are free there join it (it keeps its age), the rest form a new warp, then the youngest. An
// issued warp is out of the pool until its instruction completes. Nothing waits for anything: merging is incremental,
// and threads that fall behind may starve.
//
// Policies (dwf_policy), ties: lowest PC, then oldest warp:
//   majority       the PC with most threads in the pool; warps there issue until none is left, then again. The choice
//                  falls when the first of them is issued
//   minority       the same with fewest threads
//   time           the oldest warp
//   pdom-priority  fewest post-dominators passed; of a warp, by the thread that has passed fewest
//   pc             the lowest PC
// A policy may starve a warp for ever while the others spin for it. So that such programs end, a warp that has been in
// the pool for dwf_patience slots goes first, oldest first.
//
// Threads at a barrier or a warp-wide instruction leave the pool and come back in thread order. Warps at a barrier or
// at exit hold threads of one block only, and at a warp-wide instruction of one static warp, which is who they meet.
#pragma once

#include <array>
#include <set>
#include <tuple>
#include <vector>

#include "config/config.h"
#include "divergence/mechanism.h"
#include "divergence/support/pc_set.h"
#include "exec/thread_rows.h"

namespace heddle {

class Dwf : public Mechanism {
 public:
  static constexpr Key kKeys[] = {
      {"dwf_policy", Key::Kind::Choice, "majority", "dwf: which warp of the pool issues next",
       "majority minority time pdom-priority pc"},
      {"dwf_patience", Key::Kind::Integer, "65536",
       "dwf: slots after which a warp that starves issues one instruction, so that spinning ends; 0: never",
       "0 1000000000"},
  };
  Dwf(Host& host, const Config& config);

  Traits traits() const override { return {.every_slot = true, .interleave = true, .wishes = true}; }
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  Turns turns() const override;
  std::span<const LaneMask> rows_in_turn() override;
  void took_turns(uint64_t each) override;
  unsigned took_branch(std::span<const LaneMask> taken) override;
  void name_groups() override;
  void arrive(WarpId warp) override { retire(warp); }
  void retire(WarpId warp) override;
  void issued(WarpId warp) override;
  void release(WarpId warp) override;
  void released() override;
  State state(BlockId block) const override;
  StateCost cost() const override;

 protected:
  struct Threads {  // by home lane
    LaneMask mask;
    std::array<Hw, kRow> at{};
  };

  static constexpr uint32_t kAlone = 1U << 31;  // domains from there on have one warp each, which nobody leaves

  // Threads of one domain may share a warp at this PC.
  virtual uint32_t domain(Pc pc, Hw thread) const;
  // A thread comes to a PC: is it taken out of the pool there? Who takes it brings it back by form().
  virtual bool may_stop(Pc) const { return false; }
  virtual bool stops(Pc, Hw) { return false; }
  virtual void go_by(WarpId warp, const Outcome& outcome);        // a control instruction
  virtual void diverges(Pc /*branch*/, const Threads& /*by*/) {}  // threads of a warp, before they go

  void form(Pc pc, const Threads& threads) { form(pc, threads, domain_of(pc, threads)); }  // a new warp
  void finish();                                                                           // the pool has changed
  void put(Threads& threads, Hw thread) const {
    threads.mask.add(lane_of_[thread]);
    threads.at[lane_of_[thread]] = thread;
  }

 private:
  enum class Policy : uint8_t { Majority, Minority, Time, PdomPriority, Pc };
  enum class Mixing : uint8_t { Free, OneBlock, OneStaticWarp };  // whose threads may share a warp
  struct PoolWarp {
    bool pooled = false;
    bool changed = false;  // and not shown yet
    Pc pc = 0;
    uint32_t domain = 0;
    uint64_t age = 0;     // by birth: smaller is older
    uint64_t since = 0;   // in slots
    uint32_t passed = 0;  // pdom-priority: fewest post-dominators passed by a thread
    Threads threads;
  };
  struct Bucket {               // the pool at one PC
    std::vector<WarpId> warps;  // oldest first
    unsigned threads = 0;
    bool knows_rows = false;     // what follows
    std::vector<LaneMask> rows;  // its threads
  };
  struct Returning {  // released, not in the pool again
    Pc pc = 0;
    ThreadRows threads;
  };
  using Rank = std::tuple<uint32_t, Pc, uint64_t, WarpId>;

  static Mixing mixing_at(const Instruction& instruction);
  static Policy policy_named(const std::string& name);
  bool drains() const { return policy_ == Policy::Majority || policy_ == Policy::Minority; }

  // The pool.
  void enter(WarpId warp, Pc pc, uint32_t domain);
  void leave(WarpId warp);

  // Forming warps.
  void learn_lanes(BlockId block);
  Threads threads_of(const Lanes& row) const;
  WarpId youngest(Pc pc, uint32_t domain) const;  // kNoWarp: none
  // Threads that come there as a warp have one.
  bool one_domain(Pc pc) const { return mixing_[pc] == Mixing::Free; }
  uint32_t domain_of(Pc pc, const Threads& threads) const { return domain(pc, threads.at[threads.mask.lowest()]); }
  void go_to(WarpId warp, Pc pc) { come(warp, pool_[warp].threads, pool_[warp].threads.mask, pc); }
  void come(WarpId warp, const Threads& threads, LaneMask who, Pc pc);
  void join(Pc pc, const Threads& threads);
  void join_one(Pc pc, const Threads& threads, uint32_t domain);
  void join_part(Pc pc, const Threads& threads, uint32_t domain, WarpId warp, LaneMask fits);
  void join_in_order(Pc pc, std::span<const Lanes> rows);
  void join_next(Pc pc, const Threads& threads);
  void form(Pc pc, const Threads& threads, uint32_t domain);
  void add(WarpId warp, const Threads& threads, LaneMask who);
  void show(WarpId warp);
  void close_spare();

  // Choosing.
  Rank rank(WarpId warp) const;
  void rank_anew(WarpId warp);
  WarpId best();
  WarpId starving();  // kNoWarp: nobody
  bool keeps_its_warps(const Bucket& bucket) const;
  Turns turns_at_branch(Pc pc) const;
  bool is_worth_rows(const Bucket& bucket) const;
  void learn_rows(Bucket& bucket) const;
  bool will_know_rows(const Bucket& from, Pc to) const;
  void add_rows(Pc to, bool known, std::span<const LaneMask> rows, bool anew);
  template <class Go>
  void go_one_by_one(Pc pc, Go&& go);
  bool go_by_branch(WarpId warp, Pc branch, LaneMask taken);
  void go_together(Pc first, Pc each);

  const Policy policy_;
  const uint64_t patience_;
  std::vector<PoolWarp> pool_;        // by warp
  std::vector<Bucket> at_;            // by PC
  PcSet occupied_;                    // PCs of the pool
  std::set<Rank> ranking_;            // of policies that do not drain
  std::vector<uint8_t> lane_of_;      // by thread
  std::vector<BlockId> block_of_;     // by row
  std::vector<bool> knows_lanes_;     // by block
  std::vector<bool> at_home_;         // by row: a thread's lane is its place in the row
  std::vector<uint32_t> passed_;      // by thread
  std::vector<bool> post_dominator_;  // by PC
  std::vector<Mixing> mixing_;        // by PC
  std::vector<Pc> plain_until_;       // by PC: the first from there on that is no plain instruction
  std::vector<Returning> returning_;
  std::vector<WarpId> going_;    // one after the other,
  bool shows_later_ = false;     // whose threads are shown when somebody looks:
  std::vector<WarpId> changed_;  // these
  Pc current_ = kNoPc;           // being drained
  bool begins_drain_ = false;    // the wished warp does, when it is issued
  WarpId spare_ = kNoWarp;       // the warp whose instruction has completed, free to be used again
  uint64_t births_ = 0, slots_ = 0;
  uint64_t starves_from_ = 0;  // before that slot nobody's patience is over
};

}  // namespace heddle

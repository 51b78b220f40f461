// tbc: thread block compaction (Fung and Aamodt, HPCA 2011). One reconvergence stack per block; at every branch that
// may divide them the warps of the block wait for each other, and their threads form new warps.
//
// The warps of the top entry run freely until a waiting point: a branch, a call, or the entry's RPC. Each arrival adds
// its threads to the paths it takes and decrements the top's WCnt; a warp whose last thread exits counts as arrived.
// At WCnt = 0 the paths are pushed, taken path on top, also where nobody diverged, or the top is popped at its RPC. The
// new top is compacted (compactor.h): one warp after compact_cycles, each lane giving its lowest waiting thread. An
// entry without threads is popped at once. Barriers and warp-wide instructions are no waiting points: who waits there
// has not arrived.
//
// wait_at = not_uni: branches that provably go one way for the whole block are no waiting points; unconditional ones
// are such, PTX's .uni on others speaks of static warps and is no proof. wait_at = all: CAPRI's plain TBC waits at
// them too, pushes nothing and keeps the grouping. tbc+ is tbc with not_uni, whatever the key says. Calls always wait,
// because they push; a return is the callee's RPC. compaction = false: waiting stays, the warps are the static ones;
// uncompacted names kernels for which that is so.
// tbc-ideal: threads may change lane. block_priority names the scheduler (a machine asks for it, see
// usual_schedule()). lcp: likely-convergence points are waiting points too; the likely entry is made with the path
// entries, whoever diverges, and threads join it when WCnt reaches 0.
//
// A mechanism made from this one (capri.h) may let warps pass on at a branch instead, by waits(). Such a warp keeps
// its grouping on all its paths. Of its parts, the one on the path that runs first goes on at once, the others are
// parked until their entry is the top; where it did not diverge, all of it goes on. Ahead of the block it stops before
// the next control instruction, until its path is the top and all have arrived at the branch. Then the path's warps
// are those that went ahead, those parked, and what is formed of the threads that waited.
#pragma once

#include "config/config.h"
#include "divergence/mechanism.h"
#include "divergence/support/block_paths.h"
#include "divergence/support/compactor.h"
#include "divergence/support/reconvergence_stack.h"

namespace heddle {

class Tbc : public Mechanism {
 public:
  struct PassedOn {                 // of a path, until it is the top for the first time
    Pc branch = kNoPc;              // kNoPc: nothing of all this, the entry is no path
    unsigned arrived = 0;           // warps that came to the branch with threads for this path
    BlockMask threads;              // that did not wait
    std::vector<WarpId> ahead;      // their warps that went on,
    std::vector<KeptGroup> parked;  // and their parts that did not
  };
  struct Path : BlockPath {
    PassedOn extra;
  };
  using Stack = ReconvergenceStack<BlockMask, PassedOn>;

  static constexpr Key kWaitAt{"wait_at", Key::Kind::Choice, "not_uni",
                               "tbc: branches at which the warps of a block wait: all, or not those proven uniform",
                               "all not_uni"};
  static constexpr Key kPriority{
      "block_priority", Key::Kind::Choice, "age",
      "whose warps are issued first: the oldest block's, a block's that changes every cycle, the last one's",
      "age rrb srr"};
  static constexpr Key kCycles{"compact_cycles",
                               Key::Kind::Integer,
                               "1",
                               "cycles in which the compactor of tbc and its kin forms one warp",
                               "0 1000",
                               true};
  static constexpr Key kKeys[] = {
      kWaitAt,
      {"compaction", Key::Kind::Boolean, "true",
       "tbc: form new warps at branches; false: the warps of a block only wait for each other", ""},
      {"uncompacted", Key::Kind::Names, "", "tbc: kernels for which compaction is false", ""},
      kPriority,
      kCycles,
      kLikelyKey};
  static constexpr Key kPlusKeys[] = {kPriority, kCycles, kLikelyKey};
  static constexpr Key kIdealKeys[] = {kWaitAt, kPriority, kCycles, kLikelyKey};

  static std::unique_ptr<Mechanism> make(Host& host, const Config& config);
  static std::unique_ptr<Mechanism> make_plus(Host& host, const Config& config);
  static std::unique_ptr<Mechanism> make_ideal(Host& host, const Config& config);

  Traits traits() const override {
    return {.any_lane = rules_.forming == Compactor::Rule::AnyLane, .hears_branches = true};
  }
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  bool passes(WarpId warp, Pc pc) override;
  Gathering gathering(BlockId block) const override;
  void gathered(BlockId block, const BlockMask& taken) override;
  void all_came(BlockId block) override;
  void name_groups() override;
  void arrive(WarpId warp) override;
  State state(BlockId block) const override;
  StateCost cost() const override;

  // For tests.
  const Stack& stack(BlockId block) const { return blocks_[block].stack; }
  std::span<const Path> paths(BlockId block) const { return blocks_[block].paths; }
  unsigned warp_count(BlockId block) const { return blocks_[block].pending; }  // WCnt of the top

 protected:
  struct Rules {
    bool wait_at_all = false;
    Compactor::Rule forming = Compactor::Rule::HomeLanes;
    bool likely = false;
    uint64_t compact_cycles = 1;
    uint64_t look_up_cycles = 0;  // until a warp that diverged and passes on may go
  };
  Tbc(Host& host, const Rules& rules);
  static Rules rules_from(const Config& config);  // but for where it waits and what it forms

  // Does a warp that came to a branch wait for the others?
  virtual bool waits(BlockId, Pc /*branch*/, bool /*diverged*/) { return true; }
  virtual bool all_wait() const { return true; }  // whatever the branch
  // A path has become the top for the first time.
  virtual void begins(const PassedOn&, BlockId, const BlockMask&) {}
  virtual void forget(BlockId) {}  // what waits() said of the branch: all have come to it
  // Bits of one stack entry beside PCs and mask, for a block of so many warps.
  virtual uint64_t extra_entry_bits(unsigned /*warps*/) const { return 0; }

 private:
  struct Block {
    Stack stack;
    std::vector<WarpId> warps;  // of the top, in the order they were formed
    unsigned pending = 0;       // WCnt: those that have not arrived
    Pc gathers_at = kNoPc;      // all these come to this branch together
    Pc meeting = kNoPc;         // the others wait here, at the RPC or LPC,
    Pc branch = kNoPc;          // or came to this branch or call
    std::vector<Path> paths;    // from there, by ascending PC
  };
  enum class Standing : uint8_t { Top, Ahead, Met };  // of a warp: belongs to the top, to another path, is at its RPC
  struct Whereabouts {
    Standing standing = Standing::Top;
    Pc meets = kNoPc;  // ahead: the RPC of the path
  };

  Block& block_of(WarpId warp) { return blocks_[BlockId(host_.warp(warp).block)]; }
  void go_on(WarpId warp, Pc pc);  // without waiting, unless that is the RPC or LPC
  // The ways to arrive: at a branch or call, at the RPC or LPC, by exit.
  void come_to_branch(WarpId warp, const Outcome& outcome);
  void note_branch(Block& block, Pc branch) const;
  Path& come_to_path(Block& block, Pc pc) const;
  void wait_to_meet(WarpId warp, Pc at);
  void leave(WarpId warp, const Group& gone);
  void count_arrival(BlockId block);

  // Passing on.
  CodePoint meeting_of(const Block& block, Pc branch) const;
  void pass_on(WarpId warp, const Outcome& outcome);
  void go_ahead(WarpId warp, Block& block, Path& path, Pc meets);
  void run_ahead(WarpId warp, Pc pc, Pc meets);

  void all_arrived(BlockId block);
  void begin_top(BlockId block);
  Pc gathers_at(const Stack& stack) const;  // kNoPc: the warps of the top go by themselves
  bool start_top(BlockId block);            // false: all its threads are at the RPC already
  void open_gathering(BlockId block);
  void take_over(BlockId block, WarpId ahead);  // one that went ahead of what is now the top
  WarpId next_warp(BlockId id, Block& block, const Group& group);
  void open(BlockId block, const Group& group, CoreCycle not_before);
  void name_groups_of(BlockId block);
  void note_depth(const Stack& stack);
  void tell_arrival(BlockId block, Pc branch, const Outcome& outcome, bool waits) const;
  void tell_all(BlockId block, Pc branch, std::span<const Path> paths) const;

  const Rules rules_;
  std::vector<Block> blocks_;             // by id
  std::vector<Whereabouts> whereabouts_;  // by warp
  std::vector<Pc> next_control_;          // by PC: the control instruction that its straight line ends with
  Compactor compactor_;
  std::vector<Path> paths_;     // of those that have all arrived
  std::vector<WarpId> before_;  // of what was the top,
  size_t reopened_ = 0;         // and how many of these are warps of the new one
  size_t deepest_ = 1, entries_ = 1;
  unsigned block_threads_ = 0;
};

}  // namespace heddle

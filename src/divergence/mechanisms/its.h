// its: independent thread scheduling with convergence barriers, as NVIDIA's hardware has it since Volta. Threads have
// PCs of their own; the compiler places barriers at which they wait for each other (program/barriers.h).
//
// One split of a warp runs. It goes on until it parts, waits, yields or exits; never because of latency or time.
//   - at a branch the side with fewer threads runs first, of equal ones that which the compiler put behind the branch.
//     The other side is remembered, and goes next
//   - at an indirect jump or call: G, the threads that go where the lowest lane goes, R, the others. If G is not
//   larger,
//     G runs and R is asked the same way next; else that of R's lowest lane runs, then the rest of R, G last
//   - when the running split waits or exits: the remembered side. Else the threads that parted last, and with them all
//     that stand ready at the same place. Nobody else is united: who comes by while others stand there goes on alone
//   - a barrier that is complete because threads left it: the smaller of who was released and who runs goes first, the
//     other is remembered
//   - where a trip of a spin loop begins, and at nanosleep, threads yield: those that have not yielded run first, then
//     round and round, from the lowest lane on. Barriers do not wait for who has yielded
//   - a barrier of the block and warp-wide instructions are met wherever they stand in the code; behind them the larger
//     group goes first, of equal ones that at the higher address. Who is waited for there does not wait at a barrier
// Sources: US patent 10067768; Huerta and others, Control flow management in modern GPUs, 2024; tests/data/its, what an
// H200 was seen to do. Ours where nobody says: more barriers than registers cost nothing but a count, and barriers
// that wait for each other let the youngest go.
#pragma once

#include "config/config.h"
#include "divergence/mechanism.h"
#include "divergence/support/meetings.h"
#include "program/barriers.h"

namespace heddle {

class Its : public Mechanism {
 public:
  static constexpr Key kKeys[] = {
      {"joins", Key::Kind::Choice, "ptxas",
       "its: barriers where NVIDIA's assembler places them, or at immediate post-dominators alone", "ptxas ipdom"},
      {"yield", Key::Kind::Choice, "spin",
       "its: where threads let others run: in loops that wait for others, or nowhere", "spin none"},
      {"barrier_slots", Key::Kind::Boolean, "false",
       "its: instructions that set, leave and wait at barriers spend issue slots, as a GPU's counters see them", ""},
      {"wait_cycles", Key::Kind::Integer, "9",
       "its: cycles in which nobody of a warp goes on where some have come to a barrier and wait, in machine code",
       "0 1000", true},
  };
  static constexpr unsigned kRegisters = 16;  // for barriers, per warp

  Its(Host& host, const Config& config);
  Traits traits() const override { return {.meets_anywhere = true}; }
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  std::optional<Pc> goes_on(WarpId warp, Pc pc) const override;
  void arrive(WarpId warp) override;
  void release(WarpId warp) override;
  void released() override;
  void misses(WarpId id, LaneMask missing) override;
  State state(BlockId block) const override;
  StateCost cost() const override;
  std::vector<Counter> counters() const override;

 protected:
  static constexpr uint32_t kNowhere = ~uint32_t{0};
  struct Split {  // threads that share a PC
    Pc pc = 0;
    uint32_t node = kNowhere;  // of the plan, where they come to before pc is executed, or the return of a call
    unsigned depth = 0;
    LaneMask who;
    bool passed = false;   // need not wait at the node
    bool met = false;      // come from a meeting
    bool yielded = false;  // has not run since
    bool spent = false;    // has yielded in this round
    bool stalled = false;  // subwarp-interleaving: has made room while it waited for memory
    Pc asked = kNoPc;      // has yielded here already
    bool is_at(const Split& other) const {
      return pc == other.pc && node == other.node && depth == other.depth && passed == other.passed;
    }
  };
  struct Barrier {
    uint32_t join;  // of the plan; kNowhere: of a call
    uint32_t node;
    unsigned depth;
    LaneMask members, arrived;
  };
  struct Meeting {
    WarpId warp;
    Split split;
  };
  struct StaticWarp {
    BlockId block{0};
    unsigned row = 0;
    WarpId carrier = kNoWarp;  // of the running split
    bool runs = false;
    Split split;                 // that runs
    std::vector<Split> pending;  // the newest last
    LaneMask remembered;         // of these, goes next
    std::vector<Barrier> barriers;
    std::vector<Meeting> meetings;  // at barriers of the block or warp-wide instructions
    LaneMask missed;                // whom warp-wide instructions wait for
    LaneMask yielded_last;
    std::vector<unsigned> owed;  // slots of barrier instructions, by their threads
  };

  StaticWarp& of(WarpId warp) { return warps_[owner_[warp]]; }
  std::vector<StaticWarp>& static_warps() { return warps_; }  // by first thread / W
  void go(StaticWarp& warp);                                  // until a split can issue
  virtual bool choose(StaticWarp& warp);                      // who runs next; false: nobody can

 private:
  uint32_t return_node(Pc pc) const { return static_cast<uint32_t>(plan_.nodes.size()) + pc; }
  Pc pc_of(uint32_t node) const;
  void own(WarpId warp, size_t index);

  bool come(StaticWarp& warp);  // to the node of the running split; false: it waits
  void wait(StaticWarp& warp);
  bool pass(StaticWarp& warp);  // what happens in front of an instruction; false: another must run
  Split take(StaticWarp& warp, size_t index, bool with_all_there);
  size_t next_pending(const StaticWarp& warp) const;
  void let_go(StaticWarp& warp);  // of barriers that wait for each other
  void show(StaticWarp& warp);
  void rest(StaticWarp& warp);  // nobody runs

  void owe(StaticWarp& warp, LaneMask who) const {
    if (slots_) warp.owed.push_back(who.count());
  }
  void set_barriers(StaticWarp& warp, uint32_t block);
  void enter(StaticWarp& warp, uint32_t join, uint32_t node);
  void leave(StaticWarp& warp, const BarrierPlan::Edge& edge, LaneMask who, unsigned depth);
  std::vector<Split> take_complete(StaticWarp& warp);
  LaneMask yielded(const StaticWarp& warp) const;
  void move(StaticWarp& warp, Split& split, Pc from, Pc to);  // leaves what is left on the way
  void compete(StaticWarp& warp, std::vector<Split> freed);
  void part(StaticWarp& warp, Outcome::Kind kind, std::span<const Target> targets);
  std::vector<Split> in_order(Pc from, Outcome::Kind kind, std::vector<Split> parts) const;

  const BarrierPlan plan_;
  const bool slots_;
  const unsigned wait_cycles_;
  const Meetings meetings_;
  std::vector<Pc> next_stop_;  // by PC: the next where it must be asked
  std::vector<bool> yields_;   // by PC
  std::vector<StaticWarp> warps_;
  std::vector<size_t> owner_;  // by warp
  std::vector<size_t> met_;    // who comes from the meeting that is being done
  size_t most_barriers_ = 0;
  uint64_t spilled_ = 0;
};

}  // namespace heddle

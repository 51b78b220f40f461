// The threads of one core in groups: its warp table, its mechanism, and the one way in which an instruction passes
// through both.
//
// Life cycle: start_block() for each block that becomes resident. Then, for every warp that is issued: begin() takes
// its next instruction, groups_of() says which groups carry it, and complete() tells the mechanism when it is done.
// What the instruction does is not known here: complete() asks a Work for it,
//   std::span<const Outcome> branch(WarpId, const Instruction&, std::span<const Group>)   where the threads went
//   void barrier(WarpId, std::span<const Group>)
//   void sync(WarpId, std::span<const Group>)      warp-wide
//   void left(BlockId, unsigned)                   so many threads of the block have exited
// A machine has one with registers and memory (core/warp_engine.h), a worked example of the tests has a script.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "divergence/registry.h"

namespace heddle {

class Grouping {
 public:
  // Throws Error (Refused) where the mechanism cannot run this kernel.
  Grouping(const Kernel& kernel, unsigned warp_size, LaneMap lanes, const MechanismRow& mechanism,
           const Config& config);

  Host& host() { return host_; }
  const Host& host() const { return host_; }
  Mechanism& mechanism() { return *mechanism_; }
  const Mechanism& mechanism() const { return *mechanism_; }
  const Traits& traits() const { return traits_; }
  void watch(const Observers& observers, unsigned core, bool timed);

  void start_block(BlockId block, const BlockShape& shape);
  void end_block(BlockId block);  // all its threads have left
  // The groups that carry the warp's next instruction, good until the next call.
  std::span<const Group> groups_of(WarpId id);
  // The same for who only looks on; how many there are.
  unsigned look_at(WarpId id, std::span<Group> groups) const;
  // The machine takes the warp's next instruction.
  [[gnu::always_inline]] void begin(WarpId id) {
    host_.take(id);
    mechanism_->issued(id);
  }
  // It is done, for all its groups.
  template <class Work>
  void complete(WarpId id, Work& work);
  [[gnu::always_inline]] void complete_plain(WarpId id) {  // the same, where no Work is asked
    host_.finish(id);
    const Warp& warp = host_.warp(id);
    if (warp.group.kind == Group::Kind::Phantom) return resolve(id, {});
    advance_to(id, warp.pc + 1);
  }
  // begin() has not taken it: the warp goes on at once. `issued` is what the mechanism has heard of it.
  [[gnu::always_inline]] void issued(WarpId id) { mechanism_->issued(id); }
  [[gnu::always_inline]] void pass_plain(WarpId id) {
    host_.pass(id);
    advance_to(id, host_.warp(id).pc + 1);
  }
  // The same for a branch by which all threads of the warp's one group go to `pc`, where Mechanism::goes_on gave
  // `ask_at`.
  void jump(WarpId id, Pc pc, Pc ask_at) {
    Warp& warp = host_.warp(id);
    host_.watch.count_branch(warp.pc, false);
    if (host_.watch.wants(Observer::kJumps)) [[unlikely]] {
      const Target target{pc, warp.group.mask};
      const Outcome outcome{Outcome::Kind::Branch, warp.group, {&target, 1}, {}};
      tell_branch(id, {&outcome, 1}, Observer::kJumps);
    }
    warp.pc = pc;
    warp.ask_at = ask_at;
  }
  // The same for plain instructions, of which pc is the first that is not done.
  [[gnu::always_inline]] void advance_to(WarpId id, Pc pc) {
    Warp& warp = host_.warp(id);
    warp.pc = pc;
    const unsigned before = warp.group.count;
    if (traits_.every_slot)
      mechanism_->retire(id);
    else if (pc == warp.ask_at)
      mechanism_->arrive(id);
    if (host_.watch.wants(Observer::kMerges)) [[unlikely]]
      tell_merge(id, before);
  }

 private:
  template <class Work>
  void control(WarpId id, const Instruction& instruction, std::span<const Group> groups, Work& work);
  void resolve(WarpId id, std::span<const Outcome> outcomes);
  void tell_branch(WarpId id, std::span<const Outcome> outcomes, Observer::Wish wish) const;
  void tell_merge(WarpId id, unsigned before) const;

  const Kernel& kernel_;
  Host host_;
  std::unique_ptr<Mechanism> mechanism_;
  const Traits traits_;
  std::vector<Group> groups_;  // of the instruction under way
};

template <class Work>
void Grouping::complete(WarpId id, Work& work) {
  host_.set_state(id, WarpState::Ready);
  const Warp& warp = host_.warp(id);
  if (warp.group.kind == Group::Kind::Phantom) return resolve(id, {});
  const Instruction& instruction = kernel_.code[warp.pc];
  switch (instruction.flow) {
    case Flow::Plain: return advance_to(id, warp.pc + 1);
    case Flow::Branch:
      return control(id, instruction, warp.groups > 1 ? groups_of(id) : std::span(&warp.group, 1), work);
    case Flow::Barrier: return work.barrier(id, groups_of(id));
    case Flow::Sync: return work.sync(id, groups_of(id));
  }
}

template <class Work>
void Grouping::control(WarpId id, const Instruction& instruction, std::span<const Group> groups, Work& work) {
  const BlockId block = host_.warp(id).block;
  const bool leaves = instruction.op == Op::Exit;
  if (leaves)
    for (const Group& group : groups) host_.exit(block, group);
  const std::span<const Outcome> outcomes = work.branch(id, instruction, groups);  // `groups` may be the warp's own
  if (host_.watch.wants(Observer::kBranches)) [[unlikely]]
    tell_branch(id, outcomes, Observer::kBranches);
  resolve(id, outcomes);
  if (leaves) work.left(block);
}

}  // namespace heddle

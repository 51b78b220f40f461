#include "observe/waiting_scores.h"

#include <algorithm>

#include "divergence/mechanism.h"
#include "stats/kernel_stats.h"

namespace heddle {
namespace {

uint64_t way_behind(uint64_t way, Pc branch, Pc target) {
  uint64_t mixed = way ^ (uint64_t{branch} << 32 | target);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

}  // namespace

// ---- mechanisms with a stack per block

void WaitingScores::launch_began(const LaunchBegan&) {
  scores_ = {};
  heard_ = false;
  arrivals_.clear();
}

void WaitingScores::came(const Scene& scene, const Came& event) {
  if (scene.mechanism.traits().any_lane) return;  // hindsight knows home lanes only
  heard_ = true;
  if (event.outcome.kind == Outcome::Kind::Call) return;
  if (!scene.kernel.may_diverge(event.branch)) return scores_.cannot_diverge(event.waits);
  arrivals_[{scene.core, event.block}].push_back(
      arrival_of(scene.host, event.block, event.outcome, event.meets, event.waits));
}

void WaitingScores::all_came(const Scene& scene, const AllCame& event) {
  scores_.branch(arrivals_[{scene.core, event.block}]);
  arrivals_[{scene.core, event.block}].clear();
}

void WaitingScores::launch_ended(KernelStats& stats) {
  if (heard_) stats.decisions = scores_.stats();
}

// ---- pdom

void PassingScores::launch_began(const LaunchBegan& launch) {
  WaitingScores::launch_began(launch);
  heard_ = true;
  stacks_.clear();
  passed_.clear();
}

PassingScores::Stack& PassingScores::stack_of(const Scene& scene, WarpId warp) {
  if (stacks_.size() <= scene.core) stacks_.resize(scene.core + 1);
  std::vector<Stack>& stacks = stacks_[scene.core];
  if (stacks.size() <= warp) stacks.resize(warp + 1U);
  if (stacks[warp].empty()) stacks[warp].start(scene.host.warp(warp).group.mask);
  return stacks[warp];
}

// The top's threads have come to `pc`.
void PassingScores::move_on(Stack& stack, Pc pc) {
  stack.top().at.pc = pc;
  stack.settle([](Pc) {});
}

void PassingScores::issued(const Scene& scene, const Issued& event) {
  Stack& stack = stack_of(scene, event.warp);
  for (Pc pc = event.first; pc < event.first + event.slots; ++pc)
    if (scene.kernel.code[pc].flow != Flow::Branch) move_on(stack, pc + 1);
}

void PassingScores::synced(const Scene& scene, const Synced& event) {
  move_on(stack_of(scene, event.warp), event.pc + 1);
}

void PassingScores::branched(const Scene& scene, const Branched& event) {
  Stack& stack = stack_of(scene, event.warp);
  const Outcome& outcome = event.outcomes[0];
  switch (outcome.kind) {
    case Outcome::Kind::Exit: stack.exit(outcome.group.mask); break;
    case Outcome::Kind::Return: stack.leave(outcome.targets[0].pc); break;
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect:
      if (!scene.kernel.may_diverge(event.pc)) {
        scores_.cannot_diverge(false);
        stack.top().at.pc = outcome.targets[0].pc;
        break;
      }
      [[fallthrough]];
    case Outcome::Kind::Call: pass(scene, event, outcome); break;
  }
  stack.settle([](Pc) {});
}

// Entries for every path; the old top goes another way from here too.
void PassingScores::pass(const Scene& scene, const Branched& event, const Outcome& outcome) {
  Stack& stack = stack_of(scene, event.warp);
  const uint64_t way = stack.top().extra.hash;
  const bool call = outcome.kind == Outcome::Kind::Call;
  if (!call) {
    const Pc meets = stack.met_at(stack.reconvergence_of(scene.kernel, event.pc));
    passed_[{scene.core, event.block}].push_back(
        {way_behind(way, event.pc, kNoPc - 1), arrival_of(scene.host, event.block, outcome, meets, false)});
  }
  std::vector<Path> paths;
  for (const Target& target : outcome.targets)
    paths.push_back({target.pc, target.who, {way_behind(way, event.pc, target.pc)}});
  stack.top().extra.hash = way_behind(way, event.pc, kNoPc);
  if (call)
    stack.call(event.pc, std::span(paths));
  else
    stack.diverge(scene.kernel, event.pc, std::span(paths));
}

void PassingScores::block_ended(const Scene& scene, BlockId block) {
  std::vector<Passed>& passed = passed_[{scene.core, block}];
  std::stable_sort(passed.begin(), passed.end(), [](const Passed& a, const Passed& b) { return a.way < b.way; });
  std::vector<BranchArrival> together;  // of one way
  for (size_t i = 0; i < passed.size(); ++i) {
    together.push_back(std::move(passed[i].arrival));
    if (i + 1 < passed.size() && passed[i + 1].way == passed[i].way) continue;
    scores_.branch(together);
    together.clear();
  }
  passed.clear();
}

}  // namespace heddle

// The stack that reconverges at immediate post-dominators, over whatever set of threads shares one: a warp (pdom), a
// large warp (lwm), a block (tbc). It knows nothing of warps: its owner says what the threads did, and issues the top.
//
// An entry is (PC, RPC, mask). A divergence sets the top's PC to the branch's RPC and pushes the paths, the one to run
// first last: of a branch the taken path, of a table or an indirect call the lowest address; but a path that cannot
// come to a barrier runs before one that can, which would wait for its threads. Where the RPC is the top's own, the
// paths replace the top, so that loops do not grow the stack. A path that starts at the RPC is not pushed. An RPC is a
// pair (call depth, PC): the end of a function is the return address at the caller's depth; the end of the kernel is
// none, and an entry that waits for it dies when its last thread has exited.
//
// Rules::likely adds likely-convergence points (Fung and Aamodt, HPCA 2011, section 5): two more fields, LPC and LPos.
// A divergence at a branch with an LPC pushes an entry without threads at the LPC, then the paths, whose LPos is the
// position of that entry; at a branch without one the paths inherit both fields, as the likely entry does. An entry
// that comes to its LPC, and not to its RPC, is popped: its threads leave all entries above LPos and join the one
// there. A likely entry that is the top and has no thread is dropped.
//
// Rules::join_slots is the stack of tesla.h: an entry that has come to the join of its branch stays the top until its
// owner has charged a slot for it and calls leave_join(). A path that starts at the join is pushed last, to spend its
// slot at once, so that loops do not grow the stack here either. A caller's return address is no join.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/config.h"
#include "divergence/host.h"
#include "divergence/state.h"
#include "divergence/support/code_point.h"
#include "program/kernel.h"

namespace heddle {

inline constexpr Key kLikelyKey{"lcp", Key::Kind::Boolean, "false",
                                "pdom and tbc: reconverge at likely-convergence points too", ""};

inline void tell_likely_merge(const Host& host, BlockId block, Pc pc) {
  if (host.watch.wants(Observer::kLikelyMerges))
    host.watch.tell<&Observer::likely_merged>(Observer::kLikelyMerges, LikelyMerged{block, pc});
}

// Of two paths that diverge at a branch, does the one at `a` run before the one at `b`?
inline bool runs_before(const Kernel& kernel, Pc branch, Pc a, Pc b) {
  const auto may_wait = [&](Pc pc) { return bool{kernel.may_wait[kernel.block_of[pc]]}; };
  if (may_wait(a) != may_wait(b)) return may_wait(b);
  const bool falls_through = kernel.code[branch].op == Op::Bra && (a == branch + 1 || b == branch + 1);
  return falls_through ? b == branch + 1 : a < b;
}

struct Nothing {};

// Extra is what an owner keeps with an entry until it is the top for the first time, given with its path.
template <class Mask, class Extra = Nothing>
class ReconvergenceStack {
 public:
  struct Entry {
    CodePoint at, reconvergence;
    Mask mask;
    CodePoint likely{};          // LPC
    size_t likely_position = 0;  // LPos
    bool gathers = false;        // a likely entry
    bool joins = false;          // the RPC is a join of this function
    [[no_unique_address]] Extra extra{};
  };
  struct Rules {
    bool likely = false, join_slots = false;
  };

  void start(const Mask& mask, Rules rules = {}) {
    entries_.assign(1, {{0, 0}, {}, mask});
    rules_ = rules;
  }
  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  size_t depth() const;  // entries that have threads
  Entry& top() { return entries_.back(); }
  const Entry& top() const { return entries_.back(); }
  const Entry& operator[](size_t index) const { return entries_[index]; }

  // Where the threads of the top meet again when they diverge at `branch`.
  CodePoint reconvergence_of(const Kernel& kernel, Pc branch) const;
  // The threads of the top diverge at `branch`. Paths have a pc and a set `who`; their PCs ascend.
  template <class Path>
  void diverge(const Kernel& kernel, Pc branch, std::span<Path> paths);
  // They call from `pc`: one path per function.
  template <class Path>
  void call(Pc pc, std::span<Path> paths);
  void leave(Pc return_pc) { top().at = {return_pc, top().at.depth - 1}; }
  void exit(const Mask& gone);
  // Drops the entries on top that have arrived or have no thread left; calls met(pc) when threads join a likely entry.
  template <class Met>
  void settle(Met&& met);
  // Must the top spend a slot at its join?
  bool at_join() const { return !empty() && rules_.join_slots && top().joins && top().at == top().reconvergence; }
  void leave_join() { entries_.pop_back(); }

  // Where the top's threads, running on from `pc`, must stop: the nearest of RPC and LPC they can fall into.
  Pc ask_at(Pc pc) const {
    const auto ahead = [&](const CodePoint& point) {  // kNoPc is the highest of all
      return point.depth == top().at.depth && point.pc > pc ? point.pc : kNoPc;
    };
    return std::min(ahead(top().reconvergence), ahead(top().likely));
  }
  // Do threads of the top that are at `pc` wait there for the others?
  bool stops_at(Pc pc) const {
    const CodePoint point{pc, top().at.depth};
    return point == top().reconvergence || point == top().likely;
  }
  // ask_at() for threads of the top that jump to `pc`; nothing if they wait there.
  std::optional<Pc> goes_on(Pc pc) const { return stops_at(pc) ? std::nullopt : std::optional(ask_at(pc)); }
  // The PC at which threads of the top come to the point by going on at their depth; kNoPc: by a return, or never.
  Pc met_at(const CodePoint& point) const { return point.depth == top().at.depth ? point.pc : kNoPc; }
  // As values, the top first, which is at `pc`; show(mask) makes a ThreadSet.
  template <class Show>
  std::vector<StateEntry> state(Pc pc, Show&& show) const;

 private:
  Entry path_entry(const Kernel& kernel, Pc branch, const CodePoint& reconvergence) const;
  Pc join_likely();  // where
  template <class Path>
  void hand_over(Path& path) {
    if constexpr (requires { path.extra; }) entries_.back().extra = std::move(path.extra);
  }

  std::vector<Entry> entries_;
  Rules rules_;
};

template <class Mask, class Extra>
size_t ReconvergenceStack<Mask, Extra>::depth() const {
  return static_cast<size_t>(
      std::count_if(entries_.begin(), entries_.end(), [](const Entry& entry) { return !entry.mask.empty(); }));
}

// The post-dominator at this depth, or where the function's caller goes on.
template <class Mask, class Extra>
CodePoint ReconvergenceStack<Mask, Extra>::reconvergence_of(const Kernel& kernel, Pc branch) const {
  const unsigned depth = top().at.depth;
  if (const Pc pc = kernel.reconvergence[branch]; pc != kNoPc) return {pc, depth};
  for (size_t i = entries_.size(); i-- > 0;) {
    const CodePoint& point = entries_[i].reconvergence;
    if (point.pc != kNoPc && point.depth < depth) return point;
  }
  return {};
}

// What the paths of a branch have in common; they inherit the top's LPC.
template <class Mask, class Extra>
auto ReconvergenceStack<Mask, Extra>::path_entry(const Kernel& kernel, Pc branch, const CodePoint& reconvergence) const
    -> Entry {
  Entry path{{kNoPc, top().at.depth}, reconvergence, {}, top().likely, top().likely_position};
  path.joins = kernel.reconvergence[branch] != kNoPc;
  return path;
}

template <class Mask, class Extra>
template <class Path>
void ReconvergenceStack<Mask, Extra>::diverge(const Kernel& kernel, Pc branch, std::span<Path> paths) {
  const CodePoint reconvergence = reconvergence_of(kernel, branch);
  Entry entry = path_entry(kernel, branch, reconvergence);
  if (reconvergence == top().reconvergence)
    entries_.pop_back();
  else
    top().at = reconvergence;
  if (const Pc likely = kernel.likely_convergence[branch]; rules_.likely && likely != kNoPc) {
    entry.at.pc = likely;
    entry.gathers = true;
    entries_.push_back(entry);
    entry.gathers = false;
    entry.likely = entry.at;
    entry.likely_position = entries_.size() - 1;
  }
  const auto push = [&](Path& path) {
    entry.at.pc = path.pc;
    entry.mask = path.who;
    entries_.push_back(entry);
    hand_over(path);
  };
  const auto starts_at_join = [&](const Path& path) { return CodePoint{path.pc, entry.at.depth} == reconvergence; };
  const auto push_in_order = [&](auto&& order) {
    for (Path* path : order)
      if (!starts_at_join(*path)) push(*path);
  };
  if (paths.size() == 1) {
    push_in_order(std::array{&paths[0]});
  } else if (paths.size() == 2 && runs_before(kernel, branch, paths[0].pc, paths[1].pc)) {
    push_in_order(std::array{&paths[1], &paths[0]});
  } else if (paths.size() == 2) {
    push_in_order(std::array{&paths[0], &paths[1]});
  } else {
    std::vector<Path*> order;
    for (Path& path : paths) order.push_back(&path);
    std::sort(order.begin(), order.end(),
              [&](const Path* a, const Path* b) { return runs_before(kernel, branch, b->pc, a->pc); });
    push_in_order(order);
  }
  if (rules_.join_slots)
    for (Path& path : paths)
      if (starts_at_join(path)) push(path);
}

template <class Mask, class Extra>
template <class Path>
void ReconvergenceStack<Mask, Extra>::call(Pc pc, std::span<Path> paths) {
  const CodePoint back{pc + 1, top().at.depth};
  top().at = back;
  for (size_t i = paths.size(); i-- > 0;) {
    entries_.push_back({{paths[i].pc, back.depth + 1}, back, paths[i].who});
    hand_over(paths[i]);
  }
}

// Likely entries have no threads at first and stay.
template <class Mask, class Extra>
void ReconvergenceStack<Mask, Extra>::exit(const Mask& gone) {
  if (!rules_.likely) {
    for (Entry& entry : entries_) entry.mask = entry.mask.without(gone);
    std::erase_if(entries_, [](const Entry& entry) { return entry.mask.empty(); });
    return;
  }
  size_t kept = 0;
  std::vector<size_t> position(entries_.size());
  for (size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    position[i] = kept;
    entry.mask = entry.mask.without(gone);
    entry.likely_position = position[entry.likely_position];
    if (entry.mask.empty() && !entry.gathers) continue;
    if (kept != i) entries_[kept] = std::move(entry);
    ++kept;
  }
  entries_.resize(kept);
}

template <class Mask, class Extra>
template <class Met>
void ReconvergenceStack<Mask, Extra>::settle(Met&& met) {
  while (!empty()) {
    if (top().mask.empty() || (top().at == top().reconvergence && !at_join()))
      entries_.pop_back();
    else if (top().likely.pc != kNoPc && top().at == top().likely && !at_join())
      met(join_likely());
    else
      return;
  }
}

template <class Mask, class Extra>
Pc ReconvergenceStack<Mask, Extra>::join_likely() {
  const Entry arrived = std::move(entries_.back());
  entries_.pop_back();
  Entry& likely = entries_[arrived.likely_position];
  likely.mask |= arrived.mask;
  for (size_t i = arrived.likely_position + 1; i < entries_.size(); ++i)
    entries_[i].mask = entries_[i].mask.without(arrived.mask);
  return arrived.likely.pc;
}

template <class Mask, class Extra>
template <class Show>
std::vector<StateEntry> ReconvergenceStack<Mask, Extra>::state(Pc pc, Show&& show) const {
  std::vector<StateEntry> entries;
  for (size_t i = entries_.size(); i-- > 0;) {
    const Entry& entry = entries_[i];
    const bool top = i + 1 == entries_.size();
    StateEntry& shown = entries.emplace_back();
    // Only the top runs: what the others go on at is their state.
    shown.fields = {{top ? "pc" : "next", CodeAddress{top ? pc : entry.at.pc}},
                    {"rpc", CodeAddress{entry.reconvergence.pc}}};
    if (entry.likely.pc != kNoPc) {
      shown.fields.push_back({"lpc", CodeAddress{entry.likely.pc}});
      shown.fields.push_back({"lpos", uint64_t{entry.likely_position}});
    }
    shown.fields.push_back({"mask", show(entry.mask)});
  }
  return entries;
}

}  // namespace heddle

// The stack that reconverges at immediate post-dominators, over whatever set of threads shares one: a warp (pdom), a
// large warp (lwm), a block (tbc). It knows nothing of warps: its owner says what the threads did, and issues the top.
//
// An entry is (PC, RPC, mask). A divergence sets the top's PC to the branch's RPC and pushes the paths, the one to run
// first last: of a branch the taken path, of a table or an indirect call the lowest address; but a path that cannot
// come to a barrier runs before one that can, which would wait for its threads. Where the RPC is the top's own, the
// paths replace the top, so that loops do not grow the stack. A path that starts at the RPC is not pushed. An RPC is a
// pair (call depth, PC): the end of a function is the return address at the caller's depth; the end of the kernel is
// none, and an entry that waits for it dies when its last thread has exited.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "program/kernel.h"

namespace heddle {

struct CodePoint {  // a PC at a call depth; pc == kNoPc: never reached
  Pc pc = kNoPc;
  unsigned depth = 0;
  bool operator==(const CodePoint&) const = default;
};

template <class Mask>
class ReconvergenceStack {
 public:
  struct Entry {
    CodePoint at, reconvergence;
    Mask mask;
  };

  void start(const Mask& mask) { entries_.assign(1, {{0, 0}, {}, mask}); }
  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  Entry& top() { return entries_.back(); }
  const Entry& top() const { return entries_.back(); }
  const Entry& operator[](size_t index) const { return entries_[index]; }

  // The threads of the top part at `branch`. Paths have a pc and a set `who`; their PCs ascend.
  template <class Path>
  void part(const Kernel& kernel, Pc branch, std::span<const Path> paths);
  // They call from `pc`: one path per function.
  template <class Path>
  void call(Pc pc, std::span<const Path> paths);
  void leave(Pc return_pc) { top().at = {return_pc, top().at.depth - 1}; }
  void exit(const Mask& gone);
  // Drops the entries on top that have arrived or have no thread left.
  void settle();

  // Where the top's threads, running on from `pc`, must stop: the RPC, if they can fall into it.
  Pc ask_at(Pc pc) const {
    const CodePoint& point = top().reconvergence;
    return point.depth == top().at.depth && point.pc != kNoPc && point.pc > pc ? point.pc : kNoPc;
  }
  // " [pc 3 rpc 7 mask …]" for each entry, the top first, which is at `pc`.
  template <class Show>
  std::string text(Pc pc, Show&& show) const;

 private:
  CodePoint reconvergence_of(const Kernel& kernel, Pc branch) const;

  std::vector<Entry> entries_;
};

// The post-dominator at this depth, or where the function's caller goes on.
template <class Mask>
CodePoint ReconvergenceStack<Mask>::reconvergence_of(const Kernel& kernel, Pc branch) const {
  const unsigned depth = top().at.depth;
  if (const Pc pc = kernel.reconvergence[branch]; pc != kNoPc) return {pc, depth};
  for (size_t i = entries_.size(); i-- > 0;) {
    const CodePoint& point = entries_[i].reconvergence;
    if (point.pc != kNoPc && point.depth < depth) return point;
  }
  return {};
}

template <class Mask>
template <class Path>
void ReconvergenceStack<Mask>::part(const Kernel& kernel, Pc branch, std::span<const Path> paths) {
  const CodePoint reconvergence = reconvergence_of(kernel, branch);
  const unsigned depth = top().at.depth;
  if (reconvergence == top().reconvergence)
    entries_.pop_back();
  else
    top().at = reconvergence;
  const auto push = [&](const Path& path) {
    if (CodePoint{path.pc, depth} != reconvergence) entries_.push_back({{path.pc, depth}, reconvergence, path.who});
  };
  const auto may_wait = [&](const Path& path) { return bool{kernel.may_wait[kernel.block_of[path.pc]]}; };
  const bool taken_first = kernel.code[branch].op != Op::Brx && paths.size() == 2 && paths[0].pc == branch + 1;
  for (const bool waiting : {true, false})
    for (size_t i = 0; i < paths.size(); ++i) {
      const Path& path = paths[taken_first ? i : paths.size() - 1 - i];
      if (may_wait(path) == waiting) push(path);
    }
}

template <class Mask>
template <class Path>
void ReconvergenceStack<Mask>::call(Pc pc, std::span<const Path> paths) {
  const CodePoint back{pc + 1, top().at.depth};
  top().at = back;
  for (size_t i = paths.size(); i-- > 0;) entries_.push_back({{paths[i].pc, back.depth + 1}, back, paths[i].who});
}

template <class Mask>
void ReconvergenceStack<Mask>::exit(const Mask& gone) {
  for (Entry& entry : entries_) entry.mask = entry.mask.without(gone);
  std::erase_if(entries_, [](const Entry& entry) { return entry.mask.empty(); });
}

template <class Mask>
void ReconvergenceStack<Mask>::settle() {
  while (!empty() && (top().mask.empty() || top().at == top().reconvergence)) entries_.pop_back();
}

template <class Mask>
template <class Show>
std::string ReconvergenceStack<Mask>::text(Pc pc, Show&& show) const {
  std::string result;
  for (size_t i = entries_.size(); i-- > 0;) {
    const Entry& entry = entries_[i];
    const auto number = [](Pc value) { return value == kNoPc ? std::string("-") : std::to_string(value); };
    result += fmt::format(" [pc {} rpc {} mask {}]", number(i + 1 == entries_.size() ? pc : entry.at.pc),
                          number(entry.reconvergence.pc), show(entry.mask));
  }
  return result;
}

}  // namespace heddle

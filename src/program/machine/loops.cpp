#include "program/machine/loops.h"

#include <algorithm>

#include "program/analysis.h"

namespace heddle {

Loops::Loops(const Kernel& kernel) : kernel_(kernel) {
  for (uint32_t latch = 0; latch < kernel.blocks.size(); ++latch)
    for (uint32_t header : kernel.blocks[latch].successors)
      if (dominates(kernel, header, latch)) add(latch, header);
  for (Loop& loop : loops_) {
    for (const Loop& other : loops_) loop.has_inner |= other.header != loop.header && loop.body[other.header];
    int entries = 0;
    for (uint32_t from : kernel.blocks[loop.header].predecessors) {
      if (loop.body[from]) continue;
      loop.before = static_cast<int32_t>(from);
      ++entries;
    }
    if (entries != 1) loop.before = -1;
  }
}

void Loops::add(uint32_t latch, uint32_t header) {
  auto loop = std::find_if(loops_.begin(), loops_.end(), [&](const Loop& each) { return each.header == header; });
  if (loop == loops_.end()) {
    loops_.push_back({header, {}, std::vector<bool>(kernel_.blocks.size()), false, -1});
    loop = loops_.end() - 1;
  }
  loop->latches.push_back(latch);
  loop->body[header] = true;
  std::vector<uint32_t> work{latch};
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (loop->body[at]) continue;
    loop->body[at] = true;
    for (uint32_t from : kernel_.blocks[at].predecessors) work.push_back(from);
  }
}

const Loop* Loops::around(uint32_t block) const {
  const Loop* innermost = nullptr;
  for (const Loop& loop : loops_)
    if (loop.body[block] && (!innermost || innermost->body[loop.header])) innermost = &loop;
  return innermost;
}

bool Loops::in_every_trip(uint32_t block) const {
  const Loop* loop = around(block);
  return loop && !loop->has_inner && std::all_of(loop->latches.begin(), loop->latches.end(), [&](uint32_t latch) {
           return dominates(kernel_, block, latch);
         });
}

}  // namespace heddle

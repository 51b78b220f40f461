#include "divergence/support/structured_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "divergence/support/limits.h"

namespace heddle {
namespace {

using Item = Structure::Item;

}  // namespace

StructuredWalk::StructuredWalk(Host& host, bool recursion)
    : Mechanism(host), structure_(host.kernel().structure), recursion_(recursion) {
  require(structure_ != nullptr, "a kernel without its structured form");
}

std::string StructuredWalk::refuses(const Kernel& kernel) const {
  const std::string why = first_reason(indirection_in(kernel), recursion_ ? "" : recursion_in(kernel));
  return first_reason(why, structure_->problem);
}

void StructuredWalk::block_start(BlockId block) {
  for (unsigned i = 0; i < host_.warps_of(host_.block(block)); ++i) {
    const Group group = host_.static_warp(block, i);
    const WarpId id = host_.open(block, 0, group);
    if (walks_.size() <= id) walks_.resize(id + 1U);
    walks_[id] = {0, 0, group.mask, group.mask, {}};
    start(id, group.mask);
    walk(id, structure_->begins[0]);
  }
}

void StructuredWalk::resolve(WarpId id, std::span<const Outcome> outcomes) {
  const Outcome& outcome = outcomes[0];
  switch (outcome.kind) {
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect: return go(id, outcome.targets);
    case Outcome::Kind::Call: return call(id, outcome.targets[0].pc);
    case Outcome::Kind::Return:
      require(outcome.targets.size() == 1, "threads that called together return to different places");
      return leave_function(id);
    case Outcome::Kind::Exit: {
      Walk& walk = walks_[id];
      exit(id, outcome.group.mask);
      walk.alive = walk.alive.without(outcome.group.mask);
      walk.active = {};
      if (walk.alive.empty()) return host_.close(id);
      return this->walk(id, walk.item);
    }
  }
}

// The block ends without a branch.
void StructuredWalk::arrive(WarpId id) {
  const Target on{host_.warp(id).pc, walks_[id].active};
  go(id, {&on, 1});
}

// The active threads diverge at the end of the block.
void StructuredWalk::go(WarpId id, std::span<const Target> targets) {
  Walk& walk = walks_[id];
  const Item& item = structure_->items[walk.item];
  for (const Target& target : targets) {
    const auto edge = std::find_if(item.edges.begin(), item.edges.end(),
                                   [&](const Structure::Edge& each) { return each.target == target.pc; });
    require(edge != item.edges.end(), "a branch that the structured form does not have");
    if (edge->levels == 0) continue;
    leave(id, target.who, edge->levels, edge->waits_at, item.region);
    walk.active = walk.active.without(target.who);
  }
  this->walk(id, walk.item + 1);
}

void StructuredWalk::call(WarpId id, Pc target) {
  Walk& walk = walks_[id];
  const std::vector<FunctionRange>& functions = host_.kernel().functions;
  const auto callee = std::find_if(functions.begin(), functions.end(),
                                   [&](const FunctionRange& function) { return function.begin == target; });
  walk.frames.push_back({walk.item, host_.warp(id).pc + 1});
  deepest_calls_ = std::max(deepest_calls_, static_cast<unsigned>(walk.frames.size()));
  this->walk(id, structure_->begins[static_cast<size_t>(callee - functions.begin())]);
}

void StructuredWalk::leave_function(WarpId id) {
  Walk& walk = walks_[id];
  const Item& item = structure_->items[walk.item];
  const uint32_t levels = structure_->region_of(item).depth;
  const uint32_t function = structure_->begins[host_.kernel().blocks[item.block].function];
  leave(id, walk.active, levels, structure_->region_of(structure_->items[function]).end, item.region);
  walk.active = {};
  this->walk(id, walk.item);
}

// From before `index` to the next block with active threads.
void StructuredWalk::walk(WarpId id, uint32_t index) {
  Walk& walk = walks_[id];
  while (true) {
    const Item& item = structure_->items[index];
    if (walk.active.empty() && item.kind != Item::Kind::End) {
      index = structure_->regions[item.around].end;
      continue;
    }
    switch (item.kind) {
      case Item::Kind::Begin:
        begin_region(id, item);
        ++index;
        break;
      case Item::Kind::End:
        index = end_region(id, index);
        if (index == kResumed) return;
        break;
      case Item::Kind::Block: walk.item = index; return show(id, host_.kernel().blocks[item.block].begin);
    }
  }
}

void StructuredWalk::begin_region(WarpId id, const Item& item) {
  Walk& walk = walks_[id];
  enter(id, walk.active, structure_->region_of(item).kind);
  deepest_regions_ = std::max(deepest_regions_, ++walk.regions);
}

// The item to go on with.
uint32_t StructuredWalk::end_region(WarpId id, uint32_t index) {
  Walk& walk = walks_[id];
  const Region& region = structure_->region_of(structure_->items[index]);
  if (region.kind == Region::Kind::Loop) {
    require(walk.active.empty(), "threads fall out of a loop");
    walk.active = again(id, index);
    if (!walk.active.empty()) return region.begin + 1;
  } else {
    walk.active = join(id, walk.active, region.kind, index);
  }
  --walk.regions;
  return region.kind == Region::Kind::Function ? return_from(id) : index + 1;
}

// Back to the caller, behind the call.
uint32_t StructuredWalk::return_from(WarpId id) {
  Walk& walk = walks_[id];
  require(!walk.frames.empty(), "threads of a kernel are lost");
  const Frame frame = walk.frames.back();
  walk.frames.pop_back();
  walk.item = frame.item;
  if (walk.active.empty()) return frame.item;  // all have exited: somebody waits further on
  Warp& warp = host_.warp(id);
  warp.pc = frame.pc;
  const BasicBlock& block = host_.kernel().blocks[structure_->items[frame.item].block];
  if (frame.pc == block.end)
    arrive(id);
  else
    show(id, frame.pc);
  return kResumed;
}

void StructuredWalk::show(WarpId id, Pc pc) {
  const Walk& walk = walks_[id];
  const BasicBlock& block = host_.kernel().blocks[structure_->items[walk.item].block];
  const Instruction& last = host_.kernel().code[block.end - 1];
  Warp& warp = host_.warp(id);
  warp.pc = pc;
  warp.ask_at = last.flow == Flow::Branch && last.op != Op::Call ? kNoPc : block.end;
  warp.depth = static_cast<uint8_t>(std::min<size_t>(walk.frames.size(), 255));
  warp.group = Group::rows(warp.group.row, walk.active);
  host_.set_state(id, WarpState::Ready);
}

State StructuredWalk::state(BlockId block) const {
  State state;
  host_.warps_in(block).for_each([&](WarpId id) {
    StateRow row{"warp", id, {}};
    row.entries.push_back(
        {"walks",
         {{"pc", CodeAddress{host_.warp(id).pc}}, {"mask", lanes_of_warp(host_.warp_size(), walks_[id].active)}}});
    add_waiting(id, row.entries);
    state.push_back(std::move(row));
  });
  return state;
}

}  // namespace heddle

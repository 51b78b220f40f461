#include "divergence/rendezvous.h"

#include <fmt/format.h>

#include <algorithm>

#include "exec/handlers.h"
#include "exec/monitor.h"

namespace heddle {
namespace {

// Operands that all threads of a group must agree on are taken from its first.
uint32_t first_value(Context& context, const Operand& operand, const Group& group) {
  return static_cast<uint32_t>(context.get_bits(operand, group.thread(group.mask.lowest())));
}

// The number of threads a barrier asks for; 0: everybody.
unsigned expected_of(Context& context, const Instruction& i, const Group& group) {
  const unsigned operands = i.src_count - (i.op == Op::BarRed ? 1U : 0U);
  return operands > 1 ? first_value(context, i.src[1], group) : 0;
}

}  // namespace

void Rendezvous::at_barrier(WarpId id, std::span<const Group> groups) {
  Warp& warp = host_.warp(id);
  const BlockId block = warp.block;
  const Instruction& i = host_.kernel().code[warp.pc];
  context_.pc = warp.pc;
  const unsigned index = first_value(context_, i.src[0], groups[0]);
  if (index >= kBarriers)
    throw context_.fault(groups[0].thread(groups[0].mask.lowest()),
                         fmt::format("barrier {} does not exist (0 to 15)", index));
  if (barriers_.size() <= block) barriers_.resize(block + 1U);
  Barrier& barrier = barriers_[block][index];
  barrier.expected = expected_of(context_, i, groups[0]);
  Waiting waiting{id, {}, &i};
  for (const Group& group : groups) {
    barrier.arrived += group.count;
    if (context_.monitor)
      context_.monitor->barrier_came(context_, {block, index, warp.pc, group.lanes(), i.op != Op::BarArrive});
    if (i.op != Op::BarRed) continue;
    barrier.votes += barrier_predicate(context_, i, group.lanes()).count();
    if (context_.taint)
      barrier.origin = std::max(barrier.origin, context_.taint->join(i.src[i.src_count - 1U], group.lanes()));
    for_each_lane(group.mask, [&](unsigned k) { waiting.threads.push_back(group.thread(k)); });
  }
  if (i.op == Op::BarArrive) {
    mechanism_.release(id);
    mechanism_.released();
  } else {
    host_.set_state(id, WarpState::AtBarrier);
    barrier.waiting.push_back(std::move(waiting));
  }
  complete_if_full(block, index);
}

void Rendezvous::complete_if_full(BlockId block, unsigned index) {
  Barrier& barrier = barriers_[block][index];
  const unsigned needed = barrier.expected != 0 ? barrier.expected : host_.live_threads(block);
  if (barrier.arrived < needed) return;
  Barrier done;
  done.waiting = std::move(spare_);
  std::swap(done, barrier);
  if (context_.monitor) context_.monitor->barrier_done(context_, block, index);
  for (const Waiting& waiting : done.waiting) deliver(done, waiting);
  for (const Waiting& waiting : done.waiting) mechanism_.release(waiting.warp);
  mechanism_.released();
  done.waiting.clear();
  spare_ = std::move(done.waiting);
}

void Rendezvous::block_end(BlockId block) {
  if (block >= barriers_.size()) return;
  for (Barrier& barrier : barriers_[block])
    if (barrier.arrived > 0) barrier = {};
}

void Rendezvous::deliver(const Barrier& barrier, const Waiting& waiting) {
  const Instruction& i = *waiting.instruction;
  if (i.op != Op::BarRed) return;
  uint64_t result = barrier.votes;
  if (i.has(Mod::And)) result = barrier.votes == barrier.arrived;
  if (i.has(Mod::Or)) result = barrier.votes > 0;
  for (Hw thread : waiting.threads) {
    context_.set_bits(i.dst[0], thread, result);
    if (context_.taint) context_.taint->set(i.dst[0], thread, barrier.origin);
  }
}

LaneMask Rendezvous::members_of(const Instruction& i, Hw thread) const {
  const LaneMask named(static_cast<uint32_t>(context_.get_bits(i.src[i.src_count - 1U], thread)));
  return (named & host_.alive_row(thread / kRow)) | LaneMask::of(thread % kRow);
}

// The common case: the whole static warp is here, and every member mask names all of it.
bool Rendezvous::fast_sync(const Group& group, const Instruction& i) {
  if (group.kind != Group::Kind::Rows || group.mask != host_.alive_row(group.row)) return false;
  const Operand& members = i.src[i.src_count - 1U];
  const uint32_t* masks = context_.source_row<uint32_t>(members, static_cast<Hw>(group.row * kRow));
  uint32_t missing = 0;
  for_each_lane(group.mask, [&](unsigned lane) { missing |= group.mask.bits() & ~masks[lane]; });
  if (missing != 0) return false;
  if (context_.monitor) tell_met(group.row, context_.pc, group.mask);
  context_.handlers[context_.pc](context_, i, group.lanes());
  return true;
}

unsigned Rendezvous::at_sync(WarpId id, std::span<const Group> groups) {
  const Pc pc = host_.warp(id).pc;
  const Instruction& i = host_.kernel().code[pc];
  context_.pc = pc;
  if (groups.size() == 1 && fast_sync(groups[0], i)) {
    mechanism_.release(id);
    mechanism_.released();
    return groups[0].count;
  }
  SyncWaiting waiting{id, pc, {}};
  if (context_.monitor)
    for (const Group& group : groups) context_.monitor->warp_came(context_, i, group.lanes());
  for (const Group& group : groups)
    for_each_lane(group.mask, [&](unsigned k) { waiting.left[group.thread(k) / kRow].add(group.thread(k) % kRow); });
  host_.set_state(id, WarpState::AtSync);
  unsigned executed = 0;
  const std::map<unsigned, LaneMask> rows = waiting.left;
  syncing_.push_back(std::move(waiting));
  for (const auto& [row, mask] : rows) {
    points_[{row, place_of(pc)}].arrived |= mask;
    executed += execute_complete(row, place_of(pc));
  }
  release_finished();
  for (const auto& [row, mask] : rows) tell_missing(id, row, place_of(pc));
  return executed;
}

// Whom a warp that waits now is waiting for.
void Rendezvous::tell_missing(WarpId id, unsigned row, Pc place) {
  const auto waiting =
      std::find_if(syncing_.begin(), syncing_.end(), [&](const SyncWaiting& each) { return each.warp == id; });
  if (waiting == syncing_.end()) return;
  LaneMask members;
  for_each_lane(waiting->left[row], [&](unsigned lane) {
    members |= members_of(host_.kernel().code[waiting->pc], static_cast<Hw>(row * kRow + lane));
  });
  const LaneMask missing = members.without(points_[{row, place}].arrived);
  if (!missing.empty()) mechanism_.misses(id, missing);
}

Pc Rendezvous::waits_at(unsigned row, Pc place, unsigned lane) const {
  if (place != kNoPc) return place;
  for (const SyncWaiting& waiting : syncing_)
    if (const auto left = waiting.left.find(row); left != waiting.left.end() && left->second.has(lane))
      return waiting.pc;
  throw InternalError("a thread waits at no warp-wide instruction");
}

// A thread that leaves itself out of its mask, which PTX leaves undefined, goes with those that it names: here it would
// wait for them forever once they are gone.
void Rendezvous::add_strays(unsigned row, Pc place, LaneMask arrived, LaneMask& members) const {
  for (bool more = arrived != members; more;) {
    more = false;
    for_each_lane(arrived.without(members), [&](unsigned lane) {
      const Instruction& i = host_.kernel().code[waits_at(row, place, lane)];
      const Hw thread = static_cast<Hw>(row * kRow + lane);
      const LaneMask named(static_cast<uint32_t>(context_.get_bits(i.src[i.src_count - 1U], thread)));
      if (named.has(lane) || !members_of(i, thread).without(members | LaneMask::of(lane)).empty()) return;
      members.add(lane);
      more = true;
    });
  }
}

// Executes for every set of members that is complete; how many threads that were.
unsigned Rendezvous::execute_complete(unsigned row, Pc place) {
  const auto point = points_.find({row, place});
  if (point == points_.end()) return 0;
  unsigned executed = 0;
  LaneMask undecided = point->second.arrived;
  while (!undecided.empty()) {
    const unsigned lane = undecided.lowest();
    const Instruction& i = host_.kernel().code[waits_at(row, place, lane)];
    LaneMask members = members_of(i, static_cast<Hw>(row * kRow + lane));
    undecided.remove(lane);
    if (!members.without(point->second.arrived).empty()) continue;
    add_strays(row, place, point->second.arrived, members);
    executed += execute(row, place, members);
    undecided = undecided.without(members);
    point->second.arrived = point->second.arrived.without(members);
  }
  if (point->second.arrived.empty()) points_.erase(point);
  return executed;
}

// With members that have exited, for which nobody waits any more.
void Rendezvous::tell_met(unsigned row, Pc place, LaneMask members) {
  LaneMask named = LaneMask::all();
  for_each_lane(members, [&](unsigned lane) {
    const Instruction& i = host_.kernel().code[waits_at(row, place, lane)];
    const Hw thread = static_cast<Hw>(row * kRow + lane);
    named &= LaneMask(static_cast<uint32_t>(context_.get_bits(i.src[i.src_count - 1U], thread)));
  });
  context_.monitor->warp_met(context_, row, members | named.without(host_.alive_row(row)));
}

// Once for all that are at the same instruction; shuffles see what those at other shuffles offer.
unsigned Rendezvous::execute(unsigned row, Pc place, LaneMask members) {
  std::map<Pc, LaneMask> together;
  for_each_lane(members, [&](unsigned lane) { together[waits_at(row, place, lane)].add(lane); });
  if (context_.monitor) tell_met(row, place, members);
  if (together.size() > 1)
    for (const auto& [pc, who] : together)
      if (const Instruction& i = host_.kernel().code[pc]; i.op == Op::Shfl)
        for_each_lane(who, [&](unsigned lane) {
          context_.offered[lane] = context_.get<uint32_t>(i.src[0], static_cast<Hw>(row * kRow + lane));
        });
  for (const auto& [pc, who] : together) {
    context_.pc = pc;
    context_.handlers[pc](context_, host_.kernel().code[pc], Lanes{who, static_cast<Hw>(row * kRow), nullptr});
    for (SyncWaiting& waiting : syncing_)
      if (waiting.pc == pc)
        if (auto left = waiting.left.find(row); left != waiting.left.end()) left->second = left->second.without(who);
  }
  if (together.size() > 1) context_.offered = {};
  return members.count();
}

void Rendezvous::release_finished() {
  const auto finished = [](const SyncWaiting& waiting) {
    return std::all_of(waiting.left.begin(), waiting.left.end(),
                       [](const auto& entry) { return entry.second.empty(); });
  };
  std::vector<WarpId> done;
  for (const SyncWaiting& waiting : syncing_)
    if (finished(waiting)) done.push_back(waiting.warp);
  std::erase_if(syncing_, finished);
  if (done.empty()) return;
  for (WarpId warp : done) mechanism_.release(warp);
  mechanism_.released();
}

void Rendezvous::exited(BlockId block) {
  if (block < barriers_.size())
    for (unsigned index = 0; index < kBarriers; ++index)
      if (barriers_[block][index].arrived > 0) complete_if_full(block, index);
  if (points_.empty()) return;
  const BlockShape& shape = host_.block(block);
  std::vector<std::pair<unsigned, Pc>> keys;
  for (const auto& [key, point] : points_)
    if (key.first >= shape.first / kRow && key.first * kRow < shape.first + shape.threads) keys.push_back(key);
  for (const auto& [row, place] : keys) execute_complete(row, place);
  release_finished();
}

void Rendezvous::explain(BlockId block, std::string& text) const {
  const Kernel& kernel = host_.kernel();
  if (block < barriers_.size())
    for (unsigned index = 0; index < kBarriers; ++index) {
      const Barrier& barrier = barriers_[block][index];
      if (barrier.arrived == 0) continue;
      const unsigned needed = barrier.expected != 0 ? barrier.expected : host_.live_threads(block);
      text += fmt::format("  barrier {}: {} of {} threads have come", index, barrier.arrived, needed);
      if (!barrier.waiting.empty()) {
        const Pc pc = static_cast<Pc>(barrier.waiting[0].instruction - kernel.code.data());
        text += fmt::format(", first at {}: {}", kernel.where(pc), kernel.text(pc));
      }
      text += "\n";
    }
  const BlockShape& shape = host_.block(block);
  for (const auto& [key, point] : points_) {
    const auto [row, place] = key;
    if (row < shape.first / kRow || row * kRow >= shape.first + shape.threads || point.arrived.empty()) continue;
    const Pc pc = waits_at(row, place, point.arrived.lowest());
    const LaneMask members = members_of(kernel.code[pc], static_cast<Hw>(row * kRow + point.arrived.lowest()));
    text += fmt::format(
        "  warp-wide instruction at {}: {}\n    static warp {}: lanes {:08x} wait, lanes {:08x} are missing\n",
        kernel.where(pc), kernel.text(pc), row - shape.first / kRow, point.arrived.bits(),
        members.without(point.arrived).bits());
  }
}

}  // namespace heddle

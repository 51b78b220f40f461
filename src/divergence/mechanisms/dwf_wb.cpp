#include "divergence/mechanisms/dwf_wb.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle {

void DwfWb::block_start(BlockId block) {
  const BlockShape& shape = host_.block(block);
  const size_t end = shape.first + shape.threads, width = host_.warp_size();
  if (depth_.size() < end) depth_.resize(end);
  if (warps_.size() * width < end) {
    warps_.resize((end + width - 1) / width);
    stopped_at_.resize(warps_.size(), kNoPc);
  }
  if (barriers_.empty()) barriers_.resize(host_.kernel().code.size() + 1);
  std::fill(depth_.begin() + shape.first, depth_.begin() + static_cast<ptrdiff_t>(end), 0);
  for (size_t warp = shape.first / width; warp * width < end; ++warp) {
    if (!warps_[warp].whole) remember(warps_[warp], -1);
    warps_[warp] = {};
  }
  Dwf::block_start(block);
}

// Whole warps keep to themselves; the others as under dwf.
uint32_t DwfWb::domain(Pc pc, Hw thread) const {
  if (warp_of(thread).whole) return kAlone | static_cast<uint32_t>(index_of(thread));
  return Dwf::domain(pc, thread);
}

void DwfWb::resolve(WarpId id, std::span<const Outcome> outcomes) {
  if (outcomes[0].kind != Outcome::Kind::Exit) return Dwf::resolve(id, outcomes);
  const KeptGroup group(outcomes[0].group);  // its warp may be used again on the way
  Dwf::resolve(id, outcomes);
  exited(group.group());
}

void DwfWb::go_by(WarpId id, const Outcome& outcome) {
  const Hw first = outcome.group.thread(outcome.group.mask.lowest());
  if (outcome.targets.size() > 1 && warp_of(first).whole)
    set_barrier(host_.warp(id).pc, first, outcome.kind == Outcome::Kind::Call);
  count_depth(outcome);
  Dwf::go_by(id, outcome);
}

void DwfWb::diverges(Pc branch, const Threads& by) {
  const Hw first = by.at[by.mask.lowest()];
  if (warp_of(first).whole) set_barrier(branch, first, false);
}

void DwfWb::set_barrier(Pc branch, Hw first, bool calls) {
  StaticWarp& warp = warp_of(first);
  warp = {};
  warp.whole = false;
  warp.depth = depth_[first];
  warp.barrier = calls ? branch + 1 : host_.kernel().reconvergence[branch];
  if (warp.barrier == kNoPc) --warp.depth;  // where the function returns to; in the kernel itself, nowhere
  remember(warp, 1);
}

void DwfWb::remember(const StaticWarp& warp, int change) {
  if (warp.depth < 0) return;
  unsigned& count = warp.barrier == kNoPc ? barriers_at_returns_ : barriers_[warp.barrier];
  count += static_cast<unsigned>(change);
}

void DwfWb::count_depth(const Outcome& outcome) {
  if (outcome.kind != Outcome::Kind::Call && outcome.kind != Outcome::Kind::Return) return;
  const int change = outcome.kind == Outcome::Kind::Call ? 1 : -1;
  for_each_lane(outcome.group.mask, [&](unsigned k) {
    uint16_t& depth = depth_[outcome.group.thread(k)];
    depth = static_cast<uint16_t>(depth + change);
  });
}

bool DwfWb::stops(Pc pc, Hw thread) {
  const size_t index = index_of(thread);
  StaticWarp& warp = warps_[index];
  if (warp.whole || warp.depth != depth_[thread] || (warp.barrier != kNoPc && warp.barrier != pc)) return false;
  warp.waiting.add(thread & (host_.warp_size() - 1));
  stopped_at_[index] = pc;
  go_on_whole_if_complete(index);
  return true;
}

LaneMask DwfWb::live(size_t warp) const {
  const auto first = static_cast<unsigned>(warp << shift_);
  const uint32_t row = host_.alive_row(first / kRow).bits() >> (first % kRow);
  return LaneMask(row) & LaneMask::first(host_.warp_size());
}

void DwfWb::go_on_whole_if_complete(size_t index) {
  StaticWarp& warp = warps_[index];
  if (warp.whole || warp.waiting.empty() || warp.waiting != live(index)) return;
  Threads threads;
  for_each_lane(warp.waiting, [&](unsigned k) { put(threads, static_cast<Hw>(index * host_.warp_size() + k)); });
  remember(warp, -1);
  warp = {};
  form(stopped_at_[index], threads);
}

// Those who wait may have waited for threads that have left.
void DwfWb::exited(const Group& group) {
  size_t last = warps_.size();  // neighbours are mostly of one static warp
  for_each_lane(group.mask, [&](unsigned k) {
    const size_t index = index_of(group.thread(k));
    if (index == std::exchange(last, index)) return;
    warps_[index].waiting = warps_[index].waiting & live(index);
    go_on_whole_if_complete(index);
  });
  finish();
}

State DwfWb::state(BlockId block) const {
  State state = Dwf::state(block);
  const BlockShape& shape = host_.block(block);
  const unsigned width = host_.warp_size();
  for (size_t index = shape.first / width; index * width < shape.first + shape.threads; ++index) {
    const StaticWarp& warp = warps_[index];
    if (warp.waiting.empty()) continue;
    state.push_back({"static warp",
                     index - shape.first / width,
                     {{"waits at its barrier",
                       {{"at", CodeAddress{stopped_at_[index]}},
                        {"mask", lanes_of_warp(width, warp.waiting)},
                        {"alive", lanes_of_warp(width, live(index))}}}}});
  }
  return state;
}

StateCost DwfWb::cost() const {
  // Beside dwf's: for each static warp the barrier's PC, who is there, and whether it is whole.
  StateCost cost = Dwf::cost();
  cost.bits_per_warp += 32 + host_.warp_size() + 1;
  return cost;
}

}  // namespace heddle

#include "divergence/host.h"

#include <algorithm>
#include <functional>

#include "base/error.h"

namespace heddle {
namespace {

bool waits_for_all(const Instruction& i) {
  return i.op != Op::BarArrive && i.src_count - (i.op == Op::BarRed ? 1U : 0U) <= 1;
}

}  // namespace

Host::Host(const Kernel& kernel, unsigned warp_size, LaneMap lanes)
    : kernel_(kernel),
      warp_size_(warp_size),
      lanes_(lanes),
      all_meet_(std::all_of(kernel.code.begin(), kernel.code.end(),
                            [](const Instruction& i) { return i.flow != Flow::Barrier || waits_for_all(i); })) {}

WarpId Host::take_id() {
  if (!free_.empty()) {
    const WarpId id = free_.back();
    free_.pop_back();
    return id;
  }
  require(warps_.size() < WarpId::kLast, "the warp table is full");
  warps_.emplace_back();
  lists_.push_back(std::make_unique<std::array<Hw, kRow>>());
  kin_.push_back(0);
  kin_changes_.push_back(0);
  parent_of_.push_back(WarpId{0});
  return static_cast<WarpId>(warps_.size() - 1);
}

inline void Host::copy_group(WarpId id, const Group& group) {
  Group& own = warps_[id].group;
  own = group;
  if (group.kind != Group::Kind::List) return;
  std::array<Hw, kRow>& list = *lists_[id];
  if (own.threads != list.data()) std::copy_n(own.threads, kRow, list.begin());
  own.threads = list.data();
}

inline void Host::begin(WarpId id, BlockId block, Pc pc, const Group& group) {
  Warp& fresh = warps_[id] = {};
  fresh.pc = pc;
  fresh.block.value_ = block;
  fresh.age = fresh.serial = opened_++;
  fresh.parent = id;
  keyed_.erase(id);
  change(id, WarpState::Free, WarpState::Ready);
  copy_group(id, group);
}

WarpId Host::open(BlockId block, Pc pc, const Group& group) {
  const WarpId id = take_id();
  kin_[id] = 1;
  parent_of_[id] = id;
  if (members_.size() <= block) members_.resize(block + 1U);
  members_[block].insert(id);
  if (!parts_.empty()) parts_[id % parts_.size()].insert(id);
  begin(id, block, pc, group);
  return id;
}

void Host::reopen(WarpId id, Pc pc, const Group& group) {
  if (watch.wants(Observer::kWarps)) [[unlikely]]
    set_state(id, WarpState::Free);
  begin(id, warps_[id].block, pc, group);
}

WarpId Host::open_split(WarpId sibling, Pc pc, const Group& group) {
  const Warp of = warps_[sibling];
  const WarpId id = open(of.block, pc, group);
  Warp& split = warps_[id];
  split.age = of.age;
  split.parent = parent_of_[id] = of.parent;
  kin_changes_[of.parent] = ++last_kin_change_;
  if (!parts_.empty()) {
    parts_[id % parts_.size()].erase(id);
    parts_[of.parent % parts_.size()].insert(id);
  }
  split.depth = of.depth;
  kin_[id] = 0;
  ++kin_[of.parent];
  ++split_count_;
  splits_.insert(id);
  parents_.insert(of.parent);
  if (splits_of_.size() <= of.parent) splits_of_.resize(of.parent + 1U);
  splits_of_[of.parent].push_back(id);
  return id;
}

void Host::close(WarpId id) {
  const WarpId parent = warps_[id].parent;
  set_state(id, WarpState::Free);
  if (!parts_.empty()) parts_[parent % parts_.size()].erase(id);
  members_[warps_[id].block.value_].erase(id);
  if (parent != id) {
    --split_count_;
    splits_.erase(id);
    std::erase(splits_of_[parent], id);
    if (splits_of_[parent].empty()) parents_.erase(parent);
    free_.push_back(id);
  }
  if (--kin_[parent] == 0) free_.push_back(parent);
}

void Host::renew_ids() {
  require(free_.size() == warps_.size(), "ids of warps that are still there");
  std::sort(free_.begin(), free_.end(), std::greater<>());
}

// Parent by parent: those that are in the sets themselves, and those that have splits.
WarpId Host::next_split_from(uint32_t from, const WarpSet& warps, const WarpSet& others) const {
  const auto is_there = [&](WarpId id) { return position(id) >= from && warps.contains(id) && others.contains(id); };
  const auto next_parent = [&](unsigned id) { return warps.next_from(id, others, splits_, parents_); };
  for (WarpId parent = next_parent(from >> 16); parent != kNoWarp; parent = next_parent(parent + 1U)) {
    WarpId first = is_there(parent) ? parent : kNoWarp;
    if (parents_.contains(parent))
      for (const WarpId id : splits_of_[parent])
        if (id < first && is_there(id)) first = id;
    if (first != kNoWarp) return first;
  }
  return kNoWarp;
}

void Host::change_to(WarpId id, WarpState state) { change(id, warps_[id].state, state); }

void Host::tell_passed(WarpId id) const {
  watch.tell<&Observer::changed>(Observer::kWarps, WarpChanged{id, WarpState::Ready, WarpState::InFlight});
  watch.tell<&Observer::changed>(Observer::kWarps, WarpChanged{id, WarpState::InFlight, WarpState::Ready});
}

unsigned Host::count(WarpState state) const {
  return static_cast<unsigned>(
      std::count_if(warps_.begin(), warps_.end(), [&](const Warp& warp) { return warp.state == state; }));
}

void Host::set_block(WarpId id, BlockId block) {
  if (warps_[id].block == block) return;
  members_[warps_[id].block.value_].erase(id);
  warps_[id].block.value_ = block;
  if (members_.size() <= block) members_.resize(block + 1U);
  members_[block].insert(id);
}

void Host::keep_first_wishes(WarpSet& warps) const {
  if (warps.contains(wished)) {
    warps.clear();
    return warps.insert(wished);
  }
  if (!warps.meets(keyed_)) return;
  if (warps.meets(warps, keyed_)) return warps.remove(keyed_);  // some have the key 0
  uint32_t smallest = UINT32_MAX;
  warps.for_each([&](WarpId id) { smallest = std::min<uint32_t>(smallest, warps_[id].key); });
  warps.for_each([&](WarpId id) {
    if (warps_[id].key != smallest) warps.erase(id);
  });
}

void Host::take_first_wishes(WarpSet& warps) const {
  take_keyless(warps);
  if (!warps.empty() && !ready_.contains(wished)) return;
  warps = ready_;
  keep_first_wishes(warps);
}

void Host::set_group(WarpId id, const Group& group) {
  copy_group(id, group);
  wake(id);  // others may wait for other registers
}

void Host::start_block(BlockId block, const BlockShape& shape) {
  if (blocks_.size() <= block) blocks_.resize(block + 1U);
  if (members_.size() <= block) members_.resize(block + 1U);
  if (live_.size() <= block) live_.resize(block + 1U);
  blocks_[block] = shape;
  live_[block] = shape.threads;
  std::erase(by_age_, block);
  by_age_.push_back(block);
  const unsigned first_row = shape.first / kRow, rows = (shape.threads + kRow - 1) / kRow;
  if (alive_.size() < first_row + rows) alive_.resize(first_row + rows);
  for (unsigned row = 0; row < rows; ++row)
    alive_[first_row + row] = LaneMask::first(std::min(kRow, shape.threads - row * kRow));
}

Group Host::static_warp(BlockId block, unsigned index) const {
  const BlockShape& shape = blocks_[block];
  const unsigned begin = index * warp_size_, count = std::min(warp_size_, shape.threads - begin);
  const uint32_t bits = LaneMask::first(count).bits() << (begin % kRow);
  return Group::rows((shape.first + begin) / kRow, LaneMask(bits));
}

}  // namespace heddle

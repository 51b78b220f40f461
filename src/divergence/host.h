// What a mechanism finds on the machine it runs on: the warp table of a core, its blocks, the kernel, the clock.
// A plain object, so that a test can drive a mechanism by hand.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "divergence/lane_map.h"
#include "divergence/observer.h"
#include "divergence/warp.h"
#include "divergence/warp_set.h"
#include "program/kernel.h"

namespace heddle {

struct BlockShape {
  Hw first{0};  // the block owns first … first + threads - 1; first is the start of a row
  unsigned threads = 0;
  uint64_t order = 0;  // blocks are numbered as they start
};

// What keeps threads from an instruction: nothing, a result that is not there yet, or one that comes from memory
// because a load has missed the caches.
enum class Wait : uint8_t { Nothing, Result, Memory };

class Host {
 public:
  Host(const Kernel& kernel, unsigned warp_size, LaneMap lanes = LaneMap::none());

  const Kernel& kernel() const { return kernel_; }
  unsigned warp_size() const { return warp_size_; }
  unsigned warps_of(const BlockShape& block) const { return (block.threads + warp_size_ - 1) / warp_size_; }

  // Warps. References are good until the next open().
  Warp& warp(WarpId id) { return warps_[id]; }
  const Warp& warp(WarpId id) const { return warps_[id]; }
  size_t size() const { return warps_.size(); }
  WarpId open(BlockId block, Pc pc, const Group& group);  // Ready; a List's threads are copied
  // A part of another warp that is issued by itself. Its parent (that of `sibling`) keeps its id, so that nobody else
  // is taken for it, until it and all its splits are closed.
  WarpId open_split(WarpId sibling, Pc pc, const Group& group);
  bool has_kin(WarpId id) const { return kin_[parent_of_[id]] > 1; }  // others that are, or were, parts of one warp
  template <class F>
  void for_each_kin(WarpId id, F&& f) const {  // itself, too
    const WarpId parent = parent_of_[id];
    f(parent);
    if (parents_.contains(parent)) std::for_each(splits_of_[parent].begin(), splits_of_[parent].end(), f);
  }
  // Does it stay as it is until the mechanism hears of others of its static warp, or of all others of its block?
  bool stays(WarpId id) const {
    const WarpState state = warps_[id].state;
    return state == WarpState::Held || state == WarpState::Free || (state == WarpState::AtBarrier && all_meet_);
  }
  bool goes_alone(WarpId id) const {  // all others that are parts of the same warp stay
    if (!has_kin(id)) return true;
    bool alone = true;
    for_each_kin(id, [&](WarpId each) { alone = alone && (each == id || stays(each)); });
    return alone;
  }
  // Is this warp of that age, or one of its splits, still there?
  bool is_open(WarpId parent, uint64_t age) const { return kin_[parent] > 0 && warps_[parent].age == age; }
  // Whoever goes round in a circle goes by parents, then by ids: the position behind a warp, and the first member of a
  // set (of both sets) from there on, or kNoWarp.
  uint32_t position(WarpId id) const { return uint32_t{parent_of_[id]} << 16 | id; }
  uint32_t position_after(WarpId id) const { return position(id) + 1; }
  static WarpId at_position(uint32_t position) { return static_cast<WarpId>(position & 0xffff); }
  bool has_splits() const { return split_count_ > 0; }
  uint64_t opened() const { return opened_; }  // warps so far
  WarpId next_from(uint32_t position, const WarpSet& warps) const {
    return split_count_ == 0 ? warps.next_from(first_at(position)) : next_split_from(position, warps, warps);
  }
  // The first from there on, else the first of all; of a set that is not empty.
  WarpId next_round(uint32_t position, const WarpSet& warps) const {
    if (split_count_ == 0) return warps.next_round(first_at(position));
    const WarpId next = next_split_from(position, warps, warps);
    return next != kNoWarp ? next : next_split_from(0, warps, warps);
  }
  WarpId next_from(uint32_t position, const WarpSet& warps, const WarpSet& others) const {
    return split_count_ == 0 ? warps.next_from(first_at(position), others) : next_split_from(position, warps, others);
  }
  void close(WarpId id);
  // close() and open() of a warp that is nobody's split: another of the same block takes its id.
  void reopen(WarpId id, Pc pc, const Group& group);
  // Nobody is there, and those who come get the ids they would get on a new table.
  void renew_ids();
  // Where parts of a core issue by themselves, as many as a power of two: a warp is of the part that is its number
  // modulo theirs, a split of its parent's. Said before the first warp is opened.
  void divide(unsigned parts) { parts_.resize(parts); }
  const WarpSet* part(unsigned index) const { return parts_.empty() ? nullptr : &parts_[index]; }
  size_t part_of(WarpId id) const { return parent_of_[id] & (parts_.size() - 1); }
  // Warps that have become Ready since somebody looked: maybe under the id, even in the state, they had then. With
  // parts each looks for itself.
  const WarpSet& news() const { return news_; }
  bool has_news(const WarpSet& part) const { return news_.meets(part); }
  void looked(const WarpSet& part) { news_.remove(part); }
  void looked() { news_.clear(); }
  void set_group(WarpId id, const Group& group);  // a List's threads are copied
  void set_block(WarpId id, BlockId block);
  void set_key(WarpId id, uint32_t key) {
    if (warps_[id].key != key) ++changes_;
    kin_changes_[parent_of_[id]] = ++last_kin_change_;
    warps_[id].key.value_ = key;
    if (key > 0)
      keyed_.insert(id);
    else
      keyed_.erase(id);
  }
  void set_state(WarpId id, WarpState state) {
    if (warps_[id].state != state) change_to(id, state);
  }
  // The changes of most: a warp that is Ready is taken, and is Ready again, or is held.
  [[gnu::always_inline]] void take(WarpId id) { change(id, WarpState::Ready, WarpState::InFlight); }
  [[gnu::always_inline]] void finish(WarpId id) { change(id, WarpState::InFlight, WarpState::Ready); }
  void hold(WarpId id) { change(id, WarpState::Ready, WarpState::Held); }
  // The first two at once: it is at another instruction.
  [[gnu::always_inline]] void pass(WarpId id) {
    if (watch.wants(Observer::kWarps)) [[unlikely]]
      tell_passed(id);
    news_.insert(id);
  }
  // Counts changes of states and keys, of all warps. And the number of the last such change of a warp and its kin, by
  // which no other change of any warps goes; there keys that are only said again are changes, too.
  // With a clock they are counted only where warps go together in a cycle.
  uint64_t changes() const { return changes_; }
  uint64_t kin_changes(WarpId id) const { return kin_changes_[parent_of_[id]]; }
  // Ready, and nothing is known that keeps them back.
  const WarpSet& ready() const { return ready_; }
  // A machine knows that the warp, Ready as it is, cannot go; until wake() or until its state changes.
  void put_to_sleep(WarpId id) { ready_.erase(id); }
  void wake(WarpId id) {
    if (warps_[id].state == WarpState::Ready) make_ready(id);
  }
  unsigned count(WarpState state) const;
  // Leaves the warps that come first by their mechanism's wish: the wished one, else those with the smallest key.
  void keep_first_wishes(WarpSet& warps) const;
  void take_first_wishes(WarpSet& warps) const;                                      // these of ready()
  void take_keyless(WarpSet& warps) const { warps.assign_without(ready_, keyed_); }  // those of ready() with the key 0

  // Blocks and threads.
  void start_block(BlockId block, const BlockShape& shape);
  const BlockShape& block(BlockId block) const { return blocks_[block]; }
  size_t block_count() const { return blocks_.size(); }
  // Ids in the order in which their blocks started; those whose block is gone have no warps.
  std::span<const BlockId> oldest_blocks() const { return by_age_; }
  const WarpSet& warps_in(BlockId block) const { return members_[block]; }  // those that are not Free
  Group static_warp(BlockId block, unsigned index) const;  // threads W·index … of the block, as a row group
  bool alive(Hw thread) const { return alive_[thread / kRow].has(thread % kRow); }
  LaneMask alive_row(unsigned row) const { return alive_[row]; }
  unsigned live_threads(BlockId block) const { return block < live_.size() ? live_[block] : 0; }
  void exit(BlockId block, const Group& group) {
    live_[block] -= group.count;
    if (group.kind == Group::Kind::Rows)
      alive_[group.row] = alive_[group.row].without(group.mask);
    else
      for_each_lane(group.mask, [&](unsigned k) { alive_[group.thread(k) / kRow].remove(group.thread(k) % kRow); });
  }
  // The lane a thread must run in.
  unsigned home_lane(BlockId block, Hw thread) const {
    const unsigned id = static_cast<unsigned>(thread) - blocks_[block].first;
    return lanes_.lane(id / warp_size_, id % warp_size_, warp_size_);
  }

  // Is a row's lane always the thread's own? Else home_lane() says.
  bool at_home() const { return lanes_.name() == LaneMap::none().name() && warp_size_ == kRow; }

  // Set by a machine that knows which registers are there; without it nobody waits.
  std::function<Wait(Pc, const Group&)> waits;
  std::function<LaneMask(Pc, const Group&)> able;
  Wait wait_of(Pc pc, const Group& group) const { return waits ? waits(pc, group) : Wait::Nothing; }
  LaneMask able_of(Pc pc, const Group& group) const { return able ? able(pc, group) : group.mask; }

  std::vector<Pc> comes_to;  // by PC, if any: a branch to which threads come and do nothing that others see; or kNoPc

  CoreCycle now{0};                // without a clock: issue slots
  bool timed = false;              // with a clock: warps that are ready compete for its cycles
  bool counts_changes = true;      // somebody may ask for them
  WarpId wished = kNoWarp;         // by a mechanism with wishes: this warp goes before all others
  uint64_t waits_at_meetings = 0;  // machine instructions of threads that come to where others will, and wait
  Watch watch;                     // who wants to hear what happens; usually nobody

 private:
  WarpId take_id();
  void begin(WarpId id, BlockId block, Pc pc, const Group& group);
  void copy_group(WarpId id, const Group& group);
  [[gnu::always_inline]] void change(WarpId id, WarpState old, WarpState state) {
    if (watch.wants(Observer::kWarps)) [[unlikely]]
      watch.tell<&Observer::changed>(Observer::kWarps, WarpChanged{id, old, state});
    warps_[id].state.value_ = state;
    if (counts_changes) {
      ++changes_;
      kin_changes_[parent_of_[id]] = ++last_kin_change_;
    }
    if (old == WarpState::Ready) ready_.erase(id);
    if (state == WarpState::Ready) make_ready(id);
  }
  void change_to(WarpId id, WarpState state);
  void tell_passed(WarpId id) const;
  void make_ready(WarpId id) {
    ready_.insert(id);
    news_.insert(id);
  }
  // The lowest id that is its own parent and not before the position.
  static unsigned first_at(uint32_t position) { return (position >> 16) + ((position & 0xffff) > position >> 16); }
  WarpId next_split_from(uint32_t position, const WarpSet& warps, const WarpSet& others) const;

  const Kernel& kernel_;
  unsigned warp_size_;
  LaneMap lanes_;
  const bool all_meet_;  // whoever waits at a barrier waits for all threads of the block
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<std::array<Hw, kRow>>> lists_;  // by warp: storage of List groups
  std::vector<WarpId> free_;
  std::vector<uint16_t> kin_;      // by id: itself, while it is open, and its open splits
  std::vector<WarpId> parent_of_;  // by id: Warp::parent, side by side for who looks through many
  WarpSet splits_;
  WarpSet parents_;                             // that have splits,
  std::vector<std::vector<WarpId>> splits_of_;  // by parent
  unsigned split_count_ = 0;
  uint64_t opened_ = 0;
  uint64_t changes_ = 0;
  uint64_t last_kin_change_ = 0;
  std::vector<uint64_t> kin_changes_;  // by parent
  WarpSet ready_, keyed_;              // keyed_: with a key that is not 0
  std::vector<WarpSet> parts_;         // none: nobody has asked for them
  WarpSet news_;
  std::vector<BlockShape> blocks_;
  std::vector<BlockId> by_age_;
  std::vector<WarpSet> members_;  // by block
  std::vector<LaneMask> alive_;   // by row
  std::vector<unsigned> live_;    // threads, by block
};

}  // namespace heddle

// dwf: how warps of the pool are formed.
#include <utility>

#include "divergence/mechanisms/dwf.h"
#include "divergence/support/thread_lists.h"

namespace heddle {

// Who may share a warp at this PC: everybody (0), or threads of one block or one static warp.
uint32_t Dwf::domain(Pc pc, Hw thread) const {
  switch (mixing_[pc]) {
    case Mixing::Free: break;
    case Mixing::OneBlock: return 1U + block_of_[thread / kRow];
    case Mixing::OneStaticWarp: return 1U + thread / kRow;
  }
  return 0;
}

WarpId Dwf::youngest(Pc pc, uint32_t wanted) const {
  const std::vector<WarpId>& warps = at_[pc].warps;
  for (size_t i = warps.size(); i-- > 0;)
    if (pool_[warps[i]].domain == wanted) return warps[i];
  return kNoWarp;
}

// Threads of a warp whose instruction has completed, some or all of them, come to a PC. Those that nobody has room for
// stay in it, and are a new one, unless others have stayed there before.
void Dwf::come(WarpId id, const Threads& threads, LaneMask who, Pc pc) {
  const uint32_t wanted = domain(pc, threads.at[who.lowest()]);
  const bool alone = wanted >= kAlone;
  if (!alone && (!one_domain(pc) || may_stop(pc))) {
    Threads own = threads;
    own.mask = who;
    return join(pc, own);
  }
  const WarpId there = alone ? kNoWarp : youngest(pc, wanted);
  const LaneMask fits = there == kNoWarp ? LaneMask{} : who.without(pool_[there].threads.mask);
  if (!fits.empty()) add(there, threads, fits);
  if (fits == who) return;
  const LaneMask rest = who.without(fits);
  if (spare_ != id) {
    Threads own = threads;
    own.mask = rest;
    return form(pc, own, wanted);
  }
  spare_ = kNoWarp;
  if (rest != std::exchange(pool_[id].threads.mask, rest)) show(id);
  enter(id, pc, wanted);
}

void Dwf::join(Pc pc, const Threads& all) {
  Threads threads = all;
  if (may_stop(pc))
    for_each_lane(all.mask, [&](unsigned lane) {
      if (stops(pc, all.at[lane])) threads.mask.remove(lane);
    });
  if (threads.mask.empty()) return;
  if (one_domain(pc) || of_one_row(threads.at.data(), threads.mask))
    return join_one(pc, threads, domain_of(pc, threads));
  LaneMask left = threads.mask;
  while (!left.empty()) {
    Threads part = threads;
    const uint32_t wanted = domain(pc, threads.at[left.lowest()]);
    part.mask = {};
    for_each_lane(left, [&](unsigned lane) {
      if (domain(pc, threads.at[lane]) == wanted) part.mask.add(lane);
    });
    join_one(pc, part, wanted);
    left = left.without(part.mask);
  }
}

void Dwf::join_one(Pc pc, const Threads& threads, uint32_t wanted) {
  const WarpId id = youngest(pc, wanted);
  const LaneMask fits = id == kNoWarp ? LaneMask{} : threads.mask.without(pool_[id].threads.mask);
  join_part(pc, threads, wanted, id, fits);
}

// Those that fit go into the warp, the others form one.
void Dwf::join_part(Pc pc, const Threads& threads, uint32_t wanted, WarpId id, LaneMask fits) {
  if (!fits.empty()) add(id, threads, fits);
  if (fits == threads.mask) return;
  Threads rest = threads;
  rest.mask = rest.mask.without(fits);
  form(pc, rest, wanted);
}

// One thread after the other, each into the youngest warp or a new one. Threads of a row that are at home in their
// lanes need no others: all behind the first that finds its lane taken go with that one.
void Dwf::join_in_order(Pc pc, std::span<const Lanes> rows) {
  std::vector<Lanes> left(rows.begin(), rows.end());
  if (may_stop(pc))
    for (Lanes& row : left)
      for_each_lane(row.mask, [&](unsigned place) {
        if (stops(pc, row.thread(place))) row.mask.remove(place);
      });
  for (const Lanes& row : left) {
    if (row.mask.empty()) continue;
    if (at_home_[row.first / kRow])
      join_next(pc, threads_of(row));
    else
      for_each_lane(row.mask, [&](unsigned place) {
        join_next(pc, threads_of({LaneMask::of(place), row.first, nullptr}));
      });
  }
}

Dwf::Threads Dwf::threads_of(const Lanes& row) const {
  Threads threads;
  if (at_home_[row.first / kRow]) {
    threads.mask = row.mask;
    put_by_lane(threads.at.data(), row.mask, row.first);
  } else {
    for_each_lane(row.mask, [&](unsigned place) { put(threads, row.thread(place)); });
  }
  return threads;
}

void Dwf::join_next(Pc pc, const Threads& threads) {
  const uint32_t wanted = domain_of(pc, threads);
  const WarpId id = youngest(pc, wanted);
  if (id == kNoWarp) return form(pc, threads, wanted);
  const LaneMask taken = threads.mask & pool_[id].threads.mask;
  join_part(pc, threads, wanted, id, taken.empty() ? threads.mask : threads.mask & LaneMask::first(taken.lowest()));
}

void Dwf::form(Pc pc, const Threads& threads, uint32_t domain) {
  const WarpId id = spare_ != kNoWarp ? spare_ : host_.open(BlockId{0}, pc, {});
  spare_ = kNoWarp;
  if (pool_.size() <= id) pool_.resize(id + 1U);
  pool_[id].threads = threads;
  show(id);
  enter(id, pc, domain);
}

// A warp of the pool gains threads; it keeps its place and age.
void Dwf::add(WarpId id, const Threads& threads, LaneMask who) {
  PoolWarp& warp = pool_[id];
  if (!drains()) ranking_.erase(rank(id));
  at_[warp.pc].threads += who.count();
  at_[warp.pc].knows_rows = false;
  put_from(warp.threads.at.data(), who, threads.at.data());
  warp.threads.mask |= who;
  if (!drains()) rank_anew(id);
  show(id);
}

// Those that were formed or gained threads meanwhile; some of them are gone.
void Dwf::name_groups() {
  for (const WarpId id : changed_)
    if (std::exchange(pool_[id].changed, false) && pool_[id].pooled) show(id);
  changed_.clear();
}

// Threads of one register row are a row group, which executes faster; all are at home in their lanes.
void Dwf::show(WarpId id) {
  const Threads& threads = pool_[id].threads;
  if (shows_later_) {
    host_.warp(id).group.count = static_cast<uint8_t>(threads.mask.count());
    if (!std::exchange(pool_[id].changed, true)) changed_.push_back(id);
    return;
  }
  const unsigned row = threads.at[threads.mask.lowest()] / kRow;
  host_.set_block(id, block_of_[row]);
  if (!of_one_row(threads.at.data(), threads.mask))
    return host_.set_group(id, Group::list(threads.at.data(), threads.mask));
  LaneMask bits = threads.mask;
  if (!at_home_[row]) {
    bits = {};
    for_each_lane(threads.mask, [&](unsigned lane) { bits.add(threads.at[lane] % kRow); });
  }
  host_.set_group(id, Group::rows(row, bits));
}

}  // namespace heddle

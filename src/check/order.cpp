#include "check/order.h"

#include <algorithm>

namespace heddle::check {
namespace {

constexpr std::array kReaches{Reach::Block, Reach::Gpu};

size_t index_of(Reach reach) { return static_cast<size_t>(reach); }

Knowledge made(Clock clock) { return std::make_shared<const Clock>(std::move(clock)); }

}  // namespace

Order::Order(Timeline& timeline, unsigned rows, unsigned rows_per_block)
    : timeline_(timeline), warps_(rows), blocks_(rows / std::max(1U, rows_per_block)) {}

void Order::start_block(const Context& context, BlockId id) {
  const BlockState& state = context.blocks[id];
  const Dim3& grid = context.launch.grid;
  const unsigned rows = (state.threads + kRow - 1) / kRow;
  Block block;
  block.number = (state.index.z * grid.y + state.index.y) * grid.x + state.index.x;
  block.first = state.first / kRow;
  block.rows = rows;
  block.start = block.known = timeline_.now();
  for (unsigned k = 0; k < rows; ++k) {
    Warp warp;
    warp.number = block.number * rows + k;
    warp.block = id;
    warp.all = warp.alive = LaneMask::first(state.threads - k * kRow);
    warp.known = block.known;
    new_segment(warp);
    warps_[block.first + k] = std::move(warp);
  }
  blocks_[id] = std::move(block);
}

std::array<Order::Lane, kRow>& Order::lanes_of(Warp& warp) {
  if (!warp.lanes) warp.lanes = std::make_unique<std::array<Lane, kRow>>();
  return *warp.lanes;
}

// ---- meetings of a warp

void Order::warp_met(unsigned row, LaneMask members) {
  Warp& warp = warps_[row];
  if (!warp.all.without(members).empty()) return meet_some(warp, members);
  if (!warp.touched && !warp.lanes && !warp.partial) return;  // nobody has anything to tell
  meet_all(warp);
}

// What the lanes have beyond their warp, for all of them.
void Order::gather_lanes(const Warp& warp, LaneMask lanes, Knowledge& extra, Released& released) const {
  if (!warp.lanes) return;
  std::array<Clock, 2> fenced;
  std::array<LaneMask, 2> who;
  for_each_lane(lanes, [&](unsigned lane) {
    const Lane& state = (*warp.lanes)[lane];
    extra = joined(joined(extra, state.extra), state.pending);
    for (const Reach reach : kReaches) {
      released[index_of(reach)] = joined(released[index_of(reach)], state.released[index_of(reach)]);
      const Fenced& own = state.fenced[index_of(reach)];
      if (own.at == 0) continue;
      released[index_of(reach)] = joined(released[index_of(reach)], own.knew);
      fenced[index_of(reach)].add_lane(warp.number, lane, own.at);
      who[index_of(reach)].add(lane);
    }
  });
  for (const Reach reach : kReaches)
    if (!who[index_of(reach)].empty())
      released[index_of(reach)] = joined(released[index_of(reach)], made(std::move(fenced[index_of(reach)])));
}

void Order::meet_all(Warp& warp) {
  gather_lanes(warp, warp.all, warp.extra, warp.released);
  warp.lanes.reset();
  warp.partial.reset();
  warp.known = warp.now;
  new_segment(warp);
}

void Order::meet_some(Warp& warp, LaneMask members) {
  if (!warp.partial) {
    warp.partial = std::make_unique<Matrix>();
    for (auto& row : *warp.partial) row.fill(warp.known);
  }
  Matrix& matrix = *warp.partial;
  std::array<Segment, kRow> sum{};
  for_each_lane(members, [&](unsigned lane) {
    for (unsigned other = 0; other < kRow; ++other) sum[other] = std::max(sum[other], matrix[lane][other]);
  });
  for_each_lane(members, [&](unsigned lane) { sum[lane] = warp.now; });
  for_each_lane(members, [&](unsigned lane) { matrix[lane] = sum; });
  if (warp.lanes) {
    Knowledge extra;
    Released released;
    gather_lanes(warp, members, extra, released);
    tell_lanes(warp, members, extra, released);
  }
  new_segment(warp);
}

void Order::tell_lanes(Warp& warp, LaneMask lanes, const Knowledge& extra, const Released& released) {
  std::array<Lane, kRow>& states = lanes_of(warp);
  for_each_lane(lanes, [&](unsigned lane) {
    Lane& state = states[lane];
    state.extra = joined(joined(state.extra, state.pending), extra);
    state.pending.reset();
    for (const Reach reach : kReaches)
      state.released[index_of(reach)] = joined(state.released[index_of(reach)], released[index_of(reach)]);
  });
}

// ---- barriers

void Order::barrier_came(const BarrierCame& came) {
  Barrier& barrier = blocks_[came.block].barriers[came.index];
  for (LaneMask left = came.lanes.mask; !left.empty();) {
    const unsigned row = came.lanes.thread(left.lowest()) / kRow;
    LaneMask lanes;
    for_each_lane(left, [&](unsigned k) {
      if (came.lanes.thread(k) / kRow != row) return;
      lanes.add(came.lanes.thread(k) % kRow);
      left.remove(k);
    });
    barrier.came.push_back({row, lanes, came.waits});
    if (came.waits) continue;
    barrier.left = joined(barrier.left, gathered(warps_[row], lanes));
    Knowledge unused;
    gather_lanes(warps_[row], lanes, unused, barrier.released);
    new_segment(warps_[row]);
  }
}

bool Order::everybody_came(const Block& block, const Barrier& barrier) const {
  std::vector<LaneMask> missing(block.rows);
  for (unsigned k = 0; k < block.rows; ++k) missing[k] = warps_[block.first + k].alive;
  for (const Came& came : barrier.came) {
    if (!came.waits) return false;
    missing[came.row - block.first] = missing[came.row - block.first].without(came.lanes);
  }
  return std::all_of(missing.begin(), missing.end(), [](LaneMask lanes) { return lanes.empty(); });
}

void Order::barrier_done(BlockId id, unsigned index) {
  Block& block = blocks_[id];
  const auto found = block.barriers.find(index);
  if (found == block.barriers.end()) return;
  Barrier barrier = std::move(found->second);
  block.barriers.erase(found);
  if (everybody_came(block, barrier))
    meet_block(block);
  else
    meet_some(std::move(barrier));
}

void Order::meet_block(Block& block) {
  for (unsigned row = block.first; row < block.first + block.rows; ++row) {
    Warp& warp = warps_[row];
    gather_lanes(warp, warp.all, warp.extra, warp.released);
    block.extra = joined(block.extra, warp.extra);
    for (const Reach reach : kReaches)
      block.released[index_of(reach)] = joined(block.released[index_of(reach)], warp.released[index_of(reach)]);
    warp.extra.reset();
    warp.released = {};
    warp.lanes.reset();
    warp.partial.reset();
  }
  block.known = timeline_.now();
  for (unsigned row = block.first; row < block.first + block.rows; ++row) {
    warps_[row].known = block.known;
    new_segment(warps_[row]);
  }
}

void Order::meet_some(Barrier barrier) {
  for (const Came& came : barrier.came) {
    if (!came.waits) continue;
    Knowledge unused;
    barrier.left = joined(barrier.left, gathered(warps_[came.row], came.lanes));
    gather_lanes(warps_[came.row], came.lanes, unused, barrier.released);
  }
  for (const Came& came : barrier.came) {
    if (!came.waits) continue;
    Warp& warp = warps_[came.row];
    tell_lanes(warp, came.lanes, barrier.left, barrier.released);
    new_segment(warp);
  }
}

// ---- what threads know

// Of others; its own last segment is not in it.
Knowledge Order::knows(const Warp& warp, unsigned lane) const {
  const Block& block = blocks_[warp.block];
  Clock own;
  own.add_block(block.number, block.known);
  own.add_warp(warp.number, warp.known);
  if (warp.partial)
    for (unsigned other = 0; other < kRow; ++other) own.add_lane(warp.number, other, (*warp.partial)[lane][other]);
  Knowledge sum = joined(joined(made(std::move(own)), block.extra), warp.extra);
  return warp.lanes ? joined(sum, (*warp.lanes)[lane].extra) : sum;
}

// What these lanes know, and did.
Knowledge Order::gathered(const Warp& warp, LaneMask lanes) const {
  Clock did;
  if (warp.all.without(lanes).empty())
    did.add_warp(warp.number, warp.now);
  else
    for_each_lane(lanes, [&](unsigned lane) { did.add_lane(warp.number, lane, warp.now); });
  Knowledge sum = made(std::move(did));
  if (!warp.partial && !warp.lanes) return joined(sum, knows(warp, 0));
  for_each_lane(lanes, [&](unsigned lane) {
    sum = joined(sum, knows(warp, lane));
    if (warp.lanes) sum = joined(sum, (*warp.lanes)[lane].pending);
  });
  return sum;
}

void Order::fence(unsigned row, LaneMask lanes, Reach reach) {
  Warp& warp = warps_[row];
  const bool alike = !warp.partial && !warp.lanes;
  const Knowledge common = alike ? knows(warp, 0) : nullptr;
  std::array<Lane, kRow>& states = lanes_of(warp);
  for_each_lane(lanes, [&](unsigned lane) {
    Lane& state = states[lane];
    state.extra = joined(state.extra, state.pending);
    state.pending.reset();
    const Fenced fenced{warp.now, alike ? common : knows(warp, lane)};
    state.fenced[index_of(Reach::Block)] = fenced;
    if (reach == Reach::Gpu) state.fenced[index_of(Reach::Gpu)] = fenced;
  });
  new_segment(warp);
}

Knowledge Order::released(Hw thread, Reach reach) const {
  const Warp& warp = warps_[thread / kRow];
  const size_t to = index_of(reach);
  Knowledge sum = joined(blocks_[warp.block].released[to], warp.released[to]);
  if (!warp.lanes) return sum;
  const Lane& state = (*warp.lanes)[thread % kRow];
  sum = joined(sum, state.released[to]);
  const Fenced& fenced = state.fenced[to];
  if (fenced.at == 0) return sum;
  Clock own;
  own.add_lane(warp.number, thread % kRow, fenced.at);
  return joined(joined(sum, fenced.knew), made(std::move(own)));
}

Knowledge Order::release_now(Hw thread) {
  Warp& warp = warps_[thread / kRow];
  const unsigned lane = thread % kRow;
  Clock own;
  own.add_lane(warp.number, lane, warp.now);
  Knowledge sum = joined(knows(warp, lane), made(std::move(own)));
  new_segment(warp);
  return sum;
}

void Order::acquire(Hw thread, const Knowledge& what) {
  if (!what) return;
  Lane& state = lanes_of(warps_[thread / kRow])[thread % kRow];
  state.extra = joined(state.extra, what);
}

void Order::acquire_at_fence(Hw thread, const Knowledge& what) {
  if (!what) return;
  Lane& state = lanes_of(warps_[thread / kRow])[thread % kRow];
  state.pending = joined(state.pending, what);
}

bool Order::ordered(Hw thread, const Threads& others, Segment segment) const {
  const Warp& warp = warps_[thread / kRow];
  const Block& block = blocks_[warp.block];
  const unsigned lane = thread % kRow;
  Threads rest = others;
  if (others.block == block.number) {
    if (segment <= block.known) return true;
    if (others.warp == warp.number) {
      rest.lanes.remove(lane);
      if (rest.lanes.empty() || segment <= warp.known) return true;
      if (warp.partial) {
        for_each_lane(others.lanes, [&](unsigned other) {
          if (segment <= (*warp.partial)[lane][other]) rest.lanes.remove(other);
        });
        if (rest.lanes.empty()) return true;
      }
    }
  }
  const auto tells = [&](const Knowledge& known) { return known && known->knows(rest, segment); };
  return tells(block.extra) || tells(warp.extra) || (warp.lanes && tells((*warp.lanes)[lane].extra));
}

bool Order::ordered_behind_block(Hw thread, uint32_t number, Segment segment) const {
  const Warp& warp = warps_[thread / kRow];
  const Block& block = blocks_[warp.block];
  if (number == block.number && segment <= block.known) return true;
  const auto tells = [&](const Knowledge& known) { return known && known->knows_block(number, segment); };
  return tells(block.extra) || tells(warp.extra) || (warp.lanes && tells((*warp.lanes)[thread % kRow].extra));
}

bool Order::ordered_behind_grid(Hw thread, uint64_t blocks, Segment segment) const {
  const Warp& warp = warps_[thread / kRow];
  const Block& block = blocks_[warp.block];
  const auto tells = [&](const Knowledge& known) { return known && known->knows_grid(blocks, segment); };
  return tells(block.extra) || tells(warp.extra) || (warp.lanes && tells((*warp.lanes)[thread % kRow].extra));
}

}  // namespace heddle::check

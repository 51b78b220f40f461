#include "divergence/support/compactor.h"

#include <algorithm>

namespace heddle {
namespace {

LaneMask warp_bits(const BlockMask& threads, unsigned first, unsigned warp_size) {
  return threads.row(first / kRow) & LaneMask(LaneMask::first(warp_size).bits() << (first % kRow));
}

// Is every static warp of the block in the set with all its lanes, or with none?
bool whole_warps(const Host& host, BlockId block, const BlockMask& threads) {
  for (unsigned first = 0; first < host.block(block).threads; first += host.warp_size()) {
    const LaneMask own = warp_bits(threads, first, host.warp_size());
    if (!own.empty() && own.count() != host.warp_size()) return false;
  }
  return true;
}

}  // namespace

WarpsNeeded warps_needed(const Host& host, BlockId block, const BlockMask& threads) {
  const BlockShape& shape = host.block(block);
  const unsigned width = host.warp_size();
  WarpsNeeded needed;
  std::array<unsigned, kRow> by_lane{};
  for_each_thread(threads,
                  [&](unsigned thread) { ++by_lane[host.home_lane(block, static_cast<Hw>(shape.first + thread))]; });
  needed.tbc = *std::max_element(by_lane.begin(), by_lane.end());
  for (unsigned first = 0; first < shape.threads; first += width)
    needed.none += warp_bits(threads, first, width).empty() ? 0 : 1;
  needed.ideal = (threads.count() + width - 1) / width;
  return needed;
}

std::span<const Group> Compactor::form(Rule rule, const Host& host, BlockId block, const BlockMask& threads) {
  switch (rule) {
    case Rule::HomeLanes: return compact(host, block, threads);
    case Rule::StaticWarps: return keep_static(host, block, threads);
    case Rule::AnyLane: return pack(host, block, threads);
  }
  return {};
}

// Puts a thread into a lane of the warp of that index, which is one of those there are or the next.
inline void Compactor::take(size_t index, unsigned lane, Hw thread, unsigned static_warp) {
  if (index == forming_.size()) {
    forming_.emplace_back();
    forming_.back().first = thread;
    forming_.back().from = static_warp;
  }
  Forming& warp = forming_[index];
  warp.mixed = warp.mixed || static_warp != warp.from;
  warp.threads[lane] = thread;
  warp.lanes.add(lane);
  warp.row.add(thread % kRow);
}

void Compactor::learn_lanes(const Host& host, BlockId block) {
  const BlockShape& shape = host.block(block);
  for (size_t number = lane_of_.size(); number < shape.threads; ++number)
    lane_of_.push_back(static_cast<uint8_t>(host.home_lane(block, static_cast<Hw>(shape.first + number))));
}

std::span<const Group> Compactor::finish() {
  formed_.clear();
  for (const Forming& warp : forming_)
    formed_.push_back(warp.mixed ? Group::list(warp.threads.data(), warp.lanes)
                                 : Group::rows(warp.first / kRow, warp.row));
  return formed_;
}

std::span<const Group> Compactor::compact(const Host& host, BlockId block, const BlockMask& threads) {
  if (whole_warps(host, block, threads)) return keep_static(host, block, threads);  // one thread of each to a lane
  const BlockShape& shape = host.block(block);
  learn_lanes(host, block);
  forming_.clear();
  std::array<uint16_t, kRow> taken{};  // by lane
  for (unsigned first = 0, warp = 0; first < shape.threads; first += host.warp_size(), ++warp)
    for_each_lane(warp_bits(threads, first, host.warp_size()), [&](unsigned place) {
      const unsigned number = first / kRow * kRow + place, lane = lane_of_[number];
      take(taken[lane]++, lane, static_cast<Hw>(shape.first + number), warp);
    });
  return finish();
}

std::span<const Group> Compactor::pack(const Host& host, BlockId block, const BlockMask& threads) {
  const unsigned first = host.block(block).first, width = host.warp_size();
  forming_.clear();
  unsigned count = 0;
  for_each_thread(threads, [&](unsigned number) {
    take(count / width, count % width, static_cast<Hw>(first + number), number / width);
    ++count;
  });
  return finish();
}

std::span<const Group> Compactor::keep_static(const Host& host, BlockId block, const BlockMask& threads) {
  const BlockShape& shape = host.block(block);
  formed_.clear();
  for (unsigned first = 0; first < shape.threads; first += host.warp_size())
    if (const LaneMask mask = warp_bits(threads, first, host.warp_size()); !mask.empty())
      formed_.push_back(Group::rows((shape.first + first) / kRow, mask));
  return formed_;
}

}  // namespace heddle

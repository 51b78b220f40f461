#include "divergence/support/compactor.h"

#include <algorithm>

#include "divergence/support/thread_lists.h"

namespace heddle {
namespace {

LaneMask warp_bits(const BlockMask& threads, unsigned first, unsigned warp_size) {
  return threads.row(first / kRow) & LaneMask(LaneMask::first(warp_size).bits() << (first % kRow));
}

LaneMask places_of(const Hw* threads, unsigned count) {
  LaneMask places;
  for (unsigned i = 0; i < count; ++i) places.add(threads[i] % kRow);
  return places;
}

// Is every static warp of the block in the set with all its lanes, or with none?
bool whole_warps(const Host& host, BlockId block, const BlockMask& threads) {
  for (unsigned first = 0; first < host.block(block).threads; first += host.warp_size()) {
    const LaneMask own = warp_bits(threads, first, host.warp_size());
    if (!own.empty() && own.count() != host.warp_size()) return false;
  }
  return true;
}

unsigned rows_of(const Host& host, BlockId block) { return (host.block(block).threads + kRow - 1) / kRow; }

// Where every thread is at home in its place, each row's threads go into the first warp as far as their lanes are free
// there, the others into the next. Fills in which lanes the warps have; returns how many they are.
using Filled = std::array<LaneMask, BlockMask::kRows>;
unsigned fill(const BlockMask& threads, unsigned rows, Filled& filled) {
  unsigned count = 0;
  for (unsigned row = 0; row < rows; ++row) {
    LaneMask left = threads.row(row);
    for (unsigned i = 0; !left.empty(); ++i) {
      const LaneMask taken = filled[i] & left;
      filled[i] |= left;
      left = taken;
      count = std::max(count, i + 1);
    }
  }
  return count;
}

// The same, with f(warp, row, its threads that go there) on the way.
template <class F>
void fill(const BlockMask& threads, unsigned rows, F&& f) {
  Filled filled;
  for (unsigned row = 0; row < rows; ++row) {
    LaneMask left = threads.row(row);
    for (unsigned i = 0; !left.empty(); ++i) {
      const LaneMask fits = left.without(filled[i]);
      if (fits.empty()) continue;
      f(i, row, fits);
      filled[i] |= fits;
      left = left.without(fits);
    }
  }
}

// Those of a row that come before the others of it.
LaneMask first_of(LaneMask row, unsigned count) {
  uint32_t rest = row.bits();
  for (unsigned i = 0; i < count; ++i) rest &= rest - 1;
  return row.without(LaneMask(rest));
}

unsigned deepest_lane(const Host& host, BlockId block, const BlockMask& threads) {
  std::array<unsigned, kRow> by_lane{};
  const unsigned first = host.block(block).first;
  for_each_thread(threads, [&](unsigned thread) { ++by_lane[host.home_lane(block, static_cast<Hw>(first + thread))]; });
  return *std::max_element(by_lane.begin(), by_lane.end());
}

}  // namespace

unsigned compacted_warps(const Host& host, BlockId block, const BlockMask& threads) {
  Filled filled;
  return host.at_home() ? fill(threads, rows_of(host, block), filled) : deepest_lane(host, block, threads);
}

WarpsNeeded warps_needed(const Host& host, BlockId block, const BlockMask& threads) {
  const BlockShape& shape = host.block(block);
  const unsigned width = host.warp_size();
  WarpsNeeded needed;
  needed.tbc = compacted_warps(host, block, threads);
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

// Threads of a row go into lanes of the warp of that index, which is one of those there are or the next.
inline void Compactor::take(size_t index, LaneMask lanes, unsigned row, LaneMask places, unsigned static_warp) {
  if (index == forming_.size()) {
    forming_.emplace_back();
    forming_.back().row = row;
    forming_.back().from = static_warp;
  }
  Forming& warp = forming_[index];
  warp.mixed = warp.mixed || static_warp != warp.from;
  warp.lanes |= lanes;
  warp.places |= places;
}

void Compactor::learn_lanes(const Host& host, BlockId block) {
  const BlockShape& shape = host.block(block);
  for (size_t number = lane_of_.size(); number < shape.threads; ++number)
    lane_of_.push_back(static_cast<uint8_t>(host.home_lane(block, static_cast<Hw>(shape.first + number))));
}

std::span<const Group> Compactor::finish() {
  formed_.clear();
  for (const Forming& warp : forming_)
    formed_.push_back(warp.mixed ? Group::list(warp.threads.data(), warp.lanes) : Group::rows(warp.row, warp.places));
  return formed_;
}

std::span<const Group> Compactor::compact(const Host& host, BlockId block, const BlockMask& threads) {
  if (whole_warps(host, block, threads)) return keep_static(host, block, threads);  // one thread of each to a lane
  forming_.clear();
  if (host.at_home())
    take_rows(host, block, threads);
  else
    take_mapped(host, block, threads);
  return finish();
}

void Compactor::take_rows(const Host& host, BlockId block, const BlockMask& threads) {
  const unsigned first = host.block(block).first;
  fill(threads, rows_of(host, block), [&](size_t index, unsigned row, LaneMask fits) {
    take(index, fits, first / kRow + row, fits, row);
    put_by_lane(forming_[index].threads.data(), fits, first + row * kRow);
  });
}

void Compactor::take_mapped(const Host& host, BlockId block, const BlockMask& threads) {
  const BlockShape& shape = host.block(block);
  learn_lanes(host, block);
  std::array<uint16_t, kRow> taken{};  // by lane
  for (unsigned first = 0, warp = 0; first < shape.threads; first += host.warp_size(), ++warp)
    for_each_lane(warp_bits(threads, first, host.warp_size()), [&](unsigned place) {
      const unsigned number = first / kRow * kRow + place, lane = lane_of_[number];
      const size_t index = taken[lane]++;
      take(index, LaneMask::of(lane), (shape.first + number) / kRow, LaneMask::of(place), warp);
      forming_[index].threads[lane] = static_cast<Hw>(shape.first + number);
    });
}

// In the order of their numbers a warp's first and last are of one static warp if all are.
std::span<const Group> Compactor::pack(const Host& host, BlockId block, const BlockMask& threads) {
  const unsigned first = host.block(block).first, width = host.warp_size();
  packed_.resize(size_t{BlockMask::kRows} * kRow + kRow);  // a List has room for 32
  Hw* end = packed_.data();
  for (unsigned row = 0; row * kRow < host.block(block).threads; ++row)
    end = put_packed(end, threads.row(row), first + row * kRow);
  const auto count = static_cast<size_t>(end - packed_.data());
  formed_.clear();
  for (size_t begin = 0; begin < count; begin += width) {
    const Hw* const own = &packed_[begin];
    const auto size = static_cast<unsigned>(std::min<size_t>(width, count - begin));
    const bool mixed = (own[0] - first) / width != (own[size - 1] - first) / width;
    formed_.push_back(mixed ? Group::list(own, LaneMask::first(size))
                            : Group::rows(own[0] / kRow, places_of(own, size)));
  }
  return formed_;
}

std::span<const Group> Compactor::keep_static(const Host& host, BlockId block, const BlockMask& threads) {
  const BlockShape& shape = host.block(block);
  formed_.clear();
  for (unsigned first = 0; first < shape.threads; first += host.warp_size())
    if (const LaneMask mask = warp_bits(threads, first, host.warp_size()); !mask.empty())
      formed_.push_back(Group::rows((shape.first + first) / kRow, mask));
  return formed_;
}

// f(warp, row, its threads of that row) for the warps that form() would give.
template <class F>
void Compactor::for_each_part(Rule rule, const Host& host, BlockId block, const BlockMask& threads, F&& f) {
  const unsigned count = host.block(block).threads, width = host.warp_size();
  if (rule == Rule::AnyLane) {
    unsigned before = 0;
    for (unsigned row = 0; row * kRow < count; ++row)
      for (LaneMask left = threads.row(row); !left.empty();) {
        const LaneMask part = first_of(left, std::min(width - before % width, left.count()));
        f(before / width, row, part);
        before += part.count();
        left = left.without(part);
      }
  } else if (rule == Rule::StaticWarps || whole_warps(host, block, threads)) {
    size_t index = 0;
    for (unsigned first = 0; first < count; first += width)
      if (const LaneMask part = warp_bits(threads, first, width); !part.empty()) f(index++, first / kRow, part);
  } else if (host.at_home()) {
    fill(threads, rows_of(host, block), f);
  } else {
    learn_lanes(host, block);
    std::array<uint16_t, kRow> taken{};  // by lane
    for_each_thread(threads,
                    [&](unsigned number) { f(taken[lane_of_[number]]++, number / kRow, LaneMask::of(number % kRow)); });
  }
}

std::span<const uint8_t> Compactor::sizes(Rule rule, const Host& host, BlockId block, const BlockMask& threads) {
  size_t count = 0;
  if (rule == Rule::AnyLane) {
    const unsigned width = host.warp_size(), all = threads.count();
    for (unsigned before = 0; before < all; before += width)
      sizes_[count++] = static_cast<uint8_t>(std::min(width, all - before));
  } else if (rule == Rule::HomeLanes && host.at_home()) {
    Filled filled;
    count = fill(threads, rows_of(host, block), filled);
    for (size_t i = 0; i < count; ++i) sizes_[i] = static_cast<uint8_t>(filled[i].count());
  } else {
    for_each_part(rule, host, block, threads, [&](size_t index, unsigned, LaneMask part) {
      if (index == count) sizes_[count++] = 0;
      sizes_[index] = static_cast<uint8_t>(sizes_[index] + part.count());
    });
  }
  return {sizes_.data(), count};
}

std::span<const bool> Compactor::divides(Rule rule, const Host& host, BlockId block, const BlockMask& threads,
                                         const BlockMask& chosen) {
  size_t count = 0;
  sides_.clear();
  for_each_part(rule, host, block, threads, [&](size_t index, unsigned row, LaneMask part) {
    if (index == sides_.size()) sides_.emplace_back();
    sides_[index].chosen |= part & chosen.row(row);
    sides_[index].others |= part.without(chosen.row(row));
  });
  for (const Sides& each : sides_) divided_[count++] = !each.chosen.empty() && !each.others.empty();
  return {divided_.data(), count};
}

}  // namespace heddle

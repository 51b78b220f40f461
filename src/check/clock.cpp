#include "check/clock.h"

#include <algorithm>

namespace heddle::check {
namespace {

constexpr auto kByKey = [](const auto& a, const auto& b) { return a.key < b.key; };

}  // namespace

void Clock::add(uint64_t key, Segment segment) {
  if (segment == 0) return;
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), Entry{key, 0}, kByKey);
  if (place != entries_.end() && place->key == key)
    place->segment = std::max(place->segment, segment);
  else
    entries_.insert(place, {key, segment});
}

void Clock::add(const Clock& other) {
  std::vector<Entry> sum;
  sum.reserve(entries_.size() + other.entries_.size());
  std::merge(entries_.begin(), entries_.end(), other.entries_.begin(), other.entries_.end(), std::back_inserter(sum),
             kByKey);
  entries_.clear();
  for (const Entry& entry : sum) {
    if (!entries_.empty() && entries_.back().key == entry.key)
      entries_.back().segment = std::max(entries_.back().segment, entry.segment);
    else
      entries_.push_back(entry);
  }
}

Segment Clock::at(uint64_t key) const {
  const auto place = std::lower_bound(entries_.begin(), entries_.end(), Entry{key, 0}, kByKey);
  return place != entries_.end() && place->key == key ? place->segment : 0;
}

bool Clock::knows(const Threads& threads, Segment segment) const {
  if (knows_block(threads.block, segment) || at(key(kWarp, threads.warp)) >= segment) return true;
  bool all = true;
  for_each_lane(threads.lanes,
                [&](unsigned lane) { all = all && at(key(kLane, uint64_t{threads.warp} * 32 + lane)) >= segment; });
  return all;
}

bool Clock::knows_grid(uint64_t blocks, Segment segment) const {
  if (entries_.size() < blocks) return false;
  for (uint64_t block = 0; block < blocks; ++block)
    if (entries_[block].key != key(kBlock, block) || entries_[block].segment < segment) return false;
  return true;
}

bool Clock::covers(const Clock& other) const {
  return std::all_of(other.entries_.begin(), other.entries_.end(),
                     [this](const Entry& entry) { return at(entry.key) >= entry.segment; });
}

Knowledge joined(const Knowledge& a, const Knowledge& b) {
  if (!b || a == b) return a;
  if (!a) return b;
  if (a->covers(*b)) return a;
  if (b->covers(*a)) return b;
  Clock sum = *a;
  sum.add(*b);
  return std::make_shared<const Clock>(std::move(sum));
}

}  // namespace heddle::check

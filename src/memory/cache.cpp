#include "memory/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "base/error.h"

namespace heddle {
namespace {

constexpr unsigned kMostWays = 256;  // neighbours are bytes

void refuse(std::string_view name, std::string_view key, uint64_t value, const std::string& why) {
  throw Error(ExitCode::Usage, fmt::format("{}_{} = {}: {}", name, key, value, why));
}

// All of them as the first few are.
template <class T>
void repeat_first(std::span<T> all, size_t few) {
  for (size_t done = few; done < all.size(); done *= 2)
    std::copy_n(all.begin(), std::min(done, all.size() - done), all.begin() + static_cast<ptrdiff_t>(done));
}

}  // namespace

Cache::Cache(std::string_view name, uint64_t bytes, unsigned line_bytes, unsigned ways, bool hash)
    : associativity_(ways) {
  if (line_bytes == 0 || !std::has_single_bit(line_bytes)) refuse(name, "line", line_bytes, "must be a power of two");
  if (ways == 0 || ways > kMostWays) refuse(name, "ways", ways, fmt::format("must be from 1 to {}", kMostWays));
  if (bytes == 0 || bytes % line_bytes != 0)
    refuse(name, "bytes", bytes, fmt::format("must be a multiple of {}_line = {}", name, line_bytes));
  const uint64_t lines = bytes / line_bytes;
  if (ways > lines) refuse(name, "ways", ways, fmt::format("more than the {} lines of {}_bytes", lines, name));
  if (lines % ways != 0)
    refuse(name, "ways", ways, fmt::format("does not divide the {} lines of {}_bytes", lines, name));
  sets_ = static_cast<unsigned>(lines / ways);
  plain_ = std::has_single_bit(sets_) && !hash;
  deal_ = Deal(sets_, hash);
  const unsigned places = std::bit_ceil(ways < 8 ? 8u : ways);
  shift_ = static_cast<unsigned>(std::countr_zero(places));
  hashes_.resize(size_t{sets_} * places / 8);
  set_bits_ = static_cast<unsigned>(std::bit_width(sets_ - 1));
  ways_.assign(size_t{ways} << set_bits_, Entry{});
  // The back is way 0: it is taken first.
  order_.resize(size_t{sets_} * places);
  for (unsigned way = 0; way < ways; ++way)
    order_[way] = {static_cast<uint8_t>((way + 1) % ways), static_cast<uint8_t>((way + ways - 1) % ways)};
  repeat_first(std::span(order_), places);
  front_.assign(sets_, static_cast<uint8_t>(ways - 1));
  reserved_.resize(sets_);
}

bool Cache::has_room_for(Line first, Line end) const {
  if (end - first > size_t{sets_} * associativity_) return false;
  std::vector<unsigned> taken(sets_);
  for (Line line = first; line < end; ++line)
    if (++taken[set_of(line)] > associativity_) return false;
  return true;
}

Cache::Guess Cache::guess(Line line) const {
  const unsigned set = set_of(line);
  const Way way = first_alike(set, hash_of(line), [](Way) { return true; });
  const Neighbours* order = &order_[size_t{set} << shift_];
  if (way == kNoWay) {
    __builtin_prefetch(&ways_[number_of(set, order[front_[set]].newer)], 1);
    return {way, reserved_[set]};
  }
  __builtin_prefetch(&ways_[way], 1);
  __builtin_prefetch(order);
  __builtin_prefetch(order + associativity_ - 1);
  return {way, reserved_[set]};
}

Cache::Victim Cache::reserve(Line line, Sectors coming, Way room) {
  if (room == kNoWay) return {};
  Entry& entry = ways_[room];
  const Victim victim{room, entry.dirty, entry.line};
  entry = {line, 0, 0, 0, coming};
  const unsigned set = set_of_way(room), way = room >> set_bits_;
  ++reserved_[set];
  hash(set, way) = hash_of(line);
  move_to_front(set, way);
  return victim;
}

void Cache::invalidate(Line line) {
  const Found found = look_up(line);
  if (!found.miss() && !found.pending()) forget(found.way);
}

void Cache::invalidate_all() {
  for (unsigned set = 0; set < sets_; ++set)
    for (unsigned way = 0; way < associativity_; ++way)
      if (const Way each = number_of(set, way); hash(set, way) != 0 && ways_[each].coming == 0) forget(each);
}

Cache::Way Cache::victim_of(unsigned set) const {
  const Neighbours* order = &order_[size_t{set} << shift_];
  const unsigned back = order[front_[set]].newer;
  unsigned way = back;
  do {
    if (ways_[number_of(set, way)].coming == 0) return number_of(set, way);
    way = order[way].newer;
  } while (way != back);
  return kNoWay;
}

// The first victim is the back of the ring: the front, then the ring turned by one.
void Cache::forget(Way way) {
  const unsigned set = set_of_way(way), of_set = way >> set_bits_;
  ways_[way] = {};
  hash(set, of_set) = 0;
  use(way);
  front_[set] = order_[(size_t{set} << shift_) + of_set].older;
}

}  // namespace heddle

// Lists of threads made of rows, eight lanes at once.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "base/lane_mask.h"
#include "base/types.h"

namespace heddle {
namespace list_detail {

using Eight [[gnu::vector_size(16)]] = uint16_t;

// By eight bits: the places of those that are set.
inline constexpr std::array<std::array<uint16_t, 8>, 256> kPlaces = [] {
  std::array<std::array<uint16_t, 8>, 256> places{};
  for (unsigned bits = 0; bits < 256; ++bits)
    for (unsigned bit = 0, count = 0; bit < 8; ++bit)
      if ((bits >> bit & 1) != 0) places[bits][count++] = static_cast<uint16_t>(bit);
  return places;
}();

}  // namespace list_detail

namespace list_detail {

// list[i] = of(lane, order)[i] for each i in the mask, eight at once; order: 0 to 7.
template <class Of>
[[gnu::always_inline]] inline void put(Hw* list, LaneMask lanes, Of&& of) {
  constexpr Eight kBits{1, 2, 4, 8, 16, 32, 64, 128}, kOrder{0, 1, 2, 3, 4, 5, 6, 7};
  for (unsigned lane = 0; lane < kRow; lane += 8) {
    Eight there;
    std::memcpy(&there, list + lane, sizeof there);
    const Eight bits = kBits & static_cast<uint16_t>(lanes.bits() >> lane);
    there = bits == kBits ? of(lane, kOrder) : there;
    std::memcpy(static_cast<void*>(list + lane), &there, sizeof there);
  }
}

}  // namespace list_detail

// Are all of these in one row?
inline bool of_one_row(const Hw* list, LaneMask lanes) {
  constexpr list_detail::Eight kBits{1, 2, 4, 8, 16, 32, 64, 128};
  const auto row = static_cast<uint16_t>(list[lanes.lowest()] / kRow);
  list_detail::Eight others{};
  for (unsigned lane = 0; lane < kRow; lane += 8) {
    list_detail::Eight there;
    std::memcpy(&there, list + lane, sizeof there);
    const list_detail::Eight wanted = (kBits & static_cast<uint16_t>(lanes.bits() >> lane)) == kBits;
    others |= (there / kRow ^ row) & wanted;
  }
  std::array<uint64_t, 2> any{};
  std::memcpy(any.data(), &others, sizeof others);
  return (any[0] | any[1]) == 0;
}

// Threads of the row that begins with `first` come into a list of 32 by lane, each into that of its place.
inline void put_by_lane(Hw* list, LaneMask lanes, unsigned first) {
  list_detail::put(list, lanes, [&](unsigned lane, const list_detail::Eight& order) {
    return order + static_cast<uint16_t>(first + lane);
  });
}

// Those of another list, in the same lanes.
inline void put_from(Hw* list, LaneMask lanes, const Hw* others) {
  list_detail::put(list, lanes, [&](unsigned lane, const list_detail::Eight&) {
    list_detail::Eight there;
    std::memcpy(&there, others + lane, sizeof there);
    return there;
  });
}

// Threads of a row one behind the other; returns where the next goes. The list has room for eight more.
inline Hw* put_packed(Hw* list, LaneMask lanes, unsigned first) {
  for (unsigned lane = 0; lane < kRow; lane += 8) {
    const unsigned bits = lanes.bits() >> lane & 0xff;
    list_detail::Eight threads;
    std::memcpy(&threads, list_detail::kPlaces[bits].data(), sizeof threads);
    threads += static_cast<uint16_t>(first + lane);
    std::memcpy(static_cast<void*>(list), &threads, sizeof threads);
    list += count_of_set(bits);
  }
  return list;
}

}  // namespace heddle

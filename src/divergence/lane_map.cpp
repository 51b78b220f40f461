#include "divergence/lane_map.h"

#include <bit>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle {
namespace {

bool odd(unsigned warp) { return warp % 2 == 1; }

unsigned reversed(unsigned value, unsigned width) {
  unsigned result = 0;
  for (unsigned bit = 1; bit < width; bit *= 2, value /= 2) result = result * 2 + value % 2;
  return result;
}

// A mixing function with good low bits; the seed is part of the definition.
unsigned scattered(unsigned warp) {
  uint64_t x = warp + 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return static_cast<unsigned>(x >> 32);
}

constexpr LaneMap::Row kMaps[] = {
    {"none", "logical lane = physical lane", [](unsigned, unsigned l, unsigned) { return l; }},
    {"odd_even", "odd warps swap neighbours",
     [](unsigned w, unsigned l, unsigned W) { return odd(w % W) ? l ^ 1 : l; }},
    {"flip_odd", "odd warps reversed", [](unsigned w, unsigned l, unsigned W) { return odd(w % W) ? l ^ (W - 1) : l; }},
    {"xor_half", "odd warps swap halves",
     [](unsigned w, unsigned l, unsigned W) { return odd(w % W) ? l ^ (W / 2) : l; }},
    {"rotate_odd_1", "odd warps rotated by one",
     [](unsigned w, unsigned l, unsigned W) { return odd(w % W) ? (l + 1) % W : l; }},
    {"random", "each warp XORed with a seeded random number",
     [](unsigned w, unsigned l, unsigned W) { return l ^ (scattered(w) % W); }},
    {"wid", "XOR with the warp's number", [](unsigned w, unsigned l, unsigned W) { return l ^ (w % W); }},
    {"rev_wid", "XOR with the bit-reversed warp number",
     [](unsigned w, unsigned l, unsigned W) { return l ^ reversed(w % W, W); }},
    {"balanced", "each lane sees each logical lane once per W warps",
     [](unsigned w, unsigned l, unsigned W) {
       const unsigned k = w % W;
       return odd(k) ? l ^ (W - 1 - (k - 1) / 2) : l ^ (k / 2);
     }},
};

}  // namespace

std::span<const LaneMap::Row> LaneMap::all() { return kMaps; }

LaneMap LaneMap::named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Row& row : kMaps) {
    if (row.name == name) return LaneMap(row);
    names.push_back(row.name);
  }
  throw Error(ExitCode::Usage,
              "no lane map '" + std::string(name) + "'" + did_you_mean(name, names) + " (" + joined(names) + ")");
}

}  // namespace heddle

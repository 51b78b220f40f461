#include "program/machine/known_trips.h"

#include <algorithm>
#include <cstdlib>

#include "program/analysis.h"
#include "program/machine/sums.h"

namespace heddle {
namespace {

constexpr int64_t kFarthestCount = int64_t{1} << 30;

bool writes(const Kernel& kernel, const Instruction& i, uint32_t at) {
  const Accesses accesses = accesses_of(kernel, i);
  return std::any_of(accesses.writes.begin(), accesses.writes.end(),
                     [&](const Operand& each) { return each.at == at; });
}

// The one block from which another is entered, beside itself; -1: there are several.
int32_t block_before(const Kernel& kernel, uint32_t block) {
  const BasicBlock& here = kernel.blocks[block];
  const bool one = std::all_of(here.predecessors.begin(), here.predecessors.end(), [&](uint32_t each) {
    return each == block || static_cast<int32_t>(each) == here.dominator;
  });
  return one ? here.dominator : -1;
}

std::optional<int64_t> first_count(const Kernel& kernel, const CountedLoop& loop, const Literals& literals) {
  int32_t at = block_before(kernel, kernel.block_of[loop.begin]);
  for (; at >= 0; at = block_before(kernel, static_cast<uint32_t>(at))) {
    const BasicBlock& block = kernel.blocks[static_cast<size_t>(at)];
    for (Pc pc = block.end; pc-- > block.begin;) {
      const Instruction& each = kernel.code[pc];
      if (!writes(kernel, each, loop.count.at)) continue;
      const bool copies = each.op == Op::Mov && !each.guarded() && each.src_count == 1;
      return copies ? number_of(literals, each.src[0]) : std::nullopt;
    }
  }
  return std::nullopt;
}

// It does at least one. `way`: from the first count to the bound.
std::optional<int64_t> trips_of(Mod compare, int64_t way, int64_t step) {
  if (compare == Mod::Ne) return way > 0 && way % step == 0 ? std::optional(way / step) : std::nullopt;
  const bool inclusive = compare == Mod::Le || compare == Mod::Ge;
  return std::max<int64_t>(inclusive ? (way + step) / step : (way + step - 1) / step, 1);
}

}  // namespace

std::optional<uint64_t> known_trips(const Kernel& kernel, const CountedLoop& loop, const Literals& literals) {
  const std::optional<int64_t> bound = number_of(literals, loop.bound);
  const std::optional<int64_t> first = bound ? first_count(kernel, loop, literals) : std::nullopt;
  if (!first || std::abs(*first) > kFarthestCount || std::abs(*bound) > kFarthestCount) return std::nullopt;
  const int64_t way = loop.step > 0 ? *bound - *first : *first - *bound;
  const std::optional<int64_t> trips = trips_of(loop.compare, way, std::abs(loop.step));
  const bool is_signed = loop.type == Type::S32 || loop.type == Type::S64;
  const bool wraps = trips && !is_signed && std::min({*first, *bound, *first + *trips * loop.step}) < 0;
  if (!trips || wraps) return std::nullopt;
  return static_cast<uint64_t>(*trips);
}

}  // namespace heddle

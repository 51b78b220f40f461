#include "program/machine/short_loops.h"

#include <algorithm>

#include "program/machine/effects.h"

namespace heddle {
namespace {

// Instructions of a trip beside its count, test and branch. What waits for memory may be longer.
constexpr unsigned kShort = 18, kForSharedLoad = 5, kWithSharedLoads = 96, kWithLoad = 46;
// Of a known number of trips: of all of them together, of those of a loop and those behind it, of a trip of a loop.
constexpr unsigned kAllTrips = 375, kCopies = 350, kTrip = 72;

bool is_memory_load(const Instruction& i) {
  return i.op == Op::Ld && (i.space == Space::Global || i.space == Space::None);
}

unsigned limit_of(const Kernel& kernel, const CountedLoop& loop) {
  unsigned least = kShort, limit = kShort;
  for (Pc pc = loop.begin; pc < loop.branch; ++pc) {
    const Instruction& each = kernel.code[pc];
    if (is_memory_load(each)) least = kWithLoad;
    if (each.op == Op::Ld && each.space == Space::Shared) limit += kForSharedLoad;
  }
  return std::clamp(limit, least, kWithSharedLoads);
}

// As the assembler seems to count: copies are none, an address and a number to add are two.
unsigned size_of(const Instruction& i) {
  if (i.op == Op::Mov) return 0;
  if (is_atomic(i)) return i.space == Space::Shared ? 10 : 11;
  return i.displacement != 0 ? 2 : 1;
}

unsigned size_of(const Kernel& kernel, const CountedLoop& loop) {
  unsigned size = 0;
  uint32_t guard = Instruction::kNoGuard;
  for (Pc pc = loop.begin; pc < loop.branch; ++pc) {
    const Instruction& each = kernel.code[pc];
    size += size_of(each);
    if (each.guarded() && each.guard != guard) ++size;  // the branch that it was
    guard = each.guard;
  }
  return size - 2;  // count and test
}

bool may_be_repeated(const Instruction& i) {
  return i.flow == Flow::Barrier || i.flow == Flow::Sync || !has_effects(i);
}

}  // namespace

bool may_be_unrolled(const Kernel& kernel, const CountedLoop& loop, const CostTable& table, const Literals& literals) {
  const auto& waiting = kernel.spin_loops;
  if (std::find(waiting.begin(), waiting.end(), kernel.block_of[loop.begin]) != waiting.end()) return false;
  for (Pc pc = loop.begin; pc < loop.branch; ++pc) {
    const Instruction& each = kernel.code[pc];
    if (each.nounroll || !may_be_repeated(each) || table.of(each, literals).steps) return false;
  }
  return !kernel.code[loop.branch].nounroll;
}

bool is_short(const Kernel& kernel, const CountedLoop& loop) { return size_of(kernel, loop) <= limit_of(kernel, loop); }

std::optional<unsigned> trips_at_once(const Kernel& kernel, const CountedLoop& loop, uint64_t trips) {
  const unsigned size = std::max(size_of(kernel, loop), 1u);
  if (trips <= kAllTrips / size) return static_cast<unsigned>(trips);
  if (size > kTrip) return std::nullopt;
  for (unsigned count = kCopies / size; count > 1; --count)
    if ((count + trips % count) * size <= kCopies) return count;
  return std::nullopt;
}

}  // namespace heddle

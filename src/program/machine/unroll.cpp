#include "program/machine/unroll.h"

#include <algorithm>
#include <cstdlib>

#include "program/machine/code_edit.h"
#include "program/machine/counted_loops.h"
#include "program/machine/effects.h"
#include "program/machine/made_code.h"
#include "program/machine/trip_copies.h"

namespace heddle {
namespace {

// Instructions of a trip beside its count, test and branch. What waits for memory may be longer.
constexpr unsigned kShort = 18, kForSharedLoad = 5, kWithSharedLoads = 96, kWithLoad = 46;

bool is_memory_load(const Instruction& i) {
  return i.op == Op::Ld && (i.space == Space::Global || i.space == Space::None);
}

unsigned limit_of(const Kernel& kernel, const CountedLoop& loop) {
  unsigned limit = kShort;
  for (Pc pc = loop.begin; pc < loop.branch; ++pc) {
    const Instruction& each = kernel.code[pc];
    if (is_memory_load(each)) return kWithLoad;
    if (each.op == Op::Ld && each.space == Space::Shared) limit += kForSharedLoad;
  }
  return std::min(limit, kWithSharedLoads);
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

class Unroll {
 public:
  Unroll(Kernel& kernel, const CostTable& table) : kernel_(kernel), table_(table), literals_(kernel), uses_(kernel) {}

  bool run() {
    std::vector<CountedLoop> loops;
    for (const BasicBlock& block : kernel_.blocks)
      if (const auto loop = counted_loop(kernel_, block, literals_); loop && is_short(*loop)) loops.push_back(*loop);
    if (loops.empty()) return false;
    std::vector<Pc> place;
    auto next = loops.begin();
    for (Pc pc = 0; pc < kernel_.code.size(); ++pc) {
      place.push_back(here());
      if (next != loops.end() && next->begin == pc) unroll(*next);
      code_.push_back(kernel_.code[pc]);
      if (next != loops.end() && next->branch == pc) {
        own_targets_.emplace_back(here() - 1, last_loop_);
        ++next;
      }
    }
    place.push_back(here());
    replace(kernel_, std::move(code_), place);
    for (const auto& [branch, target] : own_targets_) kernel_.code[branch].target = target;
    return true;
  }

 private:
  Pc here() const { return static_cast<Pc>(code_.size()); }

  bool is_short(const CountedLoop& loop) const {
    const auto& waiting = kernel_.spin_loops;
    if (std::find(waiting.begin(), waiting.end(), kernel_.block_of[loop.begin]) != waiting.end()) return false;
    for (Pc pc = loop.begin; pc < loop.branch; ++pc) {
      const Instruction& each = kernel_.code[pc];
      if (each.nounroll || has_effects(each) || table_.of(each, literals_).steps) return false;
    }
    return !kernel_.code[loop.branch].nounroll && size_of(kernel_, loop) <= limit_of(kernel_, loop);
  }

  void unroll(const CountedLoop& loop) {
    const Operand four = limit(loop, 4), two = limit(loop, 2);
    const Pc past_four = branch(loop, ask(loop, four), true);
    const Pc head = here();
    add_trips(loop, 4);
    own_targets_.emplace_back(branch(loop, ask(loop, four), false), head);
    leave_at_end(loop);
    own_targets_.emplace_back(past_four, here());
    const Pc past_two = branch(loop, ask(loop, two), true);
    add_trips(loop, 2);
    leave_at_end(loop);
    own_targets_.emplace_back(past_two, here());
    last_loop_ = here();
  }

  void add_trips(const CountedLoop& loop, unsigned count) {
    for (Instruction& each : trip_copies(kernel_, loop, uses_, literals_, count)) code_.push_back(std::move(each));
  }

  // With a count that is less (more, where it counts down) there are so many trips. Where the bound is too near to the
  // end of the numbers it is the end, so that there are never.
  Operand limit(const CountedLoop& loop, unsigned trips) {
    const bool up = loop.step > 0, inclusive = loop.compare == Mod::Le || loop.compare == Mod::Ge;
    const unsigned bytes = loop.count.bytes;
    const auto far = static_cast<uint64_t>(std::abs(loop.step) * (trips - 1)) - (inclusive ? 1 : 0);
    if (loop.compare == Mod::Ne) return new_number(kernel_, far, bytes);
    const bool is_signed = loop.type == Type::S32 || loop.type == Type::S64;
    const uint64_t all = ~uint64_t{0} >> (64 - bytes * 8), sign = is_signed ? all / 2 + 1 : 0;
    const uint64_t end = up ? sign + far : (sign ^ all) - far;
    const Operand nearest = new_register(kernel_, bytes), limit = new_register(kernel_, bytes);
    add(loop, up ? Op::Max : Op::Min, loop.type, nearest, loop.bound, new_number(kernel_, end, bytes));
    add(loop, up ? Op::Sub : Op::Add, loop.type, limit, nearest, new_number(kernel_, far, bytes));
    return limit;
  }

  // Are there so many trips? Of a loop that ends at one number: is it farther than that?
  Operand ask(const CountedLoop& loop, const Operand& limit) {
    const Operand answer = new_register(kernel_, 0);
    if (loop.compare != Mod::Ne) {
      add(loop, Op::Setp, loop.type, answer, loop.count, limit);
      code_.back().mods.set(static_cast<size_t>(loop.step > 0 ? Mod::Lt : Mod::Gt));
      return answer;
    }
    const Type type = loop.count.bytes == 8 ? Type::U64 : Type::U32;
    const Operand left = new_register(kernel_, loop.count.bytes);
    if (loop.step > 0)
      add(loop, Op::Sub, type, left, loop.bound, loop.count);
    else
      add(loop, Op::Sub, type, left, loop.count, loop.bound);
    add(loop, Op::Setp, type, answer, left, limit);
    code_.back().mods.set(static_cast<size_t>(Mod::Gt));
    return answer;
  }

  void add(const CountedLoop& loop, Op op, Type type, const Operand& result, const Operand& a, const Operand& b) {
    code_.push_back(made(kernel_.code[loop.branch], op, type, {result}, {a, b}));
  }

  Pc branch(const CountedLoop& loop, const Operand& predicate, bool negated) {
    code_.push_back(made(kernel_.code[loop.branch], Op::Bra, Type::None, {}, {}));
    code_.back().guard = predicate.at;
    code_.back().guard_negated = negated;
    return here() - 1;
  }

  void leave_at_end(const CountedLoop& loop) {
    code_.push_back(kernel_.code[loop.test]);
    code_.back().src[0] = loop.count;
    code_.push_back(kernel_.code[loop.branch]);
    code_.back().guard_negated = !code_.back().guard_negated;
    code_.back().target = loop.branch + 1;
  }

  Kernel& kernel_;
  const CostTable& table_;
  const Literals literals_;
  const Uses uses_;
  std::vector<Instruction> code_;
  std::vector<std::pair<Pc, Pc>> own_targets_;
  Pc last_loop_ = kNoPc;
};

}  // namespace

bool unroll_loops(Kernel& kernel, const CostTable& table) { return Unroll(kernel, table).run(); }

}  // namespace heddle

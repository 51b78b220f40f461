#include "program/machine/unroll.h"

#include <cstdlib>

#include "program/machine/code_edit.h"
#include "program/machine/counted_loops.h"
#include "program/machine/known_trips.h"
#include "program/machine/made_code.h"
#include "program/machine/short_loops.h"
#include "program/machine/trip_copies.h"

namespace heddle {
namespace {

struct Plan {
  CountedLoop loop;
  std::optional<uint64_t> trips;  // none: it counts them when it runs
  unsigned at_once = 1;
};

class Unroll {
 public:
  Unroll(Kernel& kernel, const CostTable& table) : kernel_(kernel), table_(table), literals_(kernel), uses_(kernel) {}

  bool run() {
    find_plans();
    if (plans_.empty()) return false;
    std::vector<Pc> place;
    auto next = plans_.begin();
    for (Pc pc = 0; pc < kernel_.code.size(); ++pc) {
      place.push_back(here());
      const bool inside = next != plans_.end() && pc >= next->loop.begin;
      if (inside && pc == next->loop.begin) unroll(*next);
      if (!inside || !next->trips) code_.push_back(kernel_.code[pc]);
      if (inside && pc == next->loop.branch) ++next;
    }
    place.push_back(here());
    replace(kernel_, std::move(code_), place);
    for (const auto& [branch, target] : own_targets_) kernel_.code[branch].target = target;
    return true;
  }

 private:
  Pc here() const { return static_cast<Pc>(code_.size()); }

  void find_plans() {
    for (const BasicBlock& block : kernel_.blocks) {
      const auto loop = counted_loop(kernel_, block, literals_);
      if (!loop || !may_be_unrolled(kernel_, *loop, table_, literals_)) continue;
      if (const auto trips = known_trips(kernel_, *loop, literals_)) {
        if (const auto at_once = trips_at_once(kernel_, *loop, *trips)) plans_.push_back({*loop, trips, *at_once});
      } else if (is_short(kernel_, *loop)) {
        plans_.push_back({*loop, {}});
      }
    }
  }

  void unroll(const Plan& plan) {
    if (plan.trips)
      unroll_known(plan.loop, *plan.trips, plan.at_once);
    else
      unroll_counted(plan.loop);
  }

  // What does not fill a trip of the new loop comes first, so that both end by the same test. Nothing else of it stays.
  void unroll_known(const CountedLoop& loop, uint64_t trips, unsigned at_once) {
    if (trips % at_once > 0) add_trips(loop, static_cast<unsigned>(trips % at_once));
    const Pc head = here();
    add_trips(loop, at_once);
    add_test(loop);
    if (trips == at_once) return;
    code_.push_back(kernel_.code[loop.branch]);
    own_targets_.emplace_back(here() - 1, head);
  }

  void unroll_counted(const CountedLoop& loop) {
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
    own_targets_.emplace_back(here() + loop.branch - loop.begin, here());
  }

  void add_trips(const CountedLoop& loop, unsigned count) {
    for (const Instruction& each : trip_copies(kernel_, loop, uses_, literals_, count)) code_.push_back(each);
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

  void add_test(const CountedLoop& loop) {
    code_.push_back(kernel_.code[loop.test]);
    code_.back().src[0] = loop.count;
  }

  void leave_at_end(const CountedLoop& loop) {
    add_test(loop);
    code_.push_back(kernel_.code[loop.branch]);
    code_.back().guard_negated = !code_.back().guard_negated;
    code_.back().target = loop.branch + 1;
  }

  Kernel& kernel_;
  const CostTable& table_;
  const Literals literals_;
  const Uses uses_;
  std::vector<Plan> plans_;
  std::vector<Instruction> code_;
  std::vector<std::pair<Pc, Pc>> own_targets_;
};

}  // namespace

bool unroll_loops(Kernel& kernel, const CostTable& table) { return Unroll(kernel, table).run(); }

}  // namespace heddle

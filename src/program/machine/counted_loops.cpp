#include "program/machine/counted_loops.h"

#include <algorithm>
#include <cstdlib>

#include "program/analysis.h"
#include "program/machine/sums.h"

namespace heddle {
namespace {

constexpr int64_t kFar = int64_t{1} << 26;  // the longest step: a few of them wrap around no count

bool writes(const Instruction& i, uint32_t at) {
  return std::any_of(i.dst.begin(), i.dst.begin() + i.dst_count, [&](const Operand& each) { return each.at == at; });
}

bool reads(const Kernel& kernel, const Instruction& i, uint32_t at) {
  const Accesses accesses = accesses_of(kernel, i);
  return std::any_of(accesses.reads.begin(), accesses.reads.end(), [&](const Operand& each) { return each.at == at; });
}

std::optional<Mod> comparison(const Instruction& test) {
  for (const Mod each : {Mod::Lt, Mod::Le, Mod::Gt, Mod::Ge, Mod::Ne, Mod::Eq})
    if (test.has(each)) return each;
  return std::nullopt;
}

Mod opposite(Mod compare) {
  switch (compare) {
    case Mod::Lt: return Mod::Ge;
    case Mod::Le: return Mod::Gt;
    case Mod::Gt: return Mod::Le;
    case Mod::Ge: return Mod::Lt;
    case Mod::Eq: return Mod::Ne;
    default: return Mod::Eq;
  }
}

bool is_test(const Instruction& i) {
  const bool whole = i.type == Type::S32 || i.type == Type::U32 || i.type == Type::B32 || i.type == Type::S64 ||
                     i.type == Type::U64 || i.type == Type::B64;
  return i.op == Op::Setp && whole && !i.guarded() && i.dst_count == 1 && i.src_count == 2;
}

// Does it come to the bound by counting on?
bool counts_there(Mod compare, int64_t step) {
  if (compare == Mod::Ne) return step != 0;
  if (compare == Mod::Lt || compare == Mod::Le) return step > 0;
  return (compare == Mod::Gt || compare == Mod::Ge) && step < 0;
}

class Finder {
 public:
  Finder(const Kernel& kernel, const BasicBlock& block, const Literals& literals)
      : kernel_(kernel), block_(block), sums_(literals) {}

  std::optional<CountedLoop> find() {
    CountedLoop loop;
    loop.begin = block_.begin;
    loop.branch = block_.end - 1;
    const Instruction& branch = kernel_.code[loop.branch];
    if (branch.op != Op::Bra || !branch.guarded() || branch.target != block_.begin) return std::nullopt;
    loop.test = last_writer(branch.guard);
    if (loop.test == kNoPc || !is_test(kernel_.code[loop.test])) return std::nullopt;
    const Instruction& test = kernel_.code[loop.test];
    const std::optional<Mod> compare = comparison(test);
    if (!compare || !may_be_last(loop)) return std::nullopt;
    loop.compare = branch.guard_negated ? opposite(*compare) : *compare;
    loop.type = test.type;
    loop.bound = test.src[1];
    if (!find_count(loop, test.src[0]) || !counts_there(loop.compare, loop.step)) return std::nullopt;
    return loop;
  }

 private:
  Pc last_writer(uint32_t predicate) const {
    for (Pc pc = block_.end - 1; pc-- > block_.begin;)
      if (writes(kernel_.code[pc], predicate)) return pc;
    return kNoPc;
  }

  // Nobody but the branch reads the test's result, and behind it all is still what it compares.
  bool may_be_last(const CountedLoop& loop) const {
    const Instruction& test = kernel_.code[loop.test];
    for (Pc pc = block_.begin; pc < loop.branch; ++pc) {
      const Instruction& each = kernel_.code[pc];
      if (reads(kernel_, each, test.dst[0].at)) return false;
      if (writes(each, test.src[1].at) || (pc > loop.test && writes(each, test.src[0].at))) return false;
    }
    return true;
  }

  bool find_count(CountedLoop& loop, const Operand& compared) {
    for (Pc pc = block_.begin; pc < loop.branch; ++pc) sums_.pass(kernel_.code[pc]);
    const std::optional<Sum> tested = sums_.of(compared);
    if (!tested) return false;
    const std::optional<Sum> next = sums_.of(tested->of);
    if (!next || next->of.at != tested->of.at) return false;
    loop.count = tested->of;
    loop.step = next->more;
    return tested->more == next->more && std::abs(loop.step) <= kFar;
  }

  const Kernel& kernel_;
  const BasicBlock& block_;
  Sums sums_;
};

}  // namespace

std::optional<CountedLoop> counted_loop(const Kernel& kernel, const BasicBlock& block, const Literals& literals) {
  return Finder(kernel, block, literals).find();
}

}  // namespace heddle

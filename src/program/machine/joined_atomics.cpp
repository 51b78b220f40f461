#include "program/machine/joined_atomics.h"

#include <algorithm>
#include <vector>

#include "program/machine/effects.h"
#include "program/machine/uses.h"
#include "program/special.h"

namespace heddle {
namespace {

// Its result is the same for all threads where its operands are.
bool keeps_sameness(const Instruction& i) {
  switch (i.op) {
    case Op::Ld: return i.space == Space::Param || i.space == Space::Const;
    case Op::Mov:
    case Op::CvtaTo:
    case Op::CvtaFrom:
    case Op::Cvt:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Mad:
    case Op::Shl:
    case Op::And: return true;
    default: return false;
  }
}

// Registers that are written once, from nothing but what all threads have in common.
class SameForAll {
 public:
  explicit SameForAll(const Kernel& kernel) : kernel_(kernel), uses_(kernel), same_(kernel.plane_bytes / 4 + 1) {
    for (const SpecialRegister& special : kernel.specials) same_[special.at.at / 4] = !differs_by_thread(special.what);
    while (pass()) {
    }
  }
  bool operator()(const Operand& operand) const { return operand.constant() || same_[operand.at / 4]; }

 private:
  bool pass() {
    bool changed = false;
    for (Pc pc = 0; pc < kernel_.code.size(); ++pc) {
      const Instruction& i = kernel_.code[pc];
      if (!keeps_sameness(i) || i.guarded() || uses_.writer(i.dst[0]) != pc || (*this)(i.dst[0])) continue;
      const Accesses accesses = accesses_of(kernel_, i);
      if (!std::all_of(accesses.reads.begin(), accesses.reads.end(), *this)) continue;
      same_[i.dst[0].at / 4] = changed = true;
    }
    return changed;
  }

  const Kernel& kernel_;
  const Uses uses_;
  std::vector<bool> same_;
};

bool is_sum(const Instruction& i) { return is_atomic(i) && i.has(Mod::Add) && !is_float(i.type); }

// What a warp can reduce before, where nobody wants to know what was there.
bool is_reduction(const Instruction& i, const Uses& uses) {
  const bool reduces = i.has(Mod::Min) || i.has(Mod::Max) || i.has(Mod::And) || i.has(Mod::Or) || i.has(Mod::Xor);
  return is_atomic(i) && reduces && i.space == Space::Global && bytes_of(i.type) == 4 && !is_float(i.type) &&
         (i.dst_count == 0 || uses.readers(i.dst[0]).empty());
}

}  // namespace

void join_atomics(Kernel& kernel) {
  if (std::none_of(kernel.code.begin(), kernel.code.end(), is_atomic)) return;
  const SameForAll same(kernel);
  const Uses uses(kernel);
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    Instruction& i = kernel.code[pc];
    if (!is_atomic(i) || !same(i.src[0])) continue;
    const bool reduced = is_reduction(i, uses);
    i.joined = reduced || is_sum(i);
    if (!reduced) continue;
    kernel.costs[pc].add(Unit::Special, 1);  // REDUX, and a MOV out of a scalar register
    kernel.costs[pc].add(Unit::Integer, 1);
  }
}

}  // namespace heddle

// Signs of floating-point operands, the third operand of comparisons, and saturation.
#include "program/machine/folding.h"

namespace heddle {
namespace {

bool takes_sign(const Instruction& i, const Operand& value) {
  if (!is_float(i.source_type) || i.source_type == Type::None) return false;
  switch (i.op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Fma:
    case Op::Min:
    case Op::Max:
    case Op::Setp:
    case Op::Neg:
    case Op::Abs:
    case Op::Selp: return bytes_of(i.source_type) == value.bytes;
    default: return false;
  }
}

}  // namespace

void Folding::fold_sign(Pc pc) {
  if (all_readers(pc, takes_sign)) drop(pc);
}

// `a < b && p` is one comparison with a predicate operand.
void Folding::fold_predicate(Pc pc) {
  const Instruction& part = at(pc);
  if (part.op == Op::Not) return drop(pc);
  for (unsigned i = 0; i < 2; ++i) {
    const Pc compares = uses_.writer(part.src[i]);
    if (compares == kNoPc || at(compares).op != Op::Setp || uses_.only_reader(compares) != pc) continue;
    if (taken_[compares]) continue;
    taken_[compares] = true;
    return drop(pc);
  }
}

// Special functions of numbers that are not normal are taken of these times a power of two. A number that nobody needs
// any more is scaled in its place, guarded: an instruction less, but guards are read late.
void Folding::fold_scaling(Pc pc) {
  const Instruction& function = at(pc);
  const auto is_last_use = [&](const Operand& operand) {
    return !operand.constant() && uses_.readers(operand).size() == 1;
  };
  if (!function.has(Mod::Approx) || function.has(Mod::Ftz)) return;
  switch (function.op) {
    case Op::Rsqrt:
    case Op::Sqrt:
    case Op::Lg2:
    case Op::Ex2:
      if (is_last_use(function.src[0])) costs_[pc] = cost_of_sequence("FSETP FMUL MUFU FMUL", 38);
      return;
    case Op::Div:
      if (is_last_use(function.src[0]) && is_last_use(function.src[1]))
        costs_[pc] = cost_of_sequence("FSETP FMUL FMUL MUFU FMUL", 38);
      else if (is_last_use(function.src[1]))
        costs_[pc] = cost_of_sequence("FMUL FSETP FSEL FMUL MUFU FMUL", 38);
      else if (is_last_use(function.src[0]))
        costs_[pc] = cost_of_sequence("FMUL FSETP FSEL MUFU FMUL FMUL", 31);
      return;
    default: return;
  }
}

// A product and a sum whose rounding the text leaves open are one multiply-add.
void Folding::fold_float_product(Pc pc) {
  const Pc whole = uses_.only_reader(pc);
  if (whole == kNoPc || !stand_together(pc, whole) || !has_room(whole) || at(whole).type != at(pc).type) return;
  if (at(whole).op != Op::Add && at(whole).op != Op::Sub) return;
  const auto is_rounded = [](const Instruction& i) {
    return i.has(Mod::Rn) || i.has(Mod::Rz) || i.has(Mod::Rm) || i.has(Mod::Rp);
  };
  if (!is_rounded(at(pc)) && !is_rounded(at(whole))) join(pc, whole);
}

void Folding::fold_saturation(Pc pc) {
  const Instruction& part = at(pc);
  if (!part.has(Mod::Sat) || part.type != Type::F32 || part.source_type != Type::F32) return;
  const Pc from = uses_.writer(part.src[0]);
  if (from == kNoPc || uses_.only_reader(from) != pc) return;
  if (at(from).op == Op::Fma || at(from).op == Op::Add || at(from).op == Op::Mul) drop(pc);
}

}  // namespace heddle

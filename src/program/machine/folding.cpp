#include "program/machine/folding.h"

#include <algorithm>

namespace heddle {
namespace {

// Does it do anything but write registers?
bool has_effect(const Instruction& i) {
  if (i.flow != Flow::Plain) return true;
  switch (i.op) {
    case Op::Ld: return i.has(Mod::Volatile) || i.has(Mod::Acquire) || i.has(Mod::Relaxed);
    case Op::St:
    case Op::Atom:
    case Op::Red:
    case Op::CpAsync:
    case Op::Hint:
    case Op::Fence:
    case Op::Alloca:
    case Op::StackRestore:
    case Op::MbarInit:
    case Op::MbarArrive:
    case Op::MbarTest:
    case Op::MbarInval:
    case Op::MbarTx:
    case Op::CpBulk:
    case Op::CpArrive:
    case Op::Trap:
    case Op::Sleep:
    case Op::Clock:
    case Op::Builtin: return true;
    default: return false;
  }
}

}  // namespace

Folding::Folding(const Kernel& kernel, const CostTable& table, std::vector<MachineCost>& costs)
    : kernel_(kernel),
      uses_(kernel),
      literals_(kernel),
      constant_operands_(table.reads_constant_operands()),
      limits_of_three_(table.has_limits_of_three()),
      costs_(costs),
      taken_(kernel.code.size()),
      copies_(find_copies(kernel)) {}

void Folding::drop(Pc part) {
  costs_[part] = MachineCost{};
  costs_[part].slots = 0;
  taken_[part] = true;
}

void Folding::join(Pc part, Pc whole) {
  drop(part);
  taken_[whole] = true;
}

bool Folding::all_readers(Pc pc, bool (*fits)(const Instruction&, const Operand&)) const {
  const Operand& value = at(pc).dst[0];
  if (uses_.writer(value) != pc) return false;
  const std::vector<Pc>& readers = uses_.readers(value);
  return !readers.empty() && std::all_of(readers.begin(), readers.end(),
                                         [&](Pc reader) { return same_guard(pc, reader) && fits(at(reader), value); });
}

void Folding::run() {
  // Backwards, so that what only the dead read is dead.
  std::vector<bool> dead(kernel_.code.size());
  for (Pc pc = static_cast<Pc>(kernel_.code.size()); pc-- > 0;) {
    const Instruction& instruction = at(pc);
    const auto unread = [&](const Operand& written) {
      const std::vector<Pc>& readers = uses_.readers(written);
      return std::all_of(readers.begin(), readers.end(), [&](Pc reader) { return reader > pc && dead[reader]; });
    };
    dead[pc] = !has_effect(instruction) &&
               std::all_of(instruction.dst.begin(), instruction.dst.begin() + instruction.dst_count, unread);
    if (dead[pc]) drop(pc);
  }
  for (Pc pc = 0; pc < kernel_.code.size(); ++pc)
    if (!dead[pc] && is_displacement(pc)) drop(pc);
  for (Pc pc = 0; pc < kernel_.code.size(); ++pc)
    if (!taken_[pc] || costs_[pc].slots > 0) fold(pc);
}

void Folding::fold(Pc pc) {
  const Instruction& instruction = at(pc);
  if (instruction.op == Op::Ld) return fold_load(pc);
  if (is_float(instruction.type) && instruction.op != Op::Mov) {
    if (instruction.op == Op::Neg || instruction.op == Op::Abs) fold_sign(pc);
    if (instruction.op == Op::Cvt) fold_saturation(pc);
    if (instruction.op == Op::Mul) fold_float_product(pc);
    if (instruction.type == Type::F32) fold_scaling(pc);
    return;
  }
  switch (instruction.op) {
    case Op::Mov: return fold_move(pc);
    case Op::Pack:
    case Op::Unpack: return fold_parts(pc);
    case Op::CvtaTo:
    case Op::CvtaFrom:
      if (instruction.space == Space::Global || instruction.space == Space::Const) drop(pc);
      return;
    case Op::Add:
    case Op::Sub:
    case Op::Neg: return fold_add(pc);
    case Op::Shl: return fold_shift(pc);
    case Op::Mul: return fold_product(pc);
    case Op::Min:
    case Op::Max: return fold_limit(pc);
    case Op::Setp: return fold_comparison(pc);
    case Op::Cvt: return fold_conversion(pc);
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Not: return instruction.type == Type::Pred ? fold_predicate(pc) : fold_logic(pc);
    default: return;
  }
}

}  // namespace heddle

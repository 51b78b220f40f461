// Copies, numbers and parameters. A copy is another name for its register, where one can be both (copies.h); a number
// is an operand where the instruction has none yet; parameters and sizes are read from constant memory once.
#include <algorithm>

#include "program/machine/folding.h"
#include "program/special.h"

namespace heddle {
namespace {

bool is_written_once(const Uses& uses, const Operand& operand, Pc pc) { return uses.writer(operand) == pc; }

}  // namespace

void Folding::fold_move(Pc pc) {
  const Instruction& move = at(pc);
  if (move.src[0].constant()) return fold_constant(pc, move);
  for (const SpecialRegister& special : kernel_.specials)
    if (special.at == move.src[0]) return fold_special(pc, special.what);
  fold_copy(pc, move);
}

// Sizes of the launch lie in constant memory (constant_reads.h). Others are read once.
void Folding::fold_special(Pc pc, Special what) {
  if (is_size_of_launch(what) || std::find(read_.begin(), read_.end(), what) != read_.end()) return drop(pc);
  read_.push_back(what);
  costs_[pc] = one_slot(Unit::Special);
}

// The halves of a 64-bit value are its two registers; smaller parts must be put together.
void Folding::fold_parts(Pc pc) {
  const Instruction& instruction = at(pc);
  const Operand& part = instruction.op == Op::Pack ? instruction.src[0] : instruction.dst[0];
  if (part.bytes >= 4) drop(pc);
}

bool Folding::is_number(const Operand& operand) const {
  if (operand.constant()) return true;
  const Pc writer = uses_.writer(operand);
  return writer != kNoPc && at(writer).op == Op::Mov && at(writer).src[0].constant();
}

// An instruction has one operand that may be a number; what goes to memory is in a register.
bool Folding::takes_number(Pc reader, const Operand& number) const {
  const Instruction& instruction = at(reader);
  if (touches_memory(instruction.op) || instruction.flow != Flow::Plain) return false;
  for (unsigned i = 0; i < instruction.src_count && instruction.src[i] != number; ++i)
    if (is_number(instruction.src[i])) return false;
  return true;
}

bool Folding::all_take_number(const Operand& number) const {
  const std::vector<Pc>& readers = uses_.readers(number);
  return std::all_of(readers.begin(), readers.end(), [&](Pc reader) { return takes_number(reader, number); });
}

void Folding::fold_constant(Pc pc, const Instruction& move) {
  const std::optional<uint64_t> literal = literals_.of(move.src[0]);
  const bool once = is_written_once(uses_, move.dst[0], pc);
  const bool is_operand = once && all_take_number(move.dst[0]);
  if (!literal) {  // a parameter is read where it is used (constant_reads.h)
    costs_[pc] = one_slot(Unit::Memory);
    if (once) drop(pc);
    return;
  }
  costs_[pc] = one_slot(Unit::Integer);
  if (move.dst[0].bytes == 8) costs_[pc] = cost_of_sequence("MOV MOV");
  // There is a register that is zero.
  if (once && (is_operand || *literal == 0 || move.dst[0].bytes == 0)) drop(pc);
}

void Folding::fold_load(Pc pc) {
  const Instruction& load = at(pc);
  // The upper half of a widened value is its sign, or zero, which is a register that there is.
  if (load.vector == 1 && load.dst[0].bytes == 8 && bytes_of(load.type) < 8 && is_signed(load.type))
    costs_[pc].add(Unit::Integer, 1);
  const bool fixed = load.space == Space::Const && load.src[0].constant() && load.vector == 1;
  if (fixed && constant_operands_ && is_written_once(uses_, load.dst[0], pc) && all_take_number(load.dst[0])) drop(pc);
}

void Folding::fold_copy(Pc pc, const Instruction& move) {
  if (copies_[pc])
    costs_[pc] = move.dst[0].bytes == 8 ? cost_of_sequence("MOV MOV") : one_slot(Unit::Integer);
  else
    drop(pc);
}

}  // namespace heddle

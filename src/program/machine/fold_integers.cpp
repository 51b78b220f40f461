// Integer arithmetic: multiply-adds (IMAD, IMAD.WIDE), shifted adds (LEA), adds of three (IADD3), logic of three
// (LOP3), and the addresses of loads and stores, which have a displacement.
#include <algorithm>

#include "program/machine/folding.h"

namespace heddle {
namespace {

constexpr unsigned kChainOfWidened = 12;  // latency.mul.s64

bool is_integer(const Instruction& i, Op op, unsigned bytes) {
  return i.op == op && bytes_of(i.type) == bytes && !is_float(i.type) && !i.has(Mod::Sat) && i.type != Type::Pred;
}

bool adds(const Instruction& i, unsigned bytes) {
  return is_integer(i, Op::Add, bytes) || is_integer(i, Op::Sub, bytes);
}

bool adds_wide(const Instruction& i, const Operand& value) {
  return is_integer(i, Op::Add, 8) && i.src[0] != i.src[1] && (i.src[0] == value || i.src[1] == value);
}

bool adds_narrow(const Instruction& i, const Operand&) { return adds(i, 4) && i.src[0] != i.src[1]; }

bool is_address_of(const Instruction& i, const Operand& value) {
  if (!touches_memory(i.op) || i.src[0] != value) return false;
  return std::find(i.src.begin() + 1, i.src.begin() + i.src_count, value) == i.src.begin() + i.src_count;
}

bool computes(const Instruction& i, const Operand&) { return !touches_memory(i.op) && i.flow == Flow::Plain; }

bool is_logic(const Instruction& i) {
  return (i.op == Op::And || i.op == Op::Or || i.op == Op::Xor || i.op == Op::Not) && i.type != Type::Pred;
}

bool compares_with_zero(const Instruction& i, const Literals& literals) {
  return i.op == Op::Setp && !is_float(i.type) && (i.has(Mod::Eq) || i.has(Mod::Ne)) &&
         literals.of(i.src[1]) == uint64_t{0};
}

}  // namespace

// A number added to an address is its displacement.
bool Folding::is_displacement(Pc pc, unsigned depth) const {
  constexpr unsigned kDeep = 8;
  const Instruction& part = at(pc);
  if (!is_integer(part, Op::Add, part.dst[0].bytes) || depth > kDeep || uses_.writer(part.dst[0]) != pc) return false;
  if (!is_number(part.src[0]) && !is_number(part.src[1])) return false;
  const std::vector<Pc>& readers = uses_.readers(part.dst[0]);
  return std::all_of(readers.begin(), readers.end(), [&](Pc reader) {
    return same_guard(pc, reader) && (is_address_of(at(reader), part.dst[0]) || is_displacement(reader, depth + 1));
  });
}

void Folding::fold_add(Pc pc) {
  const Instruction& part = at(pc);
  const unsigned bytes = bytes_of(part.type);
  const Pc whole = uses_.only_reader(pc);
  if (whole == kNoPc || bytes < 4 || !stand_together(pc, whole) || !has_room(whole)) return;
  const bool is_negation = part.op == Op::Neg;
  if (!is_negation && taken_[pc]) return;
  const bool limited = is_integer(at(whole), Op::Min, 4) || is_integer(at(whole), Op::Max, 4);
  if (!adds(at(whole), bytes) && !(limited && !is_negation)) return;
  if (is_negation)
    drop(pc);
  else
    join(pc, whole);
}

void Folding::fold_shift(Pc pc) {
  const Instruction& part = at(pc);
  if (!literals_.of(part.src[1])) return;
  const unsigned bytes = bytes_of(part.type);
  if (bytes == 8 ? !all_readers(pc, adds_wide) : bytes != 4 || !all_readers(pc, adds_narrow)) return;
  const std::vector<Pc>& readers = uses_.readers(part.dst[0]);
  if (!std::all_of(readers.begin(), readers.end(), [&](Pc reader) { return has_room(reader); })) return;
  drop(pc);
  for (Pc reader : readers) taken_[reader] = true;
}

// The upper half of a number that was widened is zero: a product less.
bool Folding::is_widened(const Operand& operand) const {
  const Pc writer = uses_.writer(operand);
  return writer != kNoPc && at(writer).op == Op::Cvt && at(writer).source_type == Type::U32;
}

void Folding::fold_product(Pc pc) {
  const Instruction& part = at(pc);
  if (part.has(Mod::Hi)) return;
  const bool widened = is_widened(part.src[0]) != is_widened(part.src[1]);
  if (bytes_of(part.type) == 8 && widened) costs_[pc] = cost_of_sequence("IMAD.WIDE IMAD IADD3", kChainOfWidened);
  const bool wide = part.has(Mod::Wide) && bytes_of(part.type) == 4;
  const bool narrow = bytes_of(part.type) < 4 ? part.has(Mod::Wide) : bytes_of(part.type) == 4;
  if (wide ? !all_readers(pc, adds_wide) : !narrow || !all_readers(pc, adds_narrow)) return;
  const std::vector<Pc>& readers = uses_.readers(part.dst[0]);
  if (!wide && readers.size() > 1) return;
  if (!std::all_of(readers.begin(), readers.end(), [&](Pc reader) { return has_room(reader); })) return;
  drop(pc);
  for (Pc reader : readers) {
    taken_[reader] = true;
    costs_[reader] = cost_of_sequence(wide ? "IMAD.WIDE" : "IMAD");
  }
}

// Narrower values are the lower part of wider ones; what a load or a sign left in the upper part is as it should be.
void Folding::fold_conversion(Pc pc) {
  const Instruction& part = at(pc);
  if (is_float(part.source_type) || part.has(Mod::Sat)) return;
  const unsigned to = bytes_of(part.type), from = bytes_of(part.source_type);
  if (to <= from && to >= 2) return drop(pc);
  if (to == 8 && part.source_type == Type::U32 && all_readers(pc, computes)) return drop(pc);
  if (to == 8 && part.source_type == Type::S32 && uses_.readers(part.dst[0]).size() == 1 && all_readers(pc, adds_wide))
    return drop(pc);  // the upper half of the sum is made with the sign
  const Pc writer = uses_.writer(part.src[0]);
  const bool extended = writer != kNoPc && at(writer).op == Op::Ld && bytes_of(at(writer).type) <= from &&
                        (bytes_of(at(writer).type) < from || !is_signed(part.source_type));
  if (extended && to <= 4) drop(pc);
}

// Half-words are widened first, but for numbers and what a load has widened.
void Folding::fold_comparison(Pc pc) {
  const Instruction& compares = at(pc);
  if (bytes_of(compares.type) != 2) return;
  const auto is_wide = [&](const Operand& operand) {
    if (is_number(operand)) return true;
    const Pc writer = uses_.writer(operand);
    return writer != kNoPc && (at(writer).op == Op::And || (at(writer).op == Op::Ld && bytes_of(at(writer).type) == 1));
  };
  if (is_wide(compares.src[0]) && is_wide(compares.src[1])) costs_[pc] = one_slot(Unit::Integer);
}

unsigned Folding::inputs_of_both(Pc part, Pc whole) const {
  std::vector<uint32_t> inputs;
  const auto note = [&](const Operand& operand, const Operand& inner) {
    if (operand != inner && std::find(inputs.begin(), inputs.end(), operand.at) == inputs.end())
      inputs.push_back(operand.at);
  };
  const Operand& inner = at(part).dst[0];
  for (Pc pc : {part, whole})
    for (unsigned i = 0; i < at(pc).src_count; ++i) note(at(pc).src[i], inner);
  return static_cast<unsigned>(inputs.size());
}

// A value shifted both ways and joined again is rotated.
void Folding::fold_rotation(Pc pc) {
  const Instruction& whole = at(pc);
  const Pc left = uses_.writer(whole.src[0]), right = uses_.writer(whole.src[1]);
  if (left == kNoPc || right == kNoPc || uses_.only_reader(left) != pc || uses_.only_reader(right) != pc) return;
  const auto shifts = [&](Pc a, Pc b) { return at(a).op == Op::Shl && at(b).op == Op::Shr; };
  if (!shifts(left, right) && !shifts(right, left)) return;
  const std::optional<uint64_t> by = literals_.of(at(left).src[1]), back = literals_.of(at(right).src[1]);
  if (bytes_of(whole.type) != 4 || at(left).src[0] != at(right).src[0] || !by || !back || *by + *back != 32) return;
  drop(left);
  drop(right);
  taken_[pc] = true;
}

// The largest or smallest of three.
void Folding::fold_limit(Pc pc) {
  if (!limits_of_three_) return;
  const Pc whole = uses_.only_reader(pc);
  if (whole == kNoPc || taken_[pc] || bytes_of(at(pc).type) != 4 || !stand_together(pc, whole)) return;
  if (at(whole).op == at(pc).op && at(whole).type == at(pc).type && has_room(whole)) join(pc, whole);
}

void Folding::fold_logic(Pc pc) {
  if (at(pc).op == Op::Or) fold_rotation(pc);
  const Pc whole = uses_.only_reader(pc);
  if (whole == kNoPc || !stand_together(pc, whole)) return;
  if (at(pc).op == Op::Not && is_logic(at(whole))) return drop(pc);
  if (bytes_of(at(pc).type) <= 4 && compares_with_zero(at(whole), literals_)) return drop(pc);
  if (taken_[pc] || !is_logic(at(whole)) || !has_room(whole) || inputs_of_both(pc, whole) > 3) return;
  join(pc, whole);
}

}  // namespace heddle

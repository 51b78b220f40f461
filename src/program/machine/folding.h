// What becomes of PTX instructions among others: a back end makes operands, addresses and parts of other instructions
// of many, which then cost nothing.
//
// Each rule says that an instruction (the part) is done by those that read its result (the wholes). A machine
// instruction has room for one part, but for operands: signs, complements, numbers. What the rules say of a few
// instructions together is held against what an assembler made of them (tests/program/machine).
#pragma once

#include "program/machine/copies.h"
#include "program/machine/cost_table.h"
#include "program/machine/uses.h"

namespace heddle {

class Folding {
 public:
  // `costs`: of each instruction by itself; those that fold are made nothing.
  Folding(const Kernel& kernel, const CostTable& table, std::vector<MachineCost>& costs);
  void run();

 private:
  void fold(Pc pc);
  // Values that are no instruction: copies, numbers, parameters (fold_names.cpp).
  void fold_move(Pc pc);
  void fold_parts(Pc pc);
  void fold_load(Pc pc);
  void fold_constant(Pc pc, const Instruction& move);
  void fold_special(Pc pc, Special what);
  bool all_take_number(const Operand& number) const;
  void fold_copy(Pc pc, const Instruction& move);
  bool takes_number(Pc reader, const Operand& number) const;
  bool is_number(const Operand& operand) const;
  // Integers, their addresses and conversions (fold_integers.cpp).
  void fold_add(Pc pc);
  bool is_displacement(Pc pc, unsigned depth = 0) const;
  void fold_shift(Pc pc);
  void fold_product(Pc pc);
  bool is_widened(const Operand& operand) const;
  void fold_conversion(Pc pc);
  void fold_comparison(Pc pc);
  void fold_logic(Pc pc);
  void fold_rotation(Pc pc);
  void fold_limit(Pc pc);
  unsigned inputs_of_both(Pc part, Pc whole) const;
  // Signs and predicates (fold_operands.cpp).
  void fold_sign(Pc pc);
  void fold_predicate(Pc pc);
  void fold_saturation(Pc pc);
  void fold_scaling(Pc pc);
  void fold_float_product(Pc pc);

  const Instruction& at(Pc pc) const { return kernel_.code[pc]; }
  bool all_readers(Pc pc, bool (*fits)(const Instruction& reader, const Operand& value)) const;
  bool same_guard(Pc a, Pc b) const { return at(a).guard == at(b).guard && at(a).guard_negated == at(b).guard_negated; }
  bool stand_together(Pc a, Pc b) const { return kernel_.block_of[a] == kernel_.block_of[b] && same_guard(a, b); }
  bool has_room(Pc whole) const { return !taken_[whole] && costs_[whole].slots > 0; }
  void drop(Pc part);            // costs nothing
  void join(Pc part, Pc whole);  // and the whole has no room for another

  const Kernel& kernel_;
  const Uses uses_;
  const Literals literals_;
  const bool constant_operands_;  // instructions read parameters where they are
  const bool limits_of_three_;    // there is a largest and a smallest of three
  std::vector<MachineCost>& costs_;
  std::vector<bool> taken_;         // has a part, or is one
  const std::vector<bool> copies_;  // that are instructions
  std::vector<Special> read_;       // special registers that have been
};

}  // namespace heddle

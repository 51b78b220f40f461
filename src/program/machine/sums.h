// What registers are, in a basic block, of what they and others were when it began: a register and a number.
#pragma once

#include <map>
#include <optional>

#include "program/machine/cost_table.h"

namespace heddle {

struct Sum {
  Operand of;
  int64_t more = 0;
};

class Sums {
 public:
  explicit Sums(const Literals& literals) : literals_(literals) {}

  std::optional<Sum> of(const Operand& operand) const;  // none: it is something else
  // What the instruction writes, where it adds a number or copies.
  std::optional<Sum> result(const Instruction& instruction) const;
  void pass(const Instruction& instruction);  // in their order
  void forget(uint32_t base);                 // what the register was is there no more

 private:
  const Literals& literals_;
  std::map<uint32_t, std::optional<Sum>> known_;  // by register; others are what they were
};

// A number of the text in a register's width.
std::optional<int64_t> number_of(const Literals& literals, const Operand& operand);

}  // namespace heddle

// What is known of the lowest bits of registers: how many of them are zero, up to those of 16 bytes.
#pragma once

#include <vector>

#include "program/machine/cost_table.h"

namespace heddle {

class Alignment {
 public:
  explicit Alignment(const Kernel& kernel);
  unsigned bytes(const Operand& operand) const { return 1U << zeros(operand); }

 private:
  static constexpr unsigned kMost = 4;
  unsigned zeros(const Operand& operand) const;
  unsigned zeros_of_result(const Instruction& instruction) const;

  std::vector<unsigned> constants_;  // by place in the constant plane
  const Literals literals_;
  std::vector<unsigned> zeros_;  // of registers, by place in the plane
};

}  // namespace heddle

// Who writes a register and who reads it, over a whole kernel.
#pragma once

#include <vector>

#include "program/analysis.h"

namespace heddle {

class Uses {
 public:
  explicit Uses(const Kernel& kernel);

  // The instruction that alone writes the register; kNoPc: several do, or nobody, or it is a constant.
  Pc writer(const Operand& operand) const {
    return !operand.constant() && of(operand).writers == 1 ? of(operand).writer : kNoPc;
  }
  bool is_written(const Operand& operand) const { return of(operand).writers > 0; }
  const std::vector<Pc>& readers(const Operand& operand) const { return of(operand).readers; }
  // The one instruction that reads what this one writes; kNoPc: several or none do, or it writes more than one
  // register.
  Pc only_reader(Pc pc) const;

 private:
  struct Register {
    unsigned writers = 0;
    Pc writer = kNoPc;
    std::vector<Pc> readers;
  };
  const Register& of(const Operand& operand) const { return registers_[operand.at / 4]; }

  const Kernel& kernel_;
  std::vector<Register> registers_;  // by place in the plane
};

}  // namespace heddle

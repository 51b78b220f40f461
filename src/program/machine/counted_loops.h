// Loops of one basic block whose end a count decides.
#pragma once

#include "program/machine/cost_table.h"

namespace heddle {

struct CountedLoop {
  Pc begin = 0, test = 0, branch = 0;
  Operand count, bound;   // it goes on while `count` behind a trip compares so with `bound`, which stays
  int64_t step = 0;       // what a trip adds to the count
  Mod compare = Mod::Lt;  // Lt and Le where it counts up, Gt and Ge where down, Ne
  Type type = Type::S32;
};

// None: the block is no such loop, or it leaves the bound behind and comes to it by wrapping around.
std::optional<CountedLoop> counted_loop(const Kernel& kernel, const BasicBlock& block, const Literals& literals);

}  // namespace heddle

#include "program/machine/effects.h"

#include "program/unit.h"

namespace heddle {

bool is_atomic(const Instruction& instruction) { return instruction.op == Op::Atom || instruction.op == Op::Red; }

bool has_effects(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::Fence:
    case Op::Builtin:
    case Op::Trap:
    case Op::Sleep:
    case Op::VoteNow:
    case Op::ActiveMask:
    case Op::CpAsync:
    case Op::CpBulk: return true;
    default: return is_mbarrier(instruction.op) || instruction.flow != Flow::Plain;
  }
}

}  // namespace heddle

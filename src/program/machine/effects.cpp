#include "program/machine/effects.h"

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
    case Op::MbarInit:
    case Op::MbarArrive:
    case Op::MbarTest:
    case Op::MbarInval:
    case Op::MbarTx:
    case Op::CpBulk:
    case Op::CpArrive: return true;
    default: return instruction.flow != Flow::Plain;
  }
}

}  // namespace heddle

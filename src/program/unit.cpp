#include "program/unit.h"

#include "ptx/type.h"

namespace heddle {
namespace {

bool is_special_function(const Instruction& i) {
  switch (i.op) {
    case Op::Sin:
    case Op::Cos:
    case Op::Tanh:
    case Op::Ex2:
    case Op::Lg2:
    case Op::Rcp:
    case Op::Rsqrt:
    case Op::Sqrt: return true;
    case Op::Div: return is_float(i.type);
    default: return false;
  }
}

}  // namespace

bool touches_memory(Op op) {
  switch (op) {
    case Op::Ld:
    case Op::St:
    case Op::Atom:
    case Op::Red:
    case Op::CpAsync:
    case Op::Tex:
    case Op::Gather:
    case Op::MbarInit:
    case Op::MbarArrive:
    case Op::MbarTest:
    case Op::MbarInval:
    case Op::MbarTx:
    case Op::CpBulk:
    case Op::CpArrive: return true;
    default: return false;
  }
}

bool is_mbarrier(Op op) {
  return op == Op::MbarInit || op == Op::MbarArrive || op == Op::MbarTest || op == Op::MbarInval || op == Op::MbarTx ||
         op == Op::CpArrive;
}

bool reaches_global(const Instruction& i) {
  if (i.space == Space::Shared || i.space == Space::Local) return false;
  switch (i.op) {
    case Op::Ld: return i.space != Space::Const && i.space != Space::Param;
    case Op::St:
    case Op::Atom:
    case Op::Red: return true;
    default: return is_mbarrier(i.op);
  }
}

Unit unit_of(const Instruction& i) {
  if (touches_memory(i.op)) return Unit::Memory;
  if (i.op == Op::Mma) return Unit::Tensor;
  if (i.type == Type::F64 || i.source_type == Type::F64) return i.op == Op::Mov ? Unit::Integer : Unit::Double;
  if (is_special_function(i)) return Unit::Special;
  return is_float(i.type) ? Unit::Single : Unit::Integer;
}

}  // namespace heddle

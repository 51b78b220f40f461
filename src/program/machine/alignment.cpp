#include "program/machine/alignment.h"

#include <algorithm>
#include <bit>

namespace heddle {

// All are taken for aligned until something says otherwise, so that a loop's variable is what it starts from and is
// increased by.
Alignment::Alignment(const Kernel& kernel)
    : constants_(kernel.constant_bytes / 4 + 1), literals_(kernel), zeros_(kernel.plane_bytes / 4 + 1, kMost) {
  // Variables begin on lines of their own.
  for (const ConstantRow& row : kernel.constants)
    if (row.kind == ConstantRow::Kind::Literal || row.kind == ConstantRow::Kind::Symbol)
      constants_[row.offset / 4] = std::min(kMost, static_cast<unsigned>(std::countr_zero(row.bits)));
  for (const SpecialRegister& special : kernel.specials) zeros_[special.at.at / 4] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& instruction : kernel.code)
      for (unsigned i = 0; i < instruction.dst_count; ++i) {
        unsigned& known = zeros_[instruction.dst[i].at / 4];
        const unsigned now = std::min(known, zeros_of_result(instruction));
        changed = changed || now != known;
        known = now;
      }
  }
}

unsigned Alignment::zeros(const Operand& operand) const {
  if (!operand.constant()) return zeros_[operand.at / 4];
  return constants_[operand.offset() / 4];
}

unsigned Alignment::zeros_of_result(const Instruction& i) const {
  if (is_float(i.type)) return 0;
  switch (i.op) {
    case Op::Mov:
    case Op::Cvt:
    case Op::CvtaTo:
    case Op::CvtaFrom:
    case Op::Neg: return zeros(i.src[0]);
    case Op::Add:
    case Op::Sub:
    case Op::Or:
    case Op::Xor:
    case Op::Selp: return std::min(zeros(i.src[0]), zeros(i.src[1]));
    case Op::And: return std::max(zeros(i.src[0]), zeros(i.src[1]));
    case Op::Mul: return i.has(Mod::Hi) ? 0 : std::min(kMost, zeros(i.src[0]) + zeros(i.src[1]));
    case Op::Mad: return i.has(Mod::Hi) ? 0 : std::min({kMost, zeros(i.src[0]) + zeros(i.src[1]), zeros(i.src[2])});
    case Op::Shl: {
      const std::optional<uint64_t> by = literals_.of(i.src[1]);
      return by ? static_cast<unsigned>(std::min<uint64_t>(kMost, zeros(i.src[0]) + *by)) : zeros(i.src[0]);
    }
    default: return 0;
  }
}

}  // namespace heddle

#include "exec/scalar/scalar.h"

#include "exec/scalar/form.h"

namespace heddle {
namespace {

// The values pass as they are, whatever their type. A b128 does not fit a Scalar.
Scalar select_plain_move(const Instruction& i) {
  if (i.op != Op::Mov || i.type == Type::B128) return nullptr;
  return scalar_of<uint64_t>([](uint64_t a) { return a; });
}

}  // namespace

Scalar select_scalar(const Instruction& instruction) {
  const auto arithmetic = ptx::is_float(instruction.type) ? select_float : select_integer;
  // Approximations come before the exact forms of the same operations.
  for (const auto theme : {select_plain_move, select_bits, select_video, select_compare, select_convert_packed,
                           select_convert, select_approximate, select_half, arithmetic})
    if (const Scalar found = theme(instruction)) return found;
  return nullptr;
}

}  // namespace heddle

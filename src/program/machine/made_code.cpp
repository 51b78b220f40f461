#include "program/machine/made_code.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr uint32_t kLine = 64;  // rows begin on lines

uint32_t take_row(uint32_t& plane, unsigned bytes) {
  const uint32_t at = plane;
  plane += std::max(bytes * kRow, kLine);
  return at;
}

}  // namespace

Operand new_register(Kernel& kernel, unsigned bytes) {
  return {.at = take_row(kernel.plane_bytes, bytes), .bytes = static_cast<uint8_t>(bytes)};
}

Operand new_number(Kernel& kernel, uint64_t bits, unsigned bytes) {
  const auto known = std::find_if(kernel.constants.begin(), kernel.constants.end(), [&](const ConstantRow& row) {
    return row.kind == ConstantRow::Kind::Literal && row.bits == bits && row.bytes == bytes;
  });
  if (known != kernel.constants.end()) return {known->offset | Operand::kConstant, known->bytes, false};
  const uint32_t offset = take_row(kernel.constant_bytes, bytes);
  kernel.constants.push_back({ConstantRow::Kind::Literal, static_cast<uint8_t>(bytes), Type::None, bits, {}, offset});
  return {offset | Operand::kConstant, static_cast<uint8_t>(bytes), false};
}

Instruction made(const Instruction& beside, Op op, Type type, std::initializer_list<Operand> results,
                 std::initializer_list<Operand> sources) {
  Instruction out;
  out.op = op;
  out.flow = flow_of(op);
  out.type = out.source_type = out.second_source_type = out.third_source_type = type;
  for (const Operand& each : results) out.dst[out.dst_count++] = each;
  for (const Operand& each : sources) out.src[out.src_count++] = each;
  out.place = beside.place;
  out.loc = beside.loc;
  return out;
}

}  // namespace heddle

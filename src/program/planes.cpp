#include "program/planes.h"

namespace heddle {

Operand ConstantPool::add(ConstantRow::Kind kind, unsigned bytes, Type type, uint64_t bits, const std::string& symbol) {
  const Key key{kind, bytes, type, bits, symbol};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const uint32_t offset = layout_.row(bytes);
  rows_.push_back({kind, static_cast<uint8_t>(bytes), type, bits, symbol, offset});
  const Operand operand{offset | Operand::kConstant, static_cast<uint8_t>(bytes), false};
  known_.emplace(key, operand);
  return operand;
}

Operand ConstantPool::deferred(unsigned bytes, int64_t addend) {
  const uint32_t offset = layout_.row(bytes);
  deferred_.push_back(rows_.size());
  rows_.push_back(
      {ConstantRow::Kind::Literal, static_cast<uint8_t>(bytes), Type::None, static_cast<uint64_t>(addend), {}, offset});
  return {offset | Operand::kConstant, static_cast<uint8_t>(bytes), false};
}

void ConstantPool::resolve_deferred(uint64_t base) {
  for (size_t index : deferred_) rows_[index].bits += base;
  deferred_.clear();
}

}  // namespace heddle

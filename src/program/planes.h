// Where registers and constants lie in their planes (see instruction.h).
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "program/kernel.h"

namespace heddle {

// Hands out rows: dense, aligned to their size up to a cache line.
class PlaneLayout {
 public:
  uint32_t row(unsigned bytes) {
    if (bytes == 0) return predicate();
    return take(bytes * kRow);
  }
  uint32_t size() const { return (next_ + 63) / 64 * 64; }

 private:
  uint32_t take(uint32_t bytes) {
    next_ = (next_ + 63) / 64 * 64;
    const uint32_t at = next_;
    next_ += bytes;
    return at;
  }
  uint32_t predicate() {
    if (predicates_left_ == 0) {
      predicate_next_ = take(64);
      predicates_left_ = 16;
    }
    --predicates_left_;
    return std::exchange(predicate_next_, predicate_next_ + 4);
  }
  uint32_t next_ = 0, predicate_next_ = 0, predicates_left_ = 0;
};

// The constant plane, equal constants once.
class ConstantPool {
 public:
  Operand literal(uint64_t bits, unsigned bytes) {
    return add(ConstantRow::Kind::Literal, bytes, Type::None, bits, {});
  }
  Operand parameter(uint32_t offset, Type type, unsigned bytes) {
    return add(ConstantRow::Kind::Parameter, bytes, type, offset, {});
  }
  Operand parameter_address(uint64_t offset, unsigned bytes = 8) {
    return add(ConstantRow::Kind::ParamAddress, bytes, Type::None, offset, {});
  }
  Operand symbol(const std::string& name, int64_t addend, unsigned bytes) {
    return add(ConstantRow::Kind::Symbol, bytes, Type::None, static_cast<uint64_t>(addend), name);
  }
  // A literal whose value is set later: the base of dynamic shared memory.
  Operand deferred(unsigned bytes, int64_t addend);
  void resolve_deferred(uint64_t base);

  std::vector<ConstantRow> take_rows() { return std::move(rows_); }
  uint32_t size() const { return layout_.size(); }

 private:
  Operand add(ConstantRow::Kind kind, unsigned bytes, Type type, uint64_t bits, const std::string& symbol);

  using Key = std::tuple<ConstantRow::Kind, unsigned, Type, uint64_t, std::string>;
  PlaneLayout layout_;
  std::vector<ConstantRow> rows_;
  std::map<Key, Operand> known_;
  std::vector<size_t> deferred_;
};

}  // namespace heddle

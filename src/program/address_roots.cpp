// What addresses of global memory are made of: an address that is computed from a pointer of the kernel's arguments, or
// from that of a variable, lies in the memory that one points to, in a program that keeps to its arrays.
//
// Of each register it is found, whatever the way through the code, which of these pointers its values may have been
// computed from, and whether it may have a value of which that is not known.
#include <algorithm>
#include <map>

#include "program/analysis.h"
#include "program/unit.h"

namespace heddle {
namespace {

constexpr unsigned kPointer = 8;  // bytes
constexpr size_t kMostRoots = 64;

// How a result has to do with its operands.
enum class Makes : uint8_t {
  OneOf,  // it is one of them
  Sum,    // it was computed from them
  Else,
};

Makes what_makes(Op op) {
  switch (op) {
    case Op::Mov:
    case Op::CvtaTo:
    case Op::CvtaFrom:
    case Op::Selp:
    case Op::Slct:
    case Op::Min:
    case Op::Max: return Makes::OneOf;
    case Op::Add:
    case Op::Sub:
    case Op::Mad:
    case Op::Mul:
    case Op::Shl:
    case Op::Shr:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Lop3:
    case Op::Cvt: return Makes::Sum;
    default: return Makes::Else;
  }
}

bool may_be_pointer(const ConstantRow& row) {
  return row.bytes == kPointer && (row.kind == ConstantRow::Kind::Parameter || row.kind == ConstantRow::Kind::Symbol);
}

class RootSearch {
 public:
  explicit RootSearch(Kernel& kernel) : kernel_(kernel), values_(kernel.plane_bytes / 4 + 1) {}

  void run() {
    find_roots();
    find_writes();
    for (const SpecialRegister& special : kernel_.specials) value_at(special.at).others = true;
    value_at(kernel_.frame).others = true;
    do {
      changed_ = false;
      for (const Write& write : writes_) follow(write);
    } while (changed_);
    kernel_.address_roots.assign(kernel_.code.size(), {});
    for (size_t pc = 0; pc < kernel_.code.size(); ++pc)
      if (reaches_global(kernel_.code[pc])) kernel_.address_roots[pc] = address_of(kernel_.code[pc]);
  }

 private:
  using Value = AddressRoots;  // neither: nothing is known to be written there yet
  struct Write {
    const Instruction& by;
    Operand to;
  };

  void find_roots() {
    kernel_.roots.clear();
    for (uint32_t row = 0; row < kernel_.constants.size(); ++row) {
      if (!may_be_pointer(kernel_.constants[row]) || kernel_.roots.size() == kMostRoots) continue;
      bits_[kernel_.constants[row].offset] = uint64_t{1} << kernel_.roots.size();
      kernel_.roots.push_back(row);
    }
  }

  Value& value_at(const Operand& reg) { return values_[reg.at / 4]; }

  Value value_of(const Operand& operand) {
    if (operand.bytes != kPointer) return {.others = true};
    if (!operand.constant()) return value_at(operand);
    const auto bit = bits_.find(operand.offset());
    return bit == bits_.end() ? Value{.others = true} : Value{.rows = bit->second};
  }

  Value address_of(const Instruction& instruction) {
    Value value = instruction.src_count > 0 ? value_of(instruction.src[0]) : Value{};
    value.others = value.others || value.rows == 0;
    return value;
  }

  // What has no root is an offset, if anything else has one.
  Value sum_of(const Instruction& instruction) {
    Value sum;
    bool known = true;
    for (unsigned s = 0; s < instruction.src_count; ++s) {
      const Value value = value_of(instruction.src[s]);
      known = known && (value.rows != 0 || value.others);
      if (value.rows == 0) continue;
      sum.rows |= value.rows;
      sum.others = sum.others || value.others;
    }
    if (sum.rows == 0) sum.others = known;
    return sum;
  }

  Value one_of(const Instruction& instruction) {
    Value value;
    for (unsigned s = 0; s < instruction.src_count; ++s) {
      if (instruction.src[s].bytes != kPointer) continue;  // a predicate
      const Value each = value_of(instruction.src[s]);
      value.rows |= each.rows;
      value.others = value.others || each.others;
    }
    return value;
  }

  Value result_of(const Instruction& instruction) {
    switch (what_makes(instruction.op)) {
      case Makes::OneOf: return one_of(instruction);
      case Makes::Sum: return sum_of(instruction);
      case Makes::Else: break;
    }
    return {.others = true};
  }

  void find_writes() {
    for (const Instruction& instruction : kernel_.code)
      for (const Operand& written : accesses_of(kernel_, instruction).writes)
        if (written.bytes == kPointer) writes_.push_back({instruction, written});
  }

  void follow(const Write& write) {
    Value& value = value_at(write.to);
    const Value result = result_of(write.by);
    if ((result.rows & ~value.rows) == 0 && result.others <= value.others) return;
    value = {value.rows | result.rows, value.others || result.others};
    changed_ = true;
  }

  Kernel& kernel_;
  std::map<uint32_t, uint64_t> bits_;  // of roots, by their places in the constant plane
  std::vector<Write> writes_;          // to registers that may hold pointers
  std::vector<Value> values_;          // of registers, by a quarter of their places
  bool changed_ = false;
};

}  // namespace

void find_address_roots(Kernel& kernel) { RootSearch(kernel).run(); }

}  // namespace heddle

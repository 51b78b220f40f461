// What addresses of global memory are made of: an address that is computed from a pointer of the kernel's arguments, or
// from that of a variable, lies in the memory that one points to, in a program that keeps to its arrays.
//
// Of each register it is found, whatever the way through the code, which of these pointers its values may have been
// computed from, and whether it may have a value of which that is not known: what comes from memory, the difference of
// two pointers, and what they are added to. Numbers are what is computed from literals, from what has fewer than eight
// bytes, and from numbers. A product of anything else, or a shift, is taken for an index where it is added to a
// pointer; an argument of eight bytes may be a number as well, which is known when the kernel is launched, and then the
// pointer may be what was added to it (`mixed`).
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
  OneOf,       // it is one of them
  Sum,         // of them
  Difference,  // of two
  Scaled,      // a product and the like of the first two, and a third that is added, if there is one
  Masked,
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
    case Op::Cvt: return Makes::Sum;
    case Op::Sub: return Makes::Difference;
    case Op::And: return Makes::Masked;
    case Op::Mad:
    case Op::Mul:
    case Op::Shl:
    case Op::Shr:
    case Op::Or:
    case Op::Xor: return Makes::Scaled;
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
    for (const SpecialRegister& special : kernel_.specials) value_at(special.at) = unknown();
    value_at(kernel_.frame) = unknown();
    do {
      changed_ = false;
      for (const Write& write : writes_) follow(write);
    } while (changed_);
    kernel_.address_roots.assign(kernel_.code.size(), {});
    for (size_t pc = 0; pc < kernel_.code.size(); ++pc)
      if (reaches_global(kernel_.code[pc])) kernel_.address_roots[pc] = address_of(kernel_.code[pc]);
  }

 private:
  // None of it: nothing is known to be written there yet.
  struct Value : AddressRoots {
    bool number = false;  // perhaps
    bool scaled = false;  // perhaps a product of what is not known: an index into an array
    bool empty() const { return rows == 0 && !others && !number && !scaled; }
    bool is_number() const { return rows == 0 && !others && !scaled; }
    bool is_offset() const { return rows == 0 && !others; }
    bool operator==(const Value&) const = default;
  };
  static Value number() { return {{}, true, false}; }
  static Value scaled() { return {{}, false, true}; }
  static Value unknown() { return {{.others = true}, false, false}; }
  struct Write {
    const Instruction& by;
    Operand to;
  };

  void find_roots() {
    kernel_.roots.clear();
    for (uint32_t row = 0; row < kernel_.constants.size(); ++row) {
      if (kernel_.constants[row].kind == ConstantRow::Kind::Literal)
        literals_[kernel_.constants[row].offset] = kernel_.constants[row].bits;
      if (!may_be_pointer(kernel_.constants[row]) || kernel_.roots.size() == kMostRoots) continue;
      bits_[kernel_.constants[row].offset] = uint64_t{1} << kernel_.roots.size();
      kernel_.roots.push_back(row);
    }
  }

  Value& value_at(const Operand& reg) { return values_[reg.at / 4]; }

  Value value_of(const Operand& operand) {
    if (operand.bytes != kPointer) return number();
    if (!operand.constant()) return value_at(operand);
    const auto bit = bits_.find(operand.offset());
    if (bit != bits_.end()) return {{.rows = bit->second}, false, false};
    return literals_.contains(operand.offset()) ? number() : unknown();
  }

  AddressRoots address_of(const Instruction& instruction) {
    AddressRoots roots = instruction.src_count > 0 ? value_of(instruction.src[0]) : unknown();
    roots.others = roots.others || roots.rows == 0;
    return roots;
  }

  // Of two pointers, or of a pointer and what may be one, it is not known where it leads.
  static Value sum_of(const Value& a, const Value& b) {
    if (a.empty() || b.empty()) return {};
    if (a.is_number() && b.is_number()) return number();
    if (a.is_offset() && b.is_offset()) return scaled();
    Value sum{{.rows = a.rows | b.rows, .others = a.others || b.others, .mixed = a.mixed || b.mixed}, false, false};
    const auto may_lead_anywhere = [](const Value& pointer, const Value& offset) {
      return pointer.rows != 0 && pointer.number && offset.scaled;
    };
    sum.others = sum.others || may_lead_anywhere(a, b) || may_lead_anywhere(b, a);
    sum.mixed = sum.mixed || a.scaled || b.scaled;
    return sum;
  }

  static Value difference_of(const Value& a, const Value& b) {
    if (a.empty() || b.empty()) return {};
    return b.is_offset() ? sum_of(a, b) : unknown();
  }

  static Value product_of(const Value& a, const Value& b) {
    if (a.empty() || b.empty()) return {};
    return a.is_number() && b.is_number() ? number() : scaled();
  }

  // The low bits of a pointer are a number; without them it points to where it did.
  Value masked(const Instruction& instruction) {
    for (const unsigned s : {0U, 1U}) {
      const auto mask = instruction.src[s].constant() ? literals_.find(instruction.src[s].offset()) : literals_.end();
      if (mask == literals_.end()) continue;
      if (mask->second >> 32 == 0) return number();
      if (mask->second >> 63 != 0) return value_of(instruction.src[1 - s]);
    }
    return product_of(value_of(instruction.src[0]), value_of(instruction.src[1]));
  }

  Value one_of(const Instruction& instruction) {
    Value value;
    for (unsigned s = 0; s < instruction.src_count; ++s)
      if (instruction.src[s].bytes == kPointer)  // else a predicate
        value = either(value, value_of(instruction.src[s]));
      else if (instruction.op == Op::Mov)  // of halves
        return unknown();
    return value;
  }

  static Value either(const Value& a, const Value& b) {
    return {{.rows = a.rows | b.rows, .others = a.others || b.others, .mixed = a.mixed || b.mixed},
            a.number || b.number,
            a.scaled || b.scaled};
  }

  Value result_of(const Instruction& instruction) {
    const auto operand = [&](unsigned s) {
      return s < instruction.src_count ? value_of(instruction.src[s]) : number();
    };
    switch (what_makes(instruction.op)) {
      case Makes::OneOf: return one_of(instruction);
      case Makes::Sum: return sum_of(operand(0), operand(1));
      case Makes::Difference: return difference_of(operand(0), operand(1));
      case Makes::Scaled: return sum_of(product_of(operand(0), operand(1)), operand(2));
      case Makes::Masked: return masked(instruction);
      case Makes::Else: break;
    }
    const bool narrow = instruction.op == Op::Ld && bytes_of(instruction.type) < kPointer;
    return narrow ? number() : unknown();
  }

  void find_writes() {
    for (const Instruction& instruction : kernel_.code)
      for (const Operand& written : accesses_of(kernel_, instruction).writes)
        if (written.bytes == kPointer) writes_.push_back({instruction, written});
  }

  void follow(const Write& write) {
    Value& value = value_at(write.to);
    const Value all = either(value, result_of(write.by));
    changed_ = changed_ || !(all == value);
    value = all;
  }

  Kernel& kernel_;
  std::map<uint32_t, uint64_t> bits_;      // of roots, by their places in the constant plane
  std::map<uint32_t, uint64_t> literals_;  // the same
  std::vector<Write> writes_;              // to registers that may hold pointers
  std::vector<Value> values_;              // of registers, by a quarter of their places
  bool changed_ = false;
};

}  // namespace

void find_address_roots(Kernel& kernel) { RootSearch(kernel).run(); }

}  // namespace heddle

#include "program/machine/constant_reads.h"

#include <optional>
#include <set>

#include "program/machine/loops.h"
#include "program/machine/uses.h"
#include "program/special.h"

namespace heddle {
namespace {

constexpr uint64_t kSharedBase = ~uint64_t{0};
// Beyond the places of parameters: other constants, special registers.
constexpr uint64_t kConstants = uint64_t{1} << 32, kSizes = uint64_t{1} << 33;

class ConstantReads {
 public:
  ConstantReads(Kernel& kernel, const CostTable& table)
      : kernel_(kernel),
        uses_(kernel),
        literals_(kernel),
        loops_(kernel),
        operands_(table.reads_constant_operands()),
        base_slots_(table.shared_base_slots()) {}

  void run() {
    for (Pc pc = 0; pc < kernel_.code.size(); ++pc) {
      const Instruction& instruction = kernel_.code[pc];
      if (instruction.space == Space::Shared && touches_memory(instruction.op) && needs_base(pc, instruction.src[0]))
        read(kSharedBase, pc, base_slots_);
      const bool itself = instruction.op == Op::Mov || instruction.space == Space::Const;
      if (kernel_.costs[pc].slots == 0 || itself) continue;
      const bool operand = operands_ && !touches_memory(instruction.op);  // what goes to memory is in a register
      for (unsigned i = 0; i < instruction.src_count && !operand; ++i)
        if (const auto place = place_of(instruction.src[i]))
          read(*place, pc, operands_ ? words(instruction.src[i]) : 1);
    }
  }

 private:
  static unsigned words(const Operand& operand) { return (operand.bytes + 3U) / 4; }

  // Is the variable's place added to the address here?
  bool needs_base(Pc pc, const Operand& address) const {
    if (address.constant()) return true;
    const Pc writer = uses_.writer(address);
    if (writer == kNoPc || kernel_.block_of[writer] != kernel_.block_of[pc]) return false;
    const Instruction& adds = kernel_.code[writer];
    return (adds.op == Op::Add && (is_number(adds.src[0]) || is_number(adds.src[1]))) ||
           (adds.op == Op::Mad && is_number(adds.src[2]));
  }

  bool is_number(const Operand& operand) const {
    if (operand.constant()) return true;
    const Pc writer = uses_.writer(operand);
    return writer != kNoPc && kernel_.code[writer].op == Op::Mov && literals_.of(kernel_.code[writer].src[0]);
  }

  // Where the value lies in constant memory, in units of eight bytes, which are read together.
  std::optional<uint64_t> place_of(const Operand& operand) const {
    const Operand* at = &operand;
    for (Pc writer = uses_.writer(*at); writer != kNoPc; writer = uses_.writer(*at)) {
      const Instruction& from = kernel_.code[writer];
      if (from.op != Op::Mov && from.op != Op::CvtaTo && from.op != Op::CvtaFrom) return std::nullopt;
      at = &from.src[0];
    }
    if (at->constant()) return place_of_row(at->offset());
    for (const SpecialRegister& special : kernel_.specials)
      if (special.at == *at && is_size_of_launch(special.what)) return kSizes + special.at.at;
    return std::nullopt;
  }

  std::optional<uint64_t> place_of_row(uint32_t offset) const {
    for (const ConstantRow& row : kernel_.constants) {
      if (row.offset != offset || row.kind == ConstantRow::Kind::Literal) continue;
      return row.kind == ConstantRow::Kind::Parameter ? row.bits / 8 : kConstants + offset;
    }
    return std::nullopt;
  }

  void read(uint64_t place, Pc pc, unsigned slots) {
    uint32_t block = kernel_.block_of[pc];
    if (loops_.in_every_trip(block) && loops_.around(block)->before >= 0) {
      block = static_cast<uint32_t>(loops_.around(block)->before);
      pc = kernel_.blocks[block].end - 1;
    }
    if (known_.insert({place, block}).second)
      kernel_.costs[pc].add(place == kSharedBase ? Unit::Integer : Unit::Memory, slots);
  }

  Kernel& kernel_;
  const Uses uses_;
  const Literals literals_;
  const Loops loops_;
  const bool operands_;
  const unsigned base_slots_;
  std::set<std::pair<uint64_t, uint32_t>> known_;  // place and block
};

}  // namespace

void add_constant_reads(Kernel& kernel, const CostTable& table) { ConstantReads(kernel, table).run(); }

}  // namespace heddle

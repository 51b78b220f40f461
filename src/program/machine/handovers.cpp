#include "program/machine/handovers.h"

#include <algorithm>
#include <map>

#include "program/machine/uses.h"

namespace heddle {
namespace {

constexpr int kGuard = 9, kGuardByDouble = 6, kBetweenSpecials = 2, kScalar = 2, kCarry = 4;

enum class Pipe : uint8_t { Integer, MultiplyAdd, Double, Special, Memory, Control };

Pipe pipe_of(Unit unit) {
  switch (unit) {
    case Unit::Integer: return Pipe::Integer;
    case Unit::Single:
    case Unit::Multiply: return Pipe::MultiplyAdd;
    case Unit::Double: return Pipe::Double;
    case Unit::Special: return Pipe::Special;
    case Unit::Memory:
    case Unit::Tensor: return Pipe::Memory;
    case Unit::Control:
    case Unit::Count_: break;
  }
  return Pipe::Control;
}

bool is_short(Pipe pipe) { return pipe == Pipe::Integer || pipe == Pipe::MultiplyAdd; }

int crossing(Pipe from, Pipe to) {
  if (from == to || to == Pipe::Control) return 0;
  if (from == Pipe::Double || (to == Pipe::Double && is_short(from))) return 2;
  return is_short(from) && to != Pipe::Special ? 1 : 0;
}

class Handovers {
 public:
  explicit Handovers(Kernel& kernel) : kernel_(kernel), uses_(kernel) {}

  void run() {
    std::vector<Pc> scalars;
    for (const BasicBlock& block : kernel_.blocks) {
      written_.clear();
      for (Pc pc = block.begin; pc < block.end; ++pc) {
        const Instruction& instruction = kernel_.code[pc];
        if (cost(pc).slots > 0 && !touches_memory(instruction.op) && instruction.flow != Flow::Branch &&
            instruction.op != Op::Mma)  // which has times of its own
          kernel_.costs[pc].after = static_cast<int8_t>(after(pc));
        if (const Pc reader = reader_of(pc); reader != kNoPc && cost(pc).slots == 1 && is_scalar(pc, reader))
          scalars.push_back(pc);
        for (unsigned i = 0; i < instruction.dst_count; ++i) written_[instruction.dst[i].at] = pc;
      }
    }
    for (const Pc pc : scalars) leave_pipe(kernel_.costs[pc]);
  }

 private:
  const MachineCost& cost(Pc pc) const { return kernel_.costs[pc]; }

  // Scalars have a unit of their own, which is not what limits.
  static void leave_pipe(MachineCost& cost) {
    cost.units = {};
    cost.units[static_cast<size_t>(Unit::Control)] = 1;
    cost.last = Unit::Control;
  }

  Pc reader_of(Pc pc) const {
    return kernel_.code[pc].dst_count == 1 ? first_reader(pc, kernel_.code[pc].dst[0]) : kNoPc;
  }

  int after(Pc pc) const {
    const Instruction& instruction = kernel_.code[pc];
    int most = by_halves(pc) ? -1 : 0;
    for (unsigned i = 0; i < instruction.dst_count; ++i) {
      const Operand& result = instruction.dst[i];
      if (result.bytes == 0) {
        if (guards(result)) most = std::max(most, cost(pc).last == Unit::Double ? kGuardByDouble : kGuard);
      } else if (const Pc reader = first_reader(pc, result); reader != kNoPc) {
        most = std::max(most, until(pc, reader));
      }
    }
    return most;
  }

  bool guards(const Operand& predicate) const {
    const std::vector<Pc>& readers = uses_.readers(predicate);
    return std::any_of(readers.begin(), readers.end(), [&](Pc reader) {
      const Instruction& reads = kernel_.code[reader];
      return reads.guard == predicate.at || reads.op == Op::Vote;
    });
  }

  int until(Pc pc, Pc reader) const {
    const Pipe from = pipe_of(cost(pc).last), to = pipe_of(first_unit(reader));
    if (by_halves(pc)) {
      if (by_halves(reader)) return -1;
      return crossing(from, to) + (carries(kernel_.code[pc]) ? kCarry : 0);
    }
    const bool alone = cost(pc).slots == 1 && is_short(from);
    if (alone && is_scalar(pc, reader)) return kScalar;
    if (alone && to == Pipe::Special && reads_special(pc)) return kBetweenSpecials;
    if (from == Pipe::Special && begins_between(reader)) return kBetweenSpecials;
    return crossing(from, to);
  }

  // A count that all threads share, and its comparison.
  bool is_scalar(Pc pc, Pc reader) const {
    const Instruction& compares = kernel_.code[reader];
    if (kernel_.code[pc].op != Op::Add || compares.op != Op::Setp || is_float(compares.type)) return false;
    const Pc branch = first_reader(reader, compares.dst[0]);
    return branch != kNoPc && kernel_.code[branch].op == Op::Bra && kernel_.uniform[branch];
  }

  // Of a sequence nobody knows with what it begins but where it is of two.
  Unit first_unit(Pc pc) const {
    if (touches_memory(kernel_.code[pc].op)) return Unit::Memory;
    if (cost(pc).slots == 1) return cost(pc).last;
    return by_halves(pc) ? Unit::Integer : Unit::Control;
  }

  // An instruction of the special-function unit with one before it that is not.
  bool begins_between(Pc pc) const {
    return cost(pc).slots == 2 && cost(pc).last == Unit::Special &&
           cost(pc).units[static_cast<size_t>(Unit::Special)] == 1;
  }

  bool by_halves(Pc pc) const {
    const MachineCost& made = cost(pc);
    const Instruction& instruction = kernel_.code[pc];
    return made.slots == 2 && made.before == 0 && instruction.dst_count == 1 && instruction.dst[0].bytes == 8 &&
           is_short(pipe_of(made.last));
  }

  static bool carries(const Instruction& i) { return i.op == Op::Add || i.op == Op::Sub || i.op == Op::Neg; }

  bool reads_special(Pc pc) const {
    const Instruction& instruction = kernel_.code[pc];
    return std::any_of(instruction.src.begin(), instruction.src.begin() + instruction.src_count,
                       [&](const Operand& src) {
                         const auto writer = written_.find(src.at);
                         return writer != written_.end() && cost(writer->second).last == Unit::Special &&
                                cost(writer->second).slots > 0;
                       });
  }

  // In the block behind it; where there is none, the first of all, which may be of the next trip. What folds hands on.
  Pc first_reader(Pc pc, const Operand& value, unsigned depth = 0) const {
    constexpr unsigned kDeep = 4;
    const std::vector<Pc>& readers = uses_.readers(value);
    if (readers.empty() || depth > kDeep) return kNoPc;
    const auto behind = std::find_if(readers.begin(), readers.end(), [&](Pc reader) {
      return reader > pc && kernel_.block_of[reader] == kernel_.block_of[pc];
    });
    const Pc reader = behind == readers.end() ? readers.front() : *behind;
    if (cost(reader).slots > 0 || kernel_.code[reader].dst_count == 0) return reader;
    return first_reader(reader, kernel_.code[reader].dst[0], depth + 1);
  }

  Kernel& kernel_;
  const Uses uses_;
  std::map<uint32_t, Pc> written_;  // in the block so far, by register
};

}  // namespace

void add_handovers(Kernel& kernel) { Handovers(kernel).run(); }

}  // namespace heddle

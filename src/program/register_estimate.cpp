// How many registers a compiler would assign to a thread: the most that hold a value at one place, when
// - parameters, immediates, addresses of variables, constant memory at fixed addresses and values that are the same for
//   the whole grid or block (%ctaid, %ntid) are operands and take none, nor do copies of a register and the upper half
//   of a value widened by zeros;
// - the instructions of a basic block stand in the order of a scheduler, which issues loads early (block_schedule.h);
// - a division or root that is a sequence of instructions takes a few for itself;
// - one register is the stack pointer, and a kernel that calls has at least those of the calling convention.
// Predicates have registers of their own; a 64-bit value takes two. What is more than a thread can have goes to memory.
//
// tests/workloads/registers_test.cpp holds it against a real allocator. No constant is of one kernel.
#include <algorithm>

#include "program/block_schedule.h"
#include "program/liveness.h"
#include "program/special.h"

namespace heddle {
namespace {

constexpr unsigned kStackPointer = 1;
constexpr unsigned kSequence = 6;            // registers that a sequence of instructions takes beside its operands
constexpr unsigned kCallingConvention = 24;  // CUDA's ABI
constexpr unsigned kMost = 255;              // of a thread
constexpr unsigned kNamesOfNames = 64;       // followed so far, for they may go in a circle

bool is_sequence(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::Div:
    case Op::Rem:
    case Op::Sqrt:
    case Op::Rcp:
    case Op::Rsqrt: return !instruction.has(Mod::Approx) && !instruction.has(Mod::Full);
    default: return false;
  }
}

// Is what it writes just another name for what it reads? The upper half of a widened value is zero, which is no
// register.
bool is_name(const Instruction& instruction) {
  if (instruction.guarded()) return false;
  if (instruction.op == Op::Ld) return instruction.space == Space::Const && instruction.src[0].constant();
  if (instruction.op == Op::Cvt) return instruction.source_type == Type::U32 && instruction.dst[0].bytes == 8;
  return instruction.op == Op::Mov || instruction.op == Op::CvtaTo || instruction.op == Op::CvtaFrom;
}

// What the instructions read and write of registers, when operands and copies are left out.
class Operands {
 public:
  explicit Operands(const Kernel& kernel) : kernel_(kernel), values_(kernel.plane_bytes / 4 + 1) {
    for (const SpecialRegister& special : kernel.specials) value(special.at).differs = differs_by_thread(special.what);
    for (const Instruction& instruction : kernel.code) result_.push_back(accesses_of(kernel, instruction));
    for (Pc pc = 0; pc < kernel.code.size(); ++pc)
      for (const Operand& written : result_[pc].writes) {
        value(written).only_writer = value(written).writers++ == 0 ? pc : kNoPc;
      }
  }

  std::vector<Accesses> without_names() && {
    for (Pc pc = 0; pc < kernel_.code.size(); ++pc) {
      std::vector<Operand> reads;
      for (const Operand& read : result_[pc].reads)
        if (const Operand* meant = behind(read)) reads.push_back(*meant);
      const bool is_nothing = !result_[pc].writes.empty() && is_only_a_name(result_[pc].writes[0]);
      changed_.push_back(is_nothing ? Accesses{} : Accesses{std::move(reads), result_[pc].writes});
    }
    return std::move(changed_);
  }

 private:
  struct Value {
    unsigned writers = 0;
    Pc only_writer = kNoPc;
    bool differs = false;  // a special register, among the threads of a block
  };

  Value& value(const Operand& operand) { return values_[operand.at / 4]; }
  const Value& value(const Operand& operand) const { return values_[operand.at / 4]; }

  // May the register be replaced by what it was made from?
  bool is_only_a_name(const Operand& operand) const {
    const Pc pc = value(operand).only_writer;
    if (operand.bytes == 0 || pc == kNoPc || !is_name(kernel_.code[pc])) return false;
    const std::vector<Operand>& from = result_[pc].reads;
    return from.empty() || (value(from[0]).writers == 0 && !value(from[0]).differs) ||
           value(from[0]).only_writer != kNoPc;
  }

  // The register that holds the value; null if none does.
  const Operand* behind(const Operand& operand) const {
    const Operand* at = &operand;
    for (unsigned i = 0; i < kNamesOfNames && is_only_a_name(*at); ++i) {
      const std::vector<Operand>& from = result_[value(*at).only_writer].reads;
      if (from.empty()) return nullptr;
      at = &from[0];
    }
    return value(*at).writers == 0 && at->bytes > 0 ? nullptr : at;
  }

  const Kernel& kernel_;
  std::vector<Value> values_;  // by place in the plane
  std::vector<Accesses> result_, changed_;
};

class RegisterEstimate {
 public:
  explicit RegisterEstimate(const Kernel& kernel)
      : kernel_(kernel), accesses_(Operands(kernel).without_names()), liveness_(kernel, accesses_) {}

  unsigned registers() {
    for (uint32_t i = 0; i < kernel_.blocks.size(); ++i) measure(i);
    unsigned callees = 0;
    for (size_t f = 1; f < own_.size(); ++f) callees = std::max(callees, own_[f]);
    const unsigned most = std::max(own_[0], at_calls_ + callees) + kStackPointer;
    return kernel_.has_calls ? std::max(most, kCallingConvention) : most;
  }

 private:
  void measure(uint32_t block) {
    const uint32_t function = kernel_.blocks[block].function;
    const std::vector<Pc> order = scheduled(kernel_, accesses_, kernel_.blocks[block]);
    RegisterSet live = liveness_.behind(block);
    for (size_t i = order.size(); i-- > 0; liveness_.step_back(order[i], live)) {
      const Instruction& instruction = kernel_.code[order[i]];
      RegisterSet here = live;
      for (const Operand& written : accesses_[order[i]].writes) here.add(liveness_.number_of(written));
      own_[function] = std::max(own_[function], words(here) + (is_sequence(instruction) ? kSequence : 0));
      if (function == 0 && instruction.op == Op::Call) at_calls_ = std::max(at_calls_, words(live));
    }
    own_[function] = std::max(own_[function], words(live));
  }

  unsigned words(const RegisterSet& live) const {
    unsigned sum = 0;
    live.for_each([&](size_t i) { sum += (liveness_.registers()[i].bytes + 3U) / 4U; });
    return sum;
  }

  const Kernel& kernel_;
  const std::vector<Accesses> accesses_;
  const Liveness liveness_;
  std::vector<unsigned> own_ = std::vector<unsigned>(kernel_.functions.size());  // the most inside each function
  unsigned at_calls_ = 0;                                                        // of the kernel itself
};

}  // namespace

void estimate_registers(Kernel& kernel) { kernel.registers = std::min(kMost, RegisterEstimate(kernel).registers()); }

}  // namespace heddle

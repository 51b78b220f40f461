#include "program/machine/trip_copies.h"

#include <algorithm>
#include <set>

#include "program/machine/effects.h"
#include "program/machine/made_code.h"
#include "program/machine/sums.h"

namespace heddle {
namespace {

class TripCopies {
 public:
  TripCopies(Kernel& kernel, const CountedLoop& loop, const Uses& uses, const Literals& literals)
      : kernel_(kernel), loop_(loop), uses_(uses), sums_(literals) {
    find_own();
  }

  std::vector<Instruction> make(unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      for (Pc pc = loop_.begin; pc < loop_.branch; ++pc)
        if (pc != loop_.test) copy(kernel_.code[pc], i + 1 == count);
    return std::move(code_);
  }

 private:
  // Registers that a trip writes before it reads them, and that nobody reads behind it.
  void find_own() {
    std::set<uint32_t> seen;
    for (Pc pc = loop_.begin; pc < loop_.branch; ++pc) {
      const Instruction& each = kernel_.code[pc];
      const Accesses accesses = accesses_of(kernel_, each);
      for (const Operand& read : accesses.reads) seen.insert(read.at);
      for (const Operand& written : accesses.writes)
        if (seen.insert(written.at).second && !each.guarded() && is_read_here_alone(written)) own_.insert(written.at);
    }
  }

  bool is_read_here_alone(const Operand& operand) const {
    const std::vector<Pc>& readers = uses_.readers(operand);
    return std::all_of(readers.begin(), readers.end(), [&](Pc pc) { return pc >= loop_.begin && pc <= loop_.branch; });
  }

  void copy(const Instruction& written, bool last) {
    Instruction out = written;
    read(written, out);
    const std::optional<Sum> sum = sums_.result(written);
    if (sum && written.op != Op::Mov) {
      out.op = Op::Add;
      out.src[0] = sum->of;
      out.src[1] = new_number(kernel_, number(sum->more, sum->of.bytes), sum->of.bytes);
    }
    sums_.pass(written);
    for (unsigned i = 0; i < out.dst_count; ++i) write(out.dst[i], written.guarded(), last);
    code_.push_back(out);
  }

  static uint64_t number(int64_t value, unsigned bytes) {
    return bytes == 8 ? static_cast<uint64_t>(value) : static_cast<uint32_t>(value);
  }

  void read(const Instruction& written, Instruction& out) const {
    for (unsigned i = 0; i < out.src_count; ++i) out.src[i].at = name(out.src[i].at);
    if (out.guarded()) out.guard = name(out.guard);
    if (written.op != Op::Ld && written.op != Op::St && !is_atomic(written)) return;
    const std::optional<Sum> base = sums_.of(written.src[0]);
    if (!base) return;
    out.src[0] = base->of;
    out.displacement += base->more;
  }

  uint32_t name(uint32_t at) const {
    const auto found = names_.find(at);
    return found == names_.end() ? at : found->second;
  }

  // Some of the threads write to where all have the register's value.
  void write(Operand& result, bool guarded, bool last) {
    const uint32_t at = result.at;
    if (guarded)
      result.at = name(at);
    else if (!last || own_.contains(at))
      result.at = names_[at] = new_register(kernel_, result.bytes).at;
    else
      names_[at] = at;
    if (result.at == at) sums_.forget(at);
  }

  Kernel& kernel_;
  const CountedLoop& loop_;
  const Uses& uses_;
  Sums sums_;
  std::set<uint32_t> own_;
  std::map<uint32_t, uint32_t> names_;  // where the values of registers are
  std::vector<Instruction> code_;
};

}  // namespace

std::vector<Instruction> trip_copies(Kernel& kernel, const CountedLoop& loop, const Uses& uses,
                                     const Literals& literals, unsigned count) {
  return TripCopies(kernel, loop, uses, literals).make(count);
}

}  // namespace heddle

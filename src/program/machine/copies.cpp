#include "program/machine/copies.h"

#include <map>

#include "program/liveness.h"

namespace heddle {
namespace {

class Copies {
 public:
  explicit Copies(const Kernel& kernel) : kernel_(kernel), needed_(kernel.code.size()) {
    for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
      const Instruction& i = kernel.code[pc];
      accesses_.push_back(accesses_of(kernel, i));
      if (i.op != Op::Mov || i.dst_count != 1 || i.src[0].constant()) continue;
      by_register_[i.dst[0].at].push_back(pc);
      by_register_[i.src[0].at].push_back(pc);
    }
  }

  std::vector<bool> find() {
    if (by_register_.empty()) return needed_;
    const Liveness liveness(kernel_, accesses_);
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block) {
      RegisterSet live = liveness.behind(block);
      for (Pc pc = kernel_.blocks[block].end; pc-- > kernel_.blocks[block].begin; liveness.step_back(pc, live))
        for (const Operand& written : accesses_[pc].writes) look(pc, written, liveness, live);
    }
    return needed_;
  }

 private:
  // `live`: what is wanted behind the instruction that writes it.
  void look(Pc writer, const Operand& written, const Liveness& liveness, const RegisterSet& live) {
    const auto copies = by_register_.find(written.at);
    if (copies == by_register_.end()) return;
    for (const Pc copy : copies->second) {
      const Instruction& i = kernel_.code[copy];
      const Operand& other = i.dst[0].at == written.at ? i.src[0] : i.dst[0];
      if (copy != writer && other.at != written.at && live.has(liveness.number_of(other))) needed_[copy] = true;
    }
  }

  const Kernel& kernel_;
  std::vector<Accesses> accesses_;
  std::map<uint32_t, std::vector<Pc>> by_register_;  // by place in the plane: the copies to it and from it
  std::vector<bool> needed_;
};

}  // namespace

std::vector<bool> find_copies(const Kernel& kernel) { return Copies(kernel).find(); }

}  // namespace heddle

#include "program/liveness.h"

namespace heddle {

Liveness::Liveness(const Kernel& kernel, const std::vector<Accesses>& accesses) : kernel_(kernel), accesses_(accesses) {
  number_registers();
  before_.assign(kernel.blocks.size(), RegisterSet(registers_.size()));
  solve();
}

void Liveness::number_registers() {
  const auto note = [&](const Operand& operand) {
    if (number_.try_emplace(operand.at, registers_.size()).second) registers_.push_back(operand);
  };
  for (const Accesses& each : accesses_) {
    for (const Operand& operand : each.reads) note(operand);
    for (const Operand& operand : each.writes) note(operand);
  }
}

void Liveness::step_back(Pc pc, RegisterSet& live) const {
  // A guarded write leaves the old value in some threads.
  if (!kernel_.code[pc].guarded())
    for (const Operand& operand : accesses_[pc].writes) live.remove(number_of(operand));
  for (const Operand& operand : accesses_[pc].reads) live.add(number_of(operand));
}

RegisterSet Liveness::behind(uint32_t block) const {
  RegisterSet live(registers_.size());
  for (uint32_t next : kernel_.blocks[block].successors) live.add(before_[next]);
  return live;
}

void Liveness::solve() {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = kernel_.blocks.size(); i-- > 0;) {
      RegisterSet live = behind(static_cast<uint32_t>(i));
      for (Pc pc = kernel_.blocks[i].end; pc-- > kernel_.blocks[i].begin;) step_back(pc, live);
      if (live == before_[i]) continue;
      before_[i] = std::move(live);
      changed = true;
    }
  }
}

}  // namespace heddle

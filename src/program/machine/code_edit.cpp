#include "program/machine/code_edit.h"

namespace heddle {
namespace {

// A loop that is to stay as it is stays so whatever it begins with now.
void keep_marks(const Kernel& kernel, std::vector<Instruction>& code, const std::vector<Pc>& place) {
  for (Instruction& each : code) each.nounroll = false;
  for (Pc pc = 0; pc < kernel.code.size(); ++pc)
    if (kernel.code[pc].nounroll && place[pc] < code.size()) code[place[pc]].nounroll = true;
}

}  // namespace

void replace(Kernel& kernel, std::vector<Instruction> code, const std::vector<Pc>& place) {
  keep_marks(kernel, code, place);
  for (Instruction& instruction : code)
    if (instruction.target != kNoPc) instruction.target = place[instruction.target];
  for (std::vector<Pc>& table : kernel.tables)
    for (Pc& target : table) target = place[target];
  for (FunctionRange& function : kernel.functions) {
    function.begin = place[function.begin];
    function.end = place[function.end];
  }
  kernel.code = std::move(code);
}

void take_out(Kernel& kernel, const std::vector<bool>& gone) {
  std::vector<Pc> place(kernel.code.size() + 1);
  std::vector<Instruction> left;
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    place[pc] = static_cast<Pc>(left.size());
    if (!gone[pc]) left.push_back(kernel.code[pc]);
  }
  place.back() = static_cast<Pc>(left.size());
  replace(kernel, std::move(left), place);
}

void move_up(Kernel& kernel, const std::vector<Pc>& to) {
  std::vector<std::vector<Pc>> comes(kernel.code.size());
  for (Pc pc = 0; pc < kernel.code.size(); ++pc)
    if (to[pc] != kNoPc) comes[to[pc]].push_back(pc);
  std::vector<Pc> place(kernel.code.size() + 1);
  std::vector<Instruction> code;
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    for (const Pc each : comes[pc]) code.push_back(kernel.code[each]);
    place[pc] = static_cast<Pc>(code.size());
    if (to[pc] == kNoPc) code.push_back(kernel.code[pc]);
  }
  place.back() = static_cast<Pc>(code.size());
  replace(kernel, std::move(code), place);
}

void insert(Kernel& kernel, const std::vector<std::vector<Instruction>>& before) {
  std::vector<Pc> place(kernel.code.size() + 1);
  std::vector<Instruction> code;
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    place[pc] = static_cast<Pc>(code.size());
    code.insert(code.end(), before[pc].begin(), before[pc].end());
    code.push_back(kernel.code[pc]);
  }
  place.back() = static_cast<Pc>(code.size());
  replace(kernel, std::move(code), place);
}

}  // namespace heddle

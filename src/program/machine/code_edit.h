// Takes instructions out of a kernel, to another place, or into it: those behind move, and whatever names a place in
// the code follows them. The analyses must be made again.
#pragma once

#include "program/kernel.h"

namespace heddle {

// `place`: by PC, where each instruction, or the next that is left, is in the new code.
void replace(Kernel& kernel, std::vector<Instruction> code, const std::vector<Pc>& place);
// `gone`: by PC. Who went to an instruction that is gone goes to the next that is not.
void take_out(Kernel& kernel, const std::vector<bool>& gone);
// `to`: by PC, the earlier instruction in front of which it goes; kNoPc: it stays. Who went to that one still goes
// there, past what has come.
void move_up(Kernel& kernel, const std::vector<Pc>& to);
// `before`: by PC, what comes in front of it. Who goes to that one goes to what has come.
void insert(Kernel& kernel, const std::vector<std::vector<Instruction>>& before);

}  // namespace heddle

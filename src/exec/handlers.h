// Which handler executes an instruction: chosen once, when a kernel is bound to a core.
#pragma once

#include "exec/context.h"

namespace heddle {

Handler select_handler(const Instruction& instruction);

// By theme; null where the theme does not know the instruction. The row forms (row/level.h) come before them.
Handler select_move(const Instruction& instruction);
Handler select_memory(const Instruction& instruction);
Handler select_texture(const Instruction& instruction);
Handler select_surface(const Instruction& instruction);
Handler select_atomic(const Instruction& instruction);
Handler select_mbarrier(const Instruction& instruction);
Handler select_bulk_copy(const Instruction& instruction);
Handler select_control(const Instruction& instruction);
Handler select_warp_wide(const Instruction& instruction);
Handler select_tensor(const Instruction& instruction);
Handler select_matrix_move(const Instruction& instruction);

// Any instruction that has a Scalar, thread by thread.
void interpret(Context& context, const Instruction& instruction, const Lanes& lanes);

// Block-wide and warp-wide instructions as the machine runs them once everybody is there.
// bar.red: the predicate of each lane on arrival, and the result for all on release.
LaneMask barrier_predicate(Context& context, const Instruction& instruction, const Lanes& lanes);

}  // namespace heddle

#include "exec/handlers.h"

#include "exec/row/level.h"

namespace heddle {

void interpret(Context& context, const Instruction& instruction, const Lanes& lanes) {
  const Scalar meaning = context.scalars[context.pc];
  for_each_lane(lanes.mask, [&](unsigned i) {
    const Hw thread = lanes.thread(i);
    uint64_t source[9];
    for (unsigned k = 0; k < instruction.src_count; ++k) source[k] = context.get_bits(instruction.src[k], thread);
    const Results results = meaning(instruction, source);
    context.set_bits(instruction.dst[0], thread, results.first);
    if (instruction.dst_count > 1) context.set_bits(instruction.dst[1], thread, results.second);
  });
}

Handler select_handler(const Instruction& instruction) {
  using Select = Handler (*)(const Instruction&);
  for (Select select :
       {row_level().forms.select, select_move, select_memory, select_texture, select_surface, select_atomic,
        select_mbarrier, select_bulk_copy, select_control, select_warp_wide, select_tensor, select_matrix_move})
    if (Handler handler = select(instruction)) return handler;
  if (select_scalar(instruction)) return &interpret;
  throw InternalError("an instruction of the table has no handler");
}

}  // namespace heddle

#include "program/machine/machine_code.h"

#include "program/analysis.h"
#include "program/machine/balance.h"
#include "program/machine/calls.h"
#include "program/machine/constant_reads.h"
#include "program/machine/cost_table.h"
#include "program/machine/folding.h"
#include "program/machine/handovers.h"
#include "program/machine/joined_atomics.h"
#include "program/machine/loop_loads.h"
#include "program/machine/looped_atomics.h"
#include "program/machine/operand_reads.h"
#include "program/machine/predication.h"
#include "program/machine/regions.h"
#include "program/machine/reorder.h"
#include "program/machine/unroll.h"
#include "program/machine/wide_accesses.h"

namespace heddle {
namespace {

void find_costs(Kernel& kernel, const CostTable& table) {
  const Literals literals(kernel);
  kernel.costs.clear();
  for (const Instruction& instruction : kernel.code) kernel.costs.push_back(table.of(instruction, literals));
  Folding(kernel, table, kernel.costs).run();
}

}  // namespace

Kernel machine_code(const Kernel& kernel, const CodeOptions& options) {
  const CostTable& table = CostTable::named(options.target);
  Kernel made = kernel;
  if (loop_atomics(made)) analyse(made);
  if (join_accesses(made)) analyse(made);
  find_costs(made, table);
  if (predicate(made, options.predicate_up_to)) {
    analyse(made);
    if (join_accesses(made)) analyse(made);
  }
  if (add_saves(made)) analyse(made);
  if (move_loads_out(made)) analyse(made);
  if (options.unroll && unroll_loops(made, table)) analyse(made);
  if (options.schedule && reorder(made)) analyse(made);
  find_costs(made, table);
  made.registers = kernel.registers;  // which the estimate knows to be an allocator's: it has the scheduler in it
  balance_pipes(made);
  find_third_reads(made);
  add_handovers(made);
  join_atomics(made);
  add_constant_reads(made, table);
  add_call_costs(made);
  add_meetings(made);
  add_refetches(made);
  add_prologue(made);
  return made;
}

}  // namespace heddle

// Control-flow analyses of a decoded kernel. Each fills its part of Kernel; analyse() runs them in order.
#pragma once

#include "program/kernel.h"

namespace heddle {

void find_blocks(Kernel& kernel);              // blocks, block_of, edges
void find_dominators(Kernel& kernel);          // dominator, post_dominator
void find_block_order(Kernel& kernel);         // block_order
void find_waiting(Kernel& kernel);             // may_wait
void find_convergence_points(Kernel& kernel);  // reconvergence, likely_convergence
void find_uniform_branches(Kernel& kernel);    // uniform
void find_spin_loops(Kernel& kernel);          // spin_loops
void find_structure(Kernel& kernel);           // structure
void find_saved_registers(Kernel& kernel);     // CallSite::saved
void find_shared_bases(Kernel& kernel);        // shared_bases
void find_address_roots(Kernel& kernel);       // roots, address_roots
void estimate_registers(Kernel& kernel);       // registers
void analyse(Kernel& kernel);

// By what find_dominators found; a block dominates itself.
bool dominates(const Kernel& kernel, uint32_t above, uint32_t below);

// A branch that may go several ways: guarded, or by a table.
bool has_choice(const Instruction& instruction);

// Registers an instruction reads and writes (guard included); memory operands read their base.
struct Accesses {
  std::vector<Operand> reads, writes;
};
Accesses accesses_of(const Kernel& kernel, const Instruction& instruction);
std::vector<Accesses> accesses_of(const Kernel& kernel);  // by PC

}  // namespace heddle

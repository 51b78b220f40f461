// The order in which a compiler's back end would issue the instructions of a basic block.
#pragma once

#include <vector>

#include "program/analysis.h"

namespace heddle {

// List scheduling: of the instructions whose operands are there, the one with the longest way to the end of the block
// goes first, among the next few of the text. So loads move up, and their values are in registers for longer than the
// text shows. Loads do not pass stores, barriers and their like, nor do these pass each other. Instructions that
// neither read nor write a register are left out, but for those whose order counts.
std::vector<Pc> scheduled(const Kernel& kernel, const std::vector<Accesses>& accesses, const BasicBlock& block);

// An order of all instructions of the block in which they compute the same. Shared, local and global memory are apart:
// a load passes stores to another of them. What others may see happen keeps its order.
std::vector<Pc> rearranged(const Kernel& kernel, const std::vector<Accesses>& accesses, const BasicBlock& block);

}  // namespace heddle

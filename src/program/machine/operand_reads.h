// Which instructions of double precision read three registers (MachineCost::third_reads).
//
// A register of 64 bits lies in both banks of the register file, so that a third operand is read by itself. The
// assembler has an operand kept that the next instruction of the warp reads in the same place; after six of these it
// lets another warp go, and what was kept is lost (rate.fma.f64).
#pragma once

#include "program/kernel.h"

namespace heddle {

void find_third_reads(Kernel& kernel);

}  // namespace heddle

// How much earlier or later than by its unit's own latency a result may be read, by who reads it first
// (MachineCost::after). Each number is the stall that NVIDIA's assembler for sm_90 leaves between two such
// instructions, and was measured on an H200 where a microbenchmark is named (bench/hardware/h200.csv).
//
// - From the integer pipe to the multiply-add pipe (single precision is there, too) or back: a cycle more
//   (latency.add.s32). To memory: the same.
// - From or to double precision: two (latency.fma.f16x2, latency.div.rn.f64).
// - A predicate that is a guard, or goes to a branch or a vote, is read 13 cycles behind the comparison, as an operand
//   after 4 (latency.vote, branch.trip; latency.setp+selp).
// - The assembler keeps two instructions of the special-function unit eight cycles apart, but counts a result that is
//   waited for as if it were there after two: one instruction between them, of four cycles, is given two more
//   (latency.rcp.f32, latency.sin.f32, latency.cvt.f32.s32).
// - What a comparison for a branch of the whole block compares is a scalar, which others read two cycles later
//   (branch.trip).
// - The lower half of a 64-bit value is there a slot before the upper. Who goes by halves as well follows at once
//   (latency.add.s64); others wait for the upper, and that for the carry.
#pragma once

#include "program/kernel.h"

namespace heddle {

void add_handovers(Kernel& kernel);

}  // namespace heddle

// How many blocks of a launch a core holds at once.
//
// Computed: as many as its threads, block places, registers (each sub-core has its share of them, for warps of its own)
// and shared memory allow, or with occupancy_limit = "threads" its threads alone. Given (blocks_per_core): as many as
// that. Who publishes a number of blocks has it from a core and a compiler that we do not have, so that registers,
// shared memory and block places are not asked again; threads are.
#pragma once

#include "config/config.h"
#include "exec/context.h"
#include "program/kernel.h"

namespace heddle {

unsigned rows_of(const LaunchInfo& launch);  // register rows of a block

// What a thread takes of core_registers: its registers, rounded up as the core hands them out.
unsigned registers_taken(const Kernel& kernel, const Config& config);

// What a block takes of core_shared: what it asks for in units of shared_unit, and what the machine keeps for each.
uint64_t shared_taken(const Kernel& kernel, const LaunchInfo& launch, const Config& config);

// Where L1 and shared memory are one (unified_bytes): what so many resident blocks leave of it to the L1, for shared
// memory takes the smallest of its sizes (carve_outs) that holds them. Else l1_bytes.
unsigned l1_bytes_beside(const Kernel& kernel, const LaunchInfo& launch, const Config& config, unsigned blocks);

// Throws Error (BadLaunch) if not even one block fits, or not as many as are given.
unsigned occupancy(const Kernel& kernel, const LaunchInfo& launch, const Config& config);

}  // namespace heddle

// The calling convention of an assembler, as far as speed depends on it.
//
// Parameters and results of functions are in registers: no memory is touched for them. Where the assembler knows all
// callers of a function it gives registers to all of them together, and a call is two instructions (the address to
// return to, and the jump), a return two. Where there are several calls of it, though, what they give and take is not
// in the same registers: each copies arguments and results, and a return one more, its address. Not so where functions
// call themselves: a function keeps what is needed behind a call in registers that belong to its caller. It saves those
// in its frame when it begins, with the address to return to and the barrier at which its threads meet, and takes them
// back before it returns; arguments are copied to where they are expected, and memory descriptors to where loads and
// stores can read them.
#pragma once

#include "program/kernel.h"

namespace heddle {

// Stores and loads of what recursive functions save. What they store is nothing that anybody reads; the analyses must
// be made again if there are any.
bool add_saves(Kernel& kernel);
// What calls, returns and parameters cost.
void add_call_costs(Kernel& kernel);

}  // namespace heddle

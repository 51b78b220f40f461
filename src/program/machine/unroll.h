// Short counted loops do several trips at once.
#pragma once

#include "program/machine/cost_table.h"

namespace heddle {

// A loop of one basic block whose end a count decides (counted_loops.h) does four trips at once while there are four,
// then two, then one; the tests between are gone. The last is the loop as it was, so that it may do all trips where
// the bound is so near to the end of its numbers that "four are left" cannot be asked. Where the trips are known
// (known_trips.h), it does as many at once as may be, and those that are left over before. Each copy but the last
// writes registers of its own, so that what it loads can be asked for before the copies in front of it are done.
// Which loops: short_loops.h.
//
// Reads the analyses. True: the code has changed, and they must be made again.
bool unroll_loops(Kernel& kernel, const CostTable& table);

}  // namespace heddle

// Neighbouring words of shared, local and constant memory that one instruction loads or stores.
#pragma once

#include "program/kernel.h"

namespace heddle {

// Loads or stores of a basic block that go to places side by side, by the same register, become one vector access of up
// to 16 bytes, where the place is known to be aligned to them: loads where the first of them was, stores where the last
// was. Loads do not pass stores, nor stores loads. In global memory nothing is known of alignment.
//
// True: the code has changed, and the analyses must be made again.
bool join_accesses(Kernel& kernel);

}  // namespace heddle

// What several tests of mechanisms that form warps ask.
#pragma once

#include <string>

#include "divergence/support/block_mask.h"
#include "observe/steps.h"

namespace heddle::scripted {

std::string threads_of(const BlockMask& mask);  // "0,1,5"
void expect_at_home(const Step& step);          // a thread is in its home lane, and alone there

}  // namespace heddle::scripted

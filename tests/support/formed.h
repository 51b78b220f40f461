// What several tests of mechanisms that form warps ask.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "divergence/support/block_mask.h"
#include "observe/steps.h"

namespace heddle::scripted {

// "0,1,5"
inline std::string threads_of(const BlockMask& mask) {
  std::string text;
  for_each_thread(mask, [&](unsigned thread) { text += (text.empty() ? "" : ",") + std::to_string(thread); });
  return text;
}

// A thread is in its home lane, and alone there.
inline void expect_at_home(const Step& step) {
  LaneMask lanes;
  for_each_lane(step.group.mask, [&](unsigned k) {
    const Hw thread = step.group.thread(k);
    BlockId block{0};  // dwf mixes blocks
    while (thread < step.host.block(block).first ||
           thread >= step.host.block(block).first + step.host.block(block).threads)
      ++block;
    const unsigned home = step.host.home_lane(block, thread);
    if (step.group.kind == Group::Kind::List) {
      ASSERT_EQ(home, k);
    }
    ASSERT_FALSE(lanes.has(home));
    lanes.add(home);
  });
}

}  // namespace heddle::scripted

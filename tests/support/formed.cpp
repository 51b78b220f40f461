#include "support/formed.h"

#include <gtest/gtest.h>

namespace heddle::scripted {
namespace {

unsigned home_lane(const Step& step, Hw thread) {
  BlockId block{0};  // dwf mixes blocks
  while (thread < step.host.block(block).first ||
         thread >= step.host.block(block).first + step.host.block(block).threads)
    ++block;
  return step.host.home_lane(block, thread);
}

}  // namespace

std::string threads_of(const BlockMask& mask) {
  std::string text;
  for_each_thread(mask, [&](unsigned thread) { text += (text.empty() ? "" : ",") + std::to_string(thread); });
  return text;
}

// Asked of every lane of every step: plain comparisons, for those of GoogleTest take longer than the simulation.
void expect_at_home(const Step& step) {
  LaneMask lanes;
  for_each_lane(step.group.mask, [&](unsigned k) {
    const unsigned home = home_lane(step, step.group.thread(k));
    if (step.group.kind == Group::Kind::List && home != k) ADD_FAILURE() << "lane " << k << ", home lane " << home;
    if (lanes.has(home)) ADD_FAILURE() << "two threads in lane " << home;
    lanes.add(home);
  });
}

}  // namespace heddle::scripted

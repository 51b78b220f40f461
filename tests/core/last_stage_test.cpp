#include "core/last_stage.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

// A stage that takes four cycles, and when the stage before it is free.
struct Pipeline {
  void leave(uint64_t when) { free = stage.leave(CoreCycle(when), CoreCycle(0)); }
  uint64_t reply(uint64_t now) { return stage.reply(CoreCycle(now), free).count(); }
  LastStage stage{4};
  CoreCycle free{0};
};

TEST(LastStage, takes_a_reply_at_once_when_nothing_leaves) {
  Pipeline pipeline;
  EXPECT_EQ(pipeline.reply(10), 10U);
  EXPECT_EQ(pipeline.free.count(), 10U) << "a group that enters then leaves when the reply is over";
}

TEST(LastStage, takes_replies_one_after_another) {
  Pipeline pipeline;
  EXPECT_EQ(pipeline.reply(10), 10U);
  EXPECT_EQ(pipeline.reply(10), 14U);
  EXPECT_EQ(pipeline.reply(12), 18U);
  pipeline.leave(15);
  EXPECT_EQ(pipeline.free.count(), 22U) << "behind all of them";
}

TEST(LastStage, moves_a_full_pipeline_on_by_one) {
  Pipeline pipeline;
  for (const unsigned when : {4, 8, 12, 16}) pipeline.leave(when);
  EXPECT_EQ(pipeline.reply(8), 8U);
  EXPECT_EQ(pipeline.free.count(), 20U);
  EXPECT_EQ(pipeline.reply(8), 12U);
  EXPECT_EQ(pipeline.free.count(), 24U);
}

TEST(LastStage, fills_a_gap) {
  Pipeline pipeline;
  for (const unsigned when : {4, 8, 16, 20}) pipeline.leave(when);
  EXPECT_EQ(pipeline.reply(8), 8U);
  EXPECT_EQ(pipeline.free.count(), 20U) << "the group of 8 leaves at 12, the next as before";
  EXPECT_EQ(pipeline.reply(8), 12U);
  EXPECT_EQ(pipeline.free.count(), 24U) << "now there is none";
}

TEST(LastStage, waits_for_a_group_that_is_there_already) {
  Pipeline pipeline;
  pipeline.leave(4);
  EXPECT_EQ(pipeline.reply(5), 8U);
  EXPECT_EQ(pipeline.free.count(), 8U) << "nobody was held up";
}

}  // namespace
}  // namespace heddle::test

// What a person who waits is told of a launch.
#include "gpu/launch_progress.h"

#include <gtest/gtest.h>

#include "gpu/gpu.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

TEST(LaunchProgress, is_of_the_launch_under_way) {
  for (const bool timed : {false, true}) {
    LaunchProgress progress;
    EXPECT_EQ(progress.now().launch, 0U);
    GpuOptions options;
    options.timed = timed;
    options.progress = &progress;
    Gpu gpu(make_config("teaching", {}), options);
    const workloads::Workload& workload = workloads::find("mandelbrot");
    gpu.load(workload.name, workload.ptx());
    workload.run(gpu, workloads::Size::Tiny);
    const LaunchProgress::Now now = progress.now();
    EXPECT_EQ(now.launch, gpu.launches().size());
    EXPECT_EQ(now.kernel, "mandelbrot");
    EXPECT_EQ(now.blocks, gpu.launches().back().blocks);
    EXPECT_GT(now.slots, 0U);
    EXPECT_LE(now.slots, gpu.launches().back().issue_slots);
    EXPECT_GT(now.blocks_done, 0U) << "the last time it was looked at";
    EXPECT_LE(now.blocks_done, now.blocks);
    EXPECT_LE(now.seconds_at_block, now.seconds);
  }
}

TEST(LaunchProgress, begins_anew_with_every_launch) {
  LaunchProgress progress;
  progress.begin("first", 10);
  progress.at(500, 4);
  EXPECT_EQ(progress.now().blocks_done, 4U);
  progress.begin("second", 7);
  const LaunchProgress::Now now = progress.now();
  EXPECT_EQ(now.launch, 2U);
  EXPECT_EQ(now.kernel, "second");
  EXPECT_EQ(now.blocks, 7U);
  EXPECT_EQ(now.blocks_done, 0U);
  EXPECT_EQ(now.slots, 0U);
  progress.at(1, 4);
  EXPECT_EQ(progress.now().blocks_done, 4U) << "as many as the launch before had";
}

}  // namespace
}  // namespace heddle

// Which points a sweep has, and what it says of those that cannot be.
#include "experiment/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ExitCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::Ok;
}

Store empty_store() {
  const std::string folder =
      testing::TempDir() + "sweep-" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::remove_all(folder);
  return Store(folder);
}

TEST(Axis, ValuesAreNamedOrCounted) {
  EXPECT_EQ(axis_of("lanes=none,balanced").name, "lanes");
  EXPECT_THAT(axis_of("lanes=none,balanced").values, ElementsAre("none", "balanced"));
  EXPECT_THAT(axis_of("warp_size=8,16,32").values, ElementsAre("8", "16", "32"));
  EXPECT_THAT(axis_of("l1_bytes=16k..128k*2").values, ElementsAre("16384", "32768", "65536", "131072"));
  EXPECT_THAT(axis_of("cores=2..8+3").values, ElementsAre("2", "5", "8"));
  EXPECT_THAT(axis_of("cores=1..3,16,1m").values, ElementsAre("1", "2", "3", "16", "1048576"));
  EXPECT_THAT(axis_of("cores=9223372036854775806..9223372036854775807+2").values, ElementsAre("9223372036854775806"));
  EXPECT_THAT(axis_of("cores=18014398509481985k").values, ElementsAre("18014398509481985k"))
      << "it is no number that fits";
}

TEST(Axis, WhatIsNoAxisIsRefused) {
  for (const char* text : {"", "cores", "=4", "cores=", "cores=8..2", "cores=0..8*2", "cores=1..8*1", "cores=1..8+0",
                           "cores=1..x", "cores=1..2000"})
    EXPECT_EQ(code_of([&] { axis_of(text); }), ExitCode::Usage) << text;
}

TEST(Sweep, HasTheProductAndTheLastAxisChangesFastest) {
  const Sweep sweep({}, {"bfs"}, {axis_of("mechanism=pdom,tbc"), axis_of("warp_size=8,16"), axis_of("lanes=balanced")});
  ASSERT_EQ(sweep.points(), 4);
  EXPECT_THAT(sweep.values(1), ElementsAre("pdom", "16", "balanced"));
  EXPECT_EQ(sweep.spec(2).mechanism, "tbc");
  EXPECT_EQ(sweep.spec(2).lanes, "balanced");
  EXPECT_THAT(sweep.spec(2).settings, ElementsAre("warp_size=8"));
  EXPECT_EQ(sweep.name(2), "tbc, warp_size=8");
}

TEST(Sweep, APointThatContradictsItselfIsLeftOutAndSaysWhy) {
  const Store store = empty_store();
  Batch batch(store);
  // A line of the L1 cannot be larger than its set of lines.
  Sweep sweep({}, {"bfs", "mum"}, {axis_of("l1_bytes=16k,100"), axis_of("mechanism=pdom,tbc")});
  sweep.need(batch);
  EXPECT_EQ(batch.count(), 4);
  EXPECT_THAT(sweep.contradiction(0), IsEmpty());
  EXPECT_THAT(sweep.contradiction(2), HasSubstr("l1"));
  EXPECT_NE(sweep.run(batch, 1, 1), nullptr);
  EXPECT_EQ(sweep.run(batch, 2, 0), nullptr);
}

TEST(Sweep, RunsThatReadTheSameKeysAreOne) {
  const Store store = empty_store();
  Batch batch(store);
  Sweep sweep({}, {"bfs"}, {axis_of("mechanism=pdom,capri"), axis_of("capt_entries=16,32,64")});
  sweep.need(batch);
  EXPECT_EQ(sweep.points(), 6);
  EXPECT_EQ(batch.count(), 4);  // pdom has no such table
}

TEST(Sweep, WhatIsWrongByItselfIsAMistake) {
  const auto code = [](const std::vector<Axis>& axes) { return code_of([&] { Sweep({}, {"bfs"}, axes); }); };
  EXPECT_EQ(code({axis_of("mechanism=pdom,tcb")}), ExitCode::Usage);
  EXPECT_EQ(code({axis_of("warp_sise=8")}), ExitCode::Usage);
  EXPECT_EQ(code({axis_of("warp_size=many")}), ExitCode::Usage);
  EXPECT_EQ(code({axis_of("warp_size=8"), axis_of("warp_size=16")}), ExitCode::Usage);
  EXPECT_EQ(code({axis_of("capt_entries=8,16")}), ExitCode::Usage) << "pdom does not read it";
  EXPECT_EQ(code({{"warp_size", {}}}), ExitCode::Usage);
  EXPECT_EQ(code({axis_of("max_slots=18014398509481985k")}), ExitCode::Usage);
}

TEST(Sweep, ThatIsTooLargeIsRefusedBeforeAnythingIsMade) {
  EXPECT_EQ(code_of([&] {
              Sweep({}, {"bfs"},
                    {axis_of("max_slots=1..1000"), axis_of("spin_limit=1..1000"), axis_of("stall_limit=1..1000")});
            }),
            ExitCode::Usage);
}

TEST(Sweep, WhatIsNamedTwiceCountsOnce) {
  const Sweep sweep({}, {"bfs", "mum", "bfs"}, {axis_of("mechanism=tbc,pdom,tbc"), axis_of("warp_size=8,8")});
  EXPECT_THAT(sweep.workloads(), ElementsAre("bfs", "mum"));
  ASSERT_EQ(sweep.points(), 2);
  EXPECT_THAT(sweep.values(1), ElementsAre("pdom", "8"));
}

TEST(Sweep, WhatVariesIsNotSetAsWell) {
  RunSpec base;
  base.settings = {"warp_size=16"};
  EXPECT_EQ(code_of([&] { Sweep(base, {"bfs"}, {axis_of("warp_size=8,32")}); }), ExitCode::Usage);
}

}  // namespace
}  // namespace heddle

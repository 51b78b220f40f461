#include "run/runs_under_way.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

TEST(RunsUnderWay, says_how_many_are_done_and_names_those_under_way) {
  RunsUnderWay runs;
  runs.start(3, 2);
  for (const char* kind : {"a", "a", "b", "b"}) runs.expect(kind);
  EXPECT_EQ(runs.text(), "3 of 7 runs done, no estimate yet");
  runs.begins(0, "a under pdom", "a");
  runs.begins(1, "a under tbc", "a");
  EXPECT_EQ(runs.text(), "3 of 7 runs done, now a under pdom, a under tbc; no estimate yet");
  runs.begins(2, "b under pdom", "b");
  EXPECT_EQ(runs.text(), "3 of 7 runs done, now a under pdom, a under tbc and 1 more; no estimate yet");
  runs.ends(0, true);
  runs.ends(1, false);  // interrupted
  EXPECT_THAT(runs.text(), testing::MatchesRegex("4 of 7 runs done, now b under pdom; about 0 s left"));
}

TEST(RunsUnderWay, a_run_takes_as_long_as_others_of_its_kind_or_as_the_mean) {
  RunsUnderWay runs;
  runs.took("a", 100);
  runs.took("a", 300);
  runs.took("b", 50);
  runs.start(3, 2);
  runs.expect("a");
  runs.expect("b");
  EXPECT_EQ(runs.text(), "3 of 5 runs done, about 2 min left");  // (200 + 50) / 2
  runs.expect("c");
  EXPECT_EQ(runs.text(), "3 of 6 runs done, about 3 min left");  // and 150
}

TEST(RunsUnderWay, durations_are_told_as_people_do) {
  EXPECT_EQ(duration_text(89), "89 s");
  EXPECT_EQ(duration_text(90), "2 min");
  EXPECT_EQ(duration_text(5400), "1.5 h");
}

}  // namespace
}  // namespace heddle

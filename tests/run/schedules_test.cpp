// Other orders of a program: which there are, and what is said where they differ.
#include "run/schedules.h"

#include <gtest/gtest.h>

#include <set>

#include "divergence/registry.h"

namespace heddle {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
  std::vector<std::byte> result;
  for (const unsigned value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

TEST(Schedules, TheFirstIsTheRunItselfAndNoTwoAreAlike) {
  RunSpec spec;
  spec.program = "bfs";
  const std::vector<RunSpec> runs = schedules_of(spec, 12);
  ASSERT_EQ(runs.size(), 12U);
  EXPECT_EQ(runs[0].schedule, "");
  EXPECT_EQ(runs[0].mechanism, spec.mechanism);
  std::set<std::string> texts, used;
  for (const RunSpec& run : runs) {
    EXPECT_FALSE(run.timed);
    EXPECT_NO_THROW(check_runs({&run, 1}));
    texts.insert(schedule_text(run));
    used.insert(run.mechanism);
  }
  EXPECT_EQ(texts.size(), runs.size());
  EXPECT_EQ(used.size(), 6U);  // its own, and five others
}

TEST(Schedules, OutputsThatAreTheSameDoNotDiffer) {
  const ProgramOutput output{"a\nb\n", {{"'levels'", bytes_of({1, 2, 3, 4, 5, 6, 7, 8})}}, 0};
  EXPECT_EQ(difference(output, output), "");
}

TEST(Schedules, TheFirstDifferenceIsToldWithItsPlace) {
  const ProgramOutput expected{"a\nsum 3\n", {{"'levels'", bytes_of({1, 2, 3, 4, 5, 6, 7, 8})}}, 0};
  ProgramOutput output = expected;
  output.pieces[0].bytes[6] = std::byte{9};
  EXPECT_EQ(difference(output, expected), "'levels' differs, first at byte 4: 05 06 09 08, not 05 06 07 08");
  output.printed = "a\nsum 4\n";
  EXPECT_EQ(difference(output, expected), "it prints 'sum 4', not 'sum 3'");
  output = expected;
  output.exit_code = 2;
  EXPECT_EQ(difference(output, expected), "it ends with 2, not 0");
  output.pieces.pop_back();
  EXPECT_EQ(difference(output, expected), "0 pieces of memory, not 1");
}

}  // namespace
}  // namespace heddle

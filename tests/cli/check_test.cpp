// --check and --schedules of heddle run.
#include "cli/heddle_program.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class Checked : public HeddleProgram {};

TEST_F(Checked, AWrongNameListsTheRightOnes) {
  const Ended ended = heddle({"run", "bfs", "--size", "tiny", "--check", "races"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("there is no check 'races': race, sync, init, leak or all"));
}

TEST_F(Checked, WhatIsFoundIsPrintedWrittenAndMakesTheExitCode) {
  const Ended ended =
      heddle({"run", "nvrt", "--size", "tiny", "--emulate", "--quiet", "--check", "race", "--json", "r.json"});
  EXPECT_EQ(ended.code, 9);
  EXPECT_THAT(ended.err, HasSubstr("race: race if a warp does not go in lockstep"));
  const nlohmann::json run = read_json("r.json");
  EXPECT_THAT(run["command"].get<std::string>(), HasSubstr("--check race"));
  ASSERT_FALSE(run["checks"]["findings"].empty());
  EXPECT_EQ(run["checks"]["findings"][0]["accesses"].size(), 2U);
  EXPECT_EQ(heddle({"report", "r.json", "-o", "r.html"}).code, 0);
  EXPECT_THAT(read("r.html"), HasSubstr("warp-synchronous"));
}

TEST_F(Checked, WhatIsHarmlessDoesNotCount) {
  const Ended ended = heddle({"run", "bfs", "--size", "tiny", "--emulate", "--quiet", "--check", "race"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.err, HasSubstr("3 found, 3 of them harmless"));
}

TEST_F(Checked, OtherOrdersOfAWorkloadGiveTheSameMemory) {
  const Ended ended = heddle({"run", "reduction0", "--size", "tiny", "--schedules", "5", "--json", "r.json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(read_json("r.json")["runs"].size(), 5U);
}

}  // namespace
}  // namespace heddle::cli

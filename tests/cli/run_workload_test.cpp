#include <fmt/format.h>

#include "cli/heddle_program.h"
#include "divergence/registry.h"
#include "workloads/workload.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class RunWorkload : public HeddleProgram {};

TEST_F(RunWorkload, PrintsThatTheCheckPassed) {
  const Ended ended = heddle({"run", "histogram", "--size", "tiny"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("histogram (tiny): mechanism pdom"));
  EXPECT_THAT(ended.out, HasSubstr("check passed: "));
}

TEST_F(RunWorkload, AWrongResultEndsWithExitCodeOne) {
  // nvrt counts on 32 threads in lock step; warps of 16 break it.
  const Ended ended = heddle({"run", "nvrt", "--size", "tiny", "--set", "warp_size=16", "--json", "r.json"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, HasSubstr("check FAILED: "));
  EXPECT_THAT(ended.err, testing::StartsWith("heddle: error: the result of nvrt is wrong: "));
  EXPECT_EQ(read_json("r.json")["check"]["passed"], false);
  EXPECT_EQ(read_json("r.json")["exit_code"], 1);
}

TEST_F(RunWorkload, EveryMechanismOfTheRegistryCanBeNamed) {
  for (const MechanismRow& row : mechanisms()) {
    const Ended ended =
        heddle({"run", "reduction0", "--size", "tiny", "--emulate", "--mechanism", std::string(row.name)});
    EXPECT_EQ(ended.code, 0) << row.name << ended.err;
    EXPECT_THAT(ended.out, HasSubstr(fmt::format("mechanism {},", row.name)));
  }
}

TEST_F(RunWorkload, TheMachineHasAClockUnlessEmulationIsWanted) {
  EXPECT_THAT(heddle({"run", "histogram", "--size", "tiny"}).out, HasSubstr(", cycle level\n"));
  EXPECT_THAT(heddle({"run", "histogram", "--size", "tiny", "--emulate"}).out, HasSubstr(", emulation\n"));
}

TEST_F(RunWorkload, APresetAndLaterAssignmentsSetTheMachine) {
  const Ended ended = heddle({"run", "recursion", "--size", "tiny", "--preset", "tiny", "--set", "warp_size=8",
                              "--lanes", "wid", "--json", "r.json", "--quiet"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(read_json("r.json")["config"]["warp_size"], 8);
  EXPECT_EQ(read_json("r.json")["config"]["core_threads"], 64);
  EXPECT_EQ(read_json("r.json")["lanes"], "wid");
}

TEST_F(RunWorkload, APresetMayBeAFile) {
  write("mine.toml", "warp_size = 16\n");
  const Ended ended =
      heddle({"run", "histogram", "--size", "tiny", "--preset", "mine.toml", "--json", "r.json", "--quiet"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(read_json("r.json")["config"]["warp_size"], 16);
}

}  // namespace
}  // namespace heddle::cli

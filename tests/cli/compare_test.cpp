#include <fmt/format.h>

#include "cli/heddle_program.h"
#include "divergence/registry.h"

namespace heddle::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// As a regular expression that means itself.
std::string literal(std::string_view name) {
  std::string text;
  for (const char c : name) text += c == '+' ? std::string("[+]") : std::string(1, c);
  return text;
}

class Compare : public HeddleProgram {};

TEST_F(Compare, ShowsEveryMechanismOfTheRegistryForEachWorkloadAndTheMean) {
  const Ended ended = heddle({"compare", "reduction0", "histogram", "--size", "tiny", "--emulate"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const std::string first(mechanisms()[0].name);
  EXPECT_THAT(ended.out,
              ContainsRegex(fmt::format("workload +mechanism +issue slots +SIMD eff. +active/slot +vs {}", first)));
  EXPECT_THAT(ended.out, ContainsRegex(fmt::format("\nreduction0 +{} .* 1.000 +passed\n", first)));
  EXPECT_THAT(ended.out, ContainsRegex(fmt::format("\nhistogram +{} .* 1.000 +passed\n", first)));
  EXPECT_THAT(ended.out, ContainsRegex(fmt::format("\nmean +{} .* 1.000 +of 2\n", first)));
  for (const MechanismRow& row : mechanisms().subspan(1))
    EXPECT_THAT(ended.out, ContainsRegex(fmt::format("\n +{} .*passed\n", literal(row.name))));
}

TEST_F(Compare, TheOrderIsThatOfTheCommandLineHoweverManyRunAtOnce) {
  const auto text = [&](const char* jobs) {
    const Ended ended =
        heddle({"compare", "mandelbrot", "histogram", "bfs", "--size", "tiny", "--emulate", "--jobs", jobs});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out;
  };
  const std::string alone = text("1");
  EXPECT_LT(alone.find("mandelbrot"), alone.find("histogram"));
  EXPECT_LT(alone.find("histogram"), alone.find("bfs"));
  EXPECT_EQ(alone, text("4"));
}

TEST_F(Compare, JsonHoldsEveryRunAndTheMeans) {
  ASSERT_EQ(heddle({"compare", "histogram", "--size", "tiny", "--mechanisms", "pdom,pdom", "--json", "c.json",
                    "--quiet", "--emulate"})
                .code,
            0);
  const auto comparison = read_json("c.json");
  EXPECT_EQ(comparison["schema"], "heddle-compare-1");
  EXPECT_EQ(comparison["fidelity"], "emulation");
  EXPECT_EQ(comparison["runs"].size(), 2);
  EXPECT_EQ(comparison["runs"][1]["schema"], "heddle-run-1");
  EXPECT_EQ(comparison["runs"][1]["program"], "histogram");
  EXPECT_EQ(comparison["mean"][1]["active_threads_against_first"], 1.0);
  EXPECT_EQ(comparison["mean"][1]["workloads"], 1);
}

TEST_F(Compare, LanesThatWaitForEverAreAnAnswerWhereNothingElseIsPromised) {
  const auto compare = [&](const char* mechanisms, const char* setting) {
    return heddle({"compare", "atm", "--size", "tiny", "--emulate", "--mechanisms", mechanisms, "--set", setting,
                   "--set", "spin_limit=20000"});
  };
  const Ended ended = compare("pdom,its", "yield=spin");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("\natm +pdom .*deadlock\n"));
  EXPECT_THAT(ended.out, ContainsRegex("\n +its .*passed\n"));
  EXPECT_EQ(compare("its", "yield=none").code, 6);
}

TEST_F(Compare, AWrongResultEndsWithExitCodeOneAndIsNamed) {
  const Ended ended = heddle(
      {"compare", "histogram", "nvrt", "--size", "tiny", "--mechanisms", "pdom", "--set", "warp_size=16", "--emulate"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.out, ContainsRegex("\nnvrt +pdom .*FAILED\n"));
  EXPECT_THAT(ended.err, HasSubstr("the result of nvrt under pdom is wrong"));
}

TEST_F(Compare, ARunThatEndsInAnErrorLeavesTheOthersInTheTable) {
  const Ended ended = heddle({"compare", "histogram", "matmul", "--size", "tiny", "--mechanisms", "pdom", "--set",
                              "core_threads=256", "--set", "core_shared=1024", "--emulate"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.out, ContainsRegex("\nhistogram +pdom .*passed\n"));
  EXPECT_THAT(ended.out, ContainsRegex("\nmatmul +pdom .*does not fit\n"));
  EXPECT_THAT(ended.out, ContainsRegex("\nmean +pdom .*of 1\n"));
  EXPECT_THAT(ended.err, HasSubstr("matmul under pdom: a block of"));
}

TEST_F(Compare, UnknownNamesAreErrorsBeforeAnythingRuns) {
  const Ended workload = heddle({"compare", "histogran", "--mechanisms", "pdom"});
  EXPECT_EQ(workload.code, 2);
  EXPECT_THAT(workload.err, HasSubstr("did you mean 'histogram'?"));
  const Ended mechanism = heddle({"compare", "histogram", "--mechanisms", "pdom,pdon"});
  EXPECT_EQ(mechanism.code, 2);
  EXPECT_THAT(mechanism.err, HasSubstr("no mechanism 'pdon'; did you mean 'pdom'"));
}

}  // namespace
}  // namespace heddle::cli

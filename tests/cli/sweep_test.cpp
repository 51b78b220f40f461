// heddle sweep from the outside.
#include <fmt/format.h>

#include <regex>

#include "cli/heddle_program.h"

namespace heddle::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class SweepVerb : public HeddleProgram {};

TEST_F(SweepVerb, SaysWhatIsBestWhereAndRunsNothingTwice) {
  const std::vector<std::string> command{"sweep",          "bfs",    "reduction0", "--mechanisms", "pdom,tbc", "--vary",
                                         "warp_size=8,32", "--size", "tiny",       "--csv",        "s.csv",    "--json",
                                         "s.json"};
  const Ended ended = heddle(command);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("\ntbc, warp_size=32 "));
  EXPECT_THAT(ended.out, HasSubstr("best where programs diverge: "));
  const auto json = read_json("s.json");
  EXPECT_EQ(json["schema"], "heddle-sweep-1");
  EXPECT_EQ(json["runs"].size(), 8);
  EXPECT_EQ(json["axes"][1]["values"][1], "32");
  EXPECT_EQ(heddle(command).out, ended.out);
  std::vector<std::string> list = command;
  list.emplace_back("--list");
  EXPECT_THAT(heddle(list).out, HasSubstr("4 points of 2 workloads: 8 runs, 8 of them measured"));
}

TEST_F(SweepVerb, ThatIsBestOverAllIsTheBestOfItsMechanism) {
  const std::string out =
      heddle({"sweep", "bfs", "matmul", "--mechanisms", "pdom,tbc", "--vary", "warp_size=8,32", "--size", "tiny"}).out;
  std::smatch best;
  ASSERT_TRUE(std::regex_search(out, best, std::regex("best over all: (\\w+), warp_size=(\\d+) \\((\\S+) %\\)")))
      << out;
  const size_t each = out.find("best of each mechanism, by warp_size\n");
  ASSERT_NE(each, std::string::npos) << out;
  EXPECT_THAT(out.substr(each), HasSubstr(fmt::format("{} %  {}\n", best[3].str(), best[2].str())));
}

// The same figures as heddle run has.
TEST_F(SweepVerb, ARowOfTheTableIsARun) {
  ASSERT_EQ(heddle({"sweep", "bfs", "--mechanisms", "tbc", "--vary", "warp_size=16", "--size", "tiny", "--csv", "s.csv",
                    "--quiet"})
                .code,
            0);
  ASSERT_EQ(heddle({"run", "bfs", "--mechanism", "tbc", "--set", "warp_size=16", "--size", "tiny", "--json", "r.json",
                    "--quiet"})
                .code,
            0);
  const auto total = read_json("r.json")["total"];
  EXPECT_THAT(read("s.csv"), HasSubstr(fmt::format("\nbfs,tbc,16,{},", total["cycles"].get<uint64_t>())));
  EXPECT_THAT(read("s.csv"), HasSubstr("workload,mechanism,warp_size,cycles,ipc,"));
}

TEST_F(SweepVerb, PointsThatCannotBeAreListedAndRefusalsAreAnAnswer) {
  const Ended ended = heddle({"sweep", "recursion", "--mechanisms", "pdom,gma", "--vary", "l1_bytes=16k,100", "--size",
                              "tiny", "--csv", "s.csv"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("cannot be: pdom, l1_bytes=100: .*l1"));
  EXPECT_THAT(read("s.csv"), ContainsRegex("\nrecursion,gma,16384,.*,refused\n"));
}

TEST_F(SweepVerb, WithoutAClockActiveThreadsPerSlotAreCompared) {
  const Ended ended = heddle({"sweep", "bfs", "--mechanisms", "pdom,tbc", "--size", "tiny", "--emulate"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("active/slot: divergent"));
}

TEST_F(SweepVerb, ItsJsonMakesAReportWithACurve) {
  ASSERT_EQ(heddle({"sweep", "bfs", "--mechanisms", "pdom", "--vary", "warp_size=8..32*2", "--size", "tiny", "--json",
                    "s.json", "--quiet"})
                .code,
            0);
  const Ended report = heddle({"report", "s.json", "-o", "s.html"});
  EXPECT_EQ(report.code, 0) << report.err;
  EXPECT_THAT(report.out + report.err, HasSubstr("3 runs"));
}

TEST_F(SweepVerb, MistakesAreNamed) {
  EXPECT_THAT(heddle({"sweep", "bfs"}).err, HasSubstr("nothing varies"));
  const Ended unread = heddle({"sweep", "bfs", "--vary", "capt_entries=8,16"});
  EXPECT_EQ(unread.code, 2);
  EXPECT_THAT(unread.err, HasSubstr("capri"));
  EXPECT_EQ(heddle({"sweep", "bfs", "--vary", "cores=8..2"}).code, 2);
  EXPECT_EQ(heddle({"sweep", "nothing", "--mechanisms", "pdom,tbc"}).code, 2);
  const Ended twice = heddle({"sweep", "bfs", "--mechanisms", "pdom", "--csv", "one", "--json", "./one"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.err, HasSubstr("two things are to be written to '"));
}

// Parts done one after another, as other machines would, are the whole, to the byte.
TEST_F(SweepVerb, PartsAreTheWhole) {
  const std::vector<std::string> sweep{"sweep",          "bfs",    "reduction0", "--mechanisms", "pdom,tbc", "--vary",
                                       "warp_size=8,32", "--size", "tiny"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), sweep.begin(), sweep.end());
    return heddle(more);
  };
  ASSERT_EQ(with({"--results", "here", "--json", "here.json", "--csv", "here.csv"}).code, 0);
  const Ended second = with({"--results", "there", "--shard", "2/3"});
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(second.out, "part 2/3 is done; of all 8 runs 5 are missing in there\n");
  EXPECT_EQ(with({"--results", "there", "--shard", "1/3"}).code, 0);
  EXPECT_THAT(with({"--results", "there", "--shard", "3/3"}).out, HasSubstr("of all 8 runs 0 are missing"));
  EXPECT_THAT(with({"--results", "there", "--list"}).out, HasSubstr("8 of them measured"));
  ASSERT_EQ(with({"--results", "there", "--json", "there.json", "--csv", "there.csv"}).code, 0);
  EXPECT_EQ(read("there.json"), read("here.json"));
  EXPECT_EQ(read("there.csv"), read("here.csv"));
}

TEST_F(SweepVerb, APartThatCannotBeIsAUsageError) {
  for (const char* part : {"0/3", "4/3", "1", "1/", "/2", "a/b", "1/2/3", "-1/2"}) {
    const Ended ended = heddle({"sweep", "bfs", "--mechanisms", "pdom", "--size", "tiny", "--shard", part});
    EXPECT_EQ(ended.code, 2) << part;
    EXPECT_THAT(ended.err, HasSubstr("is no part of a whole: 1/4 to 4/4 are those of four")) << part;
  }
  EXPECT_EQ(heddle({"sweep", "bfs", "--mechanisms", "pdom", "--shard", "1/2", "--json", "x.json"}).code, 2);
  EXPECT_EQ(heddle({"sweep", "bfs", "--mechanisms", "pdom", "--shard", "1/2", "--slurm", "2"}).code, 2);
  EXPECT_EQ(heddle({"sweep", "bfs", "--mechanisms", "pdom", "--size", "tiny", "--sbatch=--x"}).code, 2);
}

}  // namespace
}  // namespace heddle::cli

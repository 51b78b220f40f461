#include "cli/heddle_program.h"
#include "cli/kernels.h"
#include "divergence/lane_map.h"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class Taint : public HeddleProgram {
 protected:
  json branch_run(const std::vector<std::string>& more) {
    write("branch.ptx", kBranch);
    std::vector<std::string> words{"run",      "branch.ptx", "--grid",      "1",      "--block", "8",        "--arg",
                                   "zeros:32", "--set",      "warp_size=4", "--json", "r.json",  "--emulate"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = heddle(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return read_json("r.json");
  }
};

TEST_F(Taint, ShowsRatesOfPAndDBranchesByLaneMap) {
  const Ended ended = heddle({"run", "bitonic", "--size", "tiny", "--mechanism", "tbc", "--emulate", "--taint"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("\ncompaction rate +P-branches +D-branches +all\n"));
  EXPECT_THAT(ended.out, ContainsRegex("\nnone +0.0 % "));
  EXPECT_THAT(ended.out, ContainsRegex("\nactive +P 0-25 % +P 25-50 % +P 50-75 % +P 75-100 % +D 0-25 %"));
  for (const LaneMap::Row& map : LaneMap::all())
    EXPECT_THAT(ended.out, ContainsRegex("\n" + std::string(map.name) + " +[0-9]+"));
  EXPECT_THAT(ended.out, ContainsRegex("\nideal +100.0 % "));
}

TEST_F(Taint, SaysThatThereAreNoRatesWithoutAStackPerBlock) {
  const Ended ended = heddle({"run", "bitonic", "--size", "tiny", "--emulate", "--taint"});
  EXPECT_THAT(ended.out, HasSubstr("compaction rate  none: pdom has no stack per block"));
}

TEST_F(Taint, BranchesAreListedByHowOftenTheyDiverge) {
  const Ended ended =
      heddle({"run", "bitonic", "--size", "tiny", "--mechanism", "tbc", "--emulate", "--taint", "--branches"});
  EXPECT_THAT(ended.out, ContainsRegex("\nsource +pc +branch +kind +executed +diverged +share +by blocks +diverged "
                                       "+compactable +compacted\nkernel.cu:14 .* P "));
  EXPECT_THAT(ended.out, HasSubstr("branches with a choice, 4 of them diverged\n"));
  const Ended plain = heddle({"run", "bfs", "--size", "tiny", "--emulate", "--branches"});
  EXPECT_THAT(plain.out, ContainsRegex("\nkernel +source +pc +branch +executed +diverged +share\n"));
}

TEST_F(Taint, JsonHasTheKindOfABranchAndItsBlockWideCounts) {
  const json run = branch_run({"--mechanism", "tbc", "--taint"});
  const json& kernel = run["kernels"][0];
  const json& record = kernel["branch_records"][0];
  EXPECT_EQ(record["kind"], "P");
  EXPECT_EQ(record["threads"], 8);
  EXPECT_EQ(record["data_threads"], 0);
  // Threads 0 and 1 of 8 go one way: one warp needs one; the six others need two, and ideally two.
  EXPECT_EQ(record["block_wide"], json({{"executed", 1},
                                        {"diverged", 1},
                                        {"compactable", 0},
                                        {"compacted", 0},
                                        {"paths", 2},
                                        {"compactable_paths", 0},
                                        {"compacted_paths", 0}}));
  EXPECT_TRUE(kernel["branch_records"][1]["kind"].is_null());
  EXPECT_EQ(kernel["compaction"]["P"]["paths"], 2);
  EXPECT_EQ(kernel["compaction"]["P"]["rates"]["balanced"], 0.0);
  EXPECT_TRUE(kernel["compaction"]["D"]["rates"].is_null());
  EXPECT_EQ(kernel["compaction"]["all"]["by_active"][1]["paths"], 1);
  EXPECT_EQ(kernel["compaction"], run["total"]["compaction"]);
}

TEST_F(Taint, WithoutItJsonHasNothingOfIt) {
  json run = branch_run({"--mechanism", "tbc"});
  run.erase("run");  // which says what kind of program it was
  const std::string text = run.dump();
  for (const char* name : {"\"kind\"", "\"compaction\":{", "block_wide", "data_threads"})
    EXPECT_THAT(text, Not(HasSubstr(name)));
  const json counted = branch_run({"--mechanism", "tbc", "--branches"})["kernels"][0];
  EXPECT_EQ(counted["compaction"]["all"]["paths"], 2);
  EXPECT_FALSE(counted["compaction"].contains("P"));
  EXPECT_FALSE(counted["branch_records"][0].contains("kind"));
}

TEST_F(Taint, CompareShowsRatesAndTheirMeans) {
  const Ended ended = heddle({"compare", "bitonic", "reduction0", "--size", "tiny", "--mechanisms", "pdom,tbc",
                              "--emulate", "--taint", "--json", "c.json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, ContainsRegex("\nworkload +mechanism +branches +paths +none +odd_even +rev_wid"));
  EXPECT_THAT(ended.out, ContainsRegex("\nreduction0 +tbc +P +433 +0.0 % +55.4 % +55.4 % +77.6 % +77.6 %\n"));
  EXPECT_THAT(ended.out, ContainsRegex("\nmean +tbc +P +of 2 +0.0 % "));
  EXPECT_THAT(ended.out, ContainsRegex("\nmean +tbc +D +of 1 "));
  const json mean = read_json("c.json")["mean"][1]["compaction"], runs = read_json("c.json")["runs"];
  EXPECT_EQ(mean["P"]["workloads"], 2);
  const auto rate = [&](size_t run) {
    return runs[run]["total"]["compaction"]["P"]["rates"]["odd_even"].get<double>();
  };
  EXPECT_DOUBLE_EQ(mean["P"]["rates"]["odd_even"], (rate(1) + rate(3)) / 2);
  EXPECT_EQ(read_json("c.json")["mean"][0]["compaction"]["P"]["workloads"], 0);
}

}  // namespace
}  // namespace heddle::cli

// A machine that contradicts itself is refused when it is loaded, with the key's name.
#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class BadMachine : public HeddleProgram {
 protected:
  // As --set and as a file.
  void expect_refused(const std::string& key, const std::string& value, const std::string& message) {
    std::string in_file = key;
    in_file.append(" = ").append(value).append("\n");
    write("mine.toml", in_file);
    std::string assignment = key;
    assignment.append("=").append(value);
    for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "bfs", "--set", assignment},
                                                  {"run", "bfs", "--preset", "mine.toml"},
                                                  {"compare", "bfs", "--set", assignment}}) {
      const Ended ended = heddle(words);
      EXPECT_EQ(ended.code, 2);
      EXPECT_EQ(ended.out, "");
      EXPECT_THAT(ended.err, testing::StartsWith("heddle: error: "));
      EXPECT_THAT(ended.err, HasSubstr(message));
    }
  }
};

TEST_F(BadMachine, LanesMustDivideAWarp) {
  const Ended ended = heddle({"run", "bfs", "--set", "warp_size=8", "--set", "simd_width=16"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("simd_width = 16 does not divide warp_size = 8"));
}
TEST_F(BadMachine, ACacheHasAPowerOfTwoOfSets) {
  expect_refused("l1_bytes", "49280", "l1_bytes = 49280: lines of 128 bytes in sets of 4 do not make that");
}
TEST_F(BadMachine, ALineIsNotLargerThanOneBelow) {
  expect_refused("l2_line", "64", "l1_line = 128 is larger than a line below it (l2_line = 64)");
}
TEST_F(BadMachine, ALineIsAPowerOfTwo) {
  expect_refused("l2_line", "192", "l2_line = 192: must be a power of two");
  expect_refused("l1_line", "96", "l1_line = 96: must be a power of two");
}
TEST_F(BadMachine, ALatencyIsNotShorterThanTheWayToTheMemoryStage) {
  expect_refused("memory_stage", "30", "memory_latency = 24: must be larger than memory_stage = 30");
}
TEST_F(BadMachine, ALineLiesInOneRowAndOneChannel) {
  expect_refused("dram_row_bytes", "64", "dram_row_bytes = 64 is smaller than a line (l2_line = 128)");
  expect_refused("channel_interleave", "64", "channel_interleave = 64 is smaller than a line (l2_line = 128)");
}
TEST_F(BadMachine, AnUnknownKeyNamesTheNearestAndFileAndLine) {
  write("mine.toml", "cores = 2\nl1_byte = 1024\n");
  const Ended ended = heddle({"run", "bfs", "--preset", "mine.toml"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("mine.toml:2: unknown key 'l1_byte'; did you mean 'l1_bytes'"));
}

TEST_F(BadMachine, ABlockThatDoesNotFitNamesWhatIsMissingAndItsKey) {
  write("k.ptx", kernel_with("ret;"));
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "k.ptx", "--grid", "1", "--block", "65", "--arg", "zeros:4"};
    words.insert(words.end(), more.begin(), more.end());
    return heddle(words);
  };
  const Ended threads = run({"--set", "core_threads=64"});
  EXPECT_EQ(threads.code, 4);
  EXPECT_EQ(threads.err, "heddle: error: a block of k does not fit a core: 65 threads of 64 (core_threads)\n");
  const Ended shared = run({"--shared", "5000", "--set", "core_shared=4096"});
  EXPECT_EQ(shared.code, 4);
  EXPECT_THAT(shared.err, HasSubstr("5000 bytes of shared memory of 4096 (core_shared)"));
  EXPECT_EQ(run({"--preset", "tiny"}).code, 4);
}

TEST_F(BadMachine, ACooperativeLaunchMustFitAsAWhole) {
  write("k.ptx", kernel_with("ret;"));
  const Ended ended =
      heddle({"run", "k.ptx", "--grid", "9", "--block", "4", "--cooperative", "--arg", "zeros:4", "--preset", "tiny"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, HasSubstr("a cooperative launch of 9 blocks of k does not fit: 2 cores hold 2 blocks each"));
}

class Limits : public HeddleProgram {
 protected:
  Ended run_forever(const std::vector<std::string>& more) {
    write("forever.ptx", kernel_with(kForever));
    std::vector<std::string> words{"run",   "forever.ptx", "--grid", "1",      "--block", "4",
                                   "--arg", "zeros:4",     "--json", "r.json", "--set",   "warp_size=4"};
    words.insert(words.end(), more.begin(), more.end());
    return heddle(words);
  }
};

TEST_F(Limits, MaxCyclesEndsALoopAndSaysWhereItsWarpsAre) {
  const Ended ended = run_forever({"--max-cycles", "5000"});
  EXPECT_EQ(ended.code, 6);
  EXPECT_THAT(ended.err, HasSubstr("kernel k has not ended after "));
  EXPECT_THAT(ended.err, HasSubstr(" cycles (max_cycles)"));
  EXPECT_THAT(ended.err, HasSubstr("block (0,0,0), 4 of 4 threads alive"));
  EXPECT_THAT(ended.err, HasSubstr("warp 0: [pc 1 "));
  EXPECT_THAT(ended.out, HasSubstr(", cycle level\n"));
  const nlohmann::json run = read_json("r.json");
  EXPECT_GE(run["total"]["cycles"], 5000);
  EXPECT_EQ(run["exit_code"], 6);
  EXPECT_EQ(run["config"]["max_cycles"], 5000);
}

TEST_F(Limits, MaxSlotsEndsALoopToo) {
  const Ended ended = run_forever({"--max-slots", "5000"});
  EXPECT_EQ(ended.code, 6);
  EXPECT_THAT(ended.err, HasSubstr(" issue slots (max_slots)"));
  EXPECT_GE(read_json("r.json")["total"]["issue_slots"], 5000);
}

TEST_F(Limits, ALaunchThatEndsInTimeIsNotTouched) {
  EXPECT_EQ(heddle({"run", "histogram", "--size", "tiny", "--max-cycles", "10000000", "--quiet"}).code, 0);
}

}  // namespace
}  // namespace heddle::cli

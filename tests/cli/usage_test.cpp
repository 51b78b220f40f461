#include <fmt/format.h>

#include <fstream>

#include "base/error.h"
#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Usage : public HeddleProgram {
 protected:
  void expect_error(const std::vector<std::string>& words, const std::string& message) {
    const Ended ended = heddle(words);
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_THAT(ended.err, StartsWith("heddle: error: "));
    EXPECT_THAT(ended.err, HasSubstr(message));
    EXPECT_EQ(ended.out, "");
  }
  void expect_bad_argument(const std::string& argument, const std::string& message) {
    write("branch.ptx", kBranch);
    expect_error({"run", "branch.ptx", "--grid", "1", "--block", "1", "--arg", argument},
                 fmt::format("heddle: error: --arg {}: {}", argument, message));
  }
};

TEST_F(Usage, TheVersionIsPrinted) {
  const Ended ended = heddle({"--version"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, testing::MatchesRegex("heddle [0-9]+\\.[0-9]+.*\n"));
}

TEST_F(Usage, EveryVerbHasHelpWithAnExample) {
  for (const char* verb : {"run", "compare", "list", "disasm"}) {
    const Ended ended = heddle({verb, "--help"});
    EXPECT_EQ(ended.code, 0) << verb;
    EXPECT_THAT(ended.out, HasSubstr(fmt::format("Examples:\n  heddle {}", verb)));
    EXPECT_THAT(heddle({"--help"}).out, HasSubstr(fmt::format("\n  {} ", verb)));
  }
}

TEST_F(Usage, AnUnknownVerbNamesTheNearest) {
  expect_error({"rum"},
               "no verb 'rum'; did you mean 'run'? (verbs: run, exec, compare, sweep, reproduce, validate, profile, "
               "view, report, list, disasm, cc)");
}
TEST_F(Usage, WithoutAVerbTheHelpIsShown) {
  const Ended ended = heddle({});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("Usage: heddle [OPTIONS] SUBCOMMAND"));
  EXPECT_THAT(ended.err, testing::EndsWith("heddle: error: no verb given\n"));
}
TEST_F(Usage, AnOptionInPlaceOfAVerbIsNamed) {
  expect_error({"--nonsense"}, "heddle has no option '--nonsense' before a verb");
}
TEST_F(Usage, AnUnknownOptionNamesTheNearest) {
  expect_error({"run", "bfs", "--mechansim", "pdom"},
               "heddle run has no option '--mechansim'; did you mean '--mechanism'?");
}
TEST_F(Usage, AnUnknownWorkloadNamesTheNearest) {
  expect_error({"run", "bsf"}, "no workload is called 'bsf'; did you mean 'bfs'?");
}
TEST_F(Usage, AnUnknownMechanismNamesTheNearest) {
  expect_error({"run", "bfs", "--mechanism", "pdon"}, "no mechanism 'pdon'; did you mean 'pdom'");
}
TEST_F(Usage, AnUnknownLaneMapNamesTheNearest) {
  expect_error({"run", "bfs", "--lanes", "balancd"}, "no lane map 'balancd'; did you mean 'balanced'?");
}
TEST_F(Usage, AnUnknownSchedulerIsNamed) {
  expect_error(
      {"run", "bfs", "--schedule", "gtp"},
      "'gtp'; did you mean 'gto' or 'gtr' or 'gty'? (rr, lrr, gto, gty, gtr, two-level, age, rrb, srr, random)");
  expect_error({"compare", "bfs", "--schedule", "gtp"}, "'gtp'; did you mean 'gto'");
}
TEST_F(Usage, AnUnknownKeyNamesTheNearest) {
  expect_error({"run", "bfs", "--set", "warp_siz=4"},
               "--set warp_siz=4: unknown key 'warp_siz'; did you mean 'warp_size'?");
}
TEST_F(Usage, AValueOutOfRangeNamesTheRange) {
  expect_error({"run", "bfs", "--set", "warp_size=5"}, "'5' is no value for warp_size: one of 2, 4, 8, 16, 32");
  expect_error({"run", "bfs", "--max-slots", "-1"}, "is no value for max_slots");
  expect_error({"run", "bfs", "--max-cycles", "-1"}, "is no value for max_cycles");
}
TEST_F(Usage, WhatNeedsAClockDoesNotGoWithEmulation) {
  expect_error({"run", "bfs", "--emulate", "--max-cycles", "5"}, "--max-cycles does not go with --emulate");
  expect_error({"run", "bfs", "--emulate", "--sample", "5", "--json", "r.json"}, "--sample does not go with --emulate");
  expect_error({"run", "bfs", "--emulate", "--no-skip"}, "--no-skip does not go with --emulate");
  expect_error({"compare", "bfs", "--emulate", "--max-cycles", "5"}, "--max-cycles does not go with --emulate");
}
TEST_F(Usage, ATimeSeriesNeedsAnIntervalAndSomewhereToGo) {
  expect_error({"run", "bfs", "--sample", "100"},
               "--sample needs somewhere to write to: --sample-file FILE.csv, or --json FILE");
  expect_error({"run", "bfs", "--sample-file", "s.csv"}, "--sample-file needs --sample N");
  expect_error({"run", "bfs", "--sample", "100", "--sample-file", "-", "--json", "-"},
               "cannot both be standard output");
  expect_error({"run", "bfs", "--sample", "100", "--sample-file", "no/s.csv"},
               "cannot write 'no/s.csv': No such file or directory");
}
TEST_F(Usage, AnUnknownPresetNamesTheNearest) {
  expect_error({"run", "bfs", "--preset", "tinny"}, "no preset 'tinny'; did you mean 'tiny'?");
}
TEST_F(Usage, AnUnknownKeyInAPresetFileNamesFileAndLine) {
  write("mine.toml", "warp_size = 8\nwarps = 2\n");
  expect_error({"run", "bfs", "--preset", "mine.toml"}, "mine.toml:2: unknown key 'warps'");
}
TEST_F(Usage, AnUnknownSizeNamesTheSizes) {
  expect_error({"run", "bfs", "--size", "huge"}, "the sizes are tiny, small and paper");
}
TEST_F(Usage, AMissingFileIsNamed) {
  expect_error({"run", "none.ptx", "--grid", "1", "--block", "1"}, "cannot read 'none.ptx': No such file or directory");
  expect_error({"disasm", "none.ptx"}, "cannot read 'none.ptx': No such file or directory");
}
TEST_F(Usage, AFileNeedsAGridAndABlock) {
  write("branch.ptx", kBranch);
  expect_error({"run", "branch.ptx", "--grid", "1"}, "a kernel of a PTX file needs --grid and --block");
  expect_error({"run", "branch.ptx", "--grid", "1,2,3,4", "--block", "1"}, "--grid 1,2,3,4: expected X, X,Y or X,Y,Z");
  expect_error({"run", "branch.ptx", "--grid", "1", "--block", "0"}, "--block 0: expected X, X,Y or X,Y,Z");
}
TEST_F(Usage, OptionsOfFilesDoNotGoWithWorkloads) {
  write("branch.ptx", kBranch);
  expect_error({"run", "bfs", "--grid", "4"}, "--grid does not go with bfs, which is a workload");
  expect_error({"run", "branch.ptx", "--size", "tiny"}, "--size does not go with branch.ptx, which is a PTX file");
}

TEST_F(Usage, AnArgumentOfAnUnknownKindListsTheKinds) {
  expect_bad_argument("i32:7", "expected KIND:VALUE with a kind of u8, s8, u16");
  expect_bad_argument("7", "expected KIND:VALUE");
}
TEST_F(Usage, AnIntegerArgumentOutOfRangeNamesTheRange) {
  expect_bad_argument("u8:256", "expected a number from 0 to 255");
  expect_bad_argument("s8:-129", "expected a number from -128 to 127");
  expect_bad_argument("u32:-1", "expected a number from 0 to 4294967295");
  expect_bad_argument("u32:7x", "expected a number");
  expect_bad_argument("u64:18446744073709551616", "expected a number from 0 to 18446744073709551615");
}
TEST_F(Usage, AFloatArgumentMustBeANumberAndNoHexadecimalInteger) {
  expect_bad_argument("f32:1.5x", "expected a number such as 1.5");
  expect_bad_argument("f32:0x3f800000", "expected a number such as 1.5");
  expect_bad_argument("f64:", "expected a number such as 1.5");
}
TEST_F(Usage, BytesMustBePairsOfHexadecimalDigits) {
  expect_bad_argument("bytes:012", "expected an even number of hexadecimal digits");
  expect_bad_argument("bytes:0g", "expected an even number of hexadecimal digits");
}
TEST_F(Usage, ABufferNeedsASizeOrAReadableFile) {
  expect_bad_argument("zeros:many", "expected a number of bytes");
  expect_bad_argument("file:none.bin", "cannot read 'none.bin'");
  expect_bad_argument("zeros:4@", "expected a file name behind @");
}
TEST_F(Usage, ABufferThatCannotBeWrittenBackIsNamed) {
  write("branch.ptx", kBranch);
  const Ended ended = heddle({"run", "branch.ptx", "--grid", "1", "--block", "1", "--arg", "zeros:16@no/out.bin"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("cannot write 'no/out.bin': No such file or directory"));
}

TEST_F(Usage, EveryExitCodeIsDocumented) {
  std::ifstream file(std::string(HEDDLE_SOURCE) + "/docs/exit-codes.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const ExitCode code :
       {ExitCode::Ok, ExitCode::CheckFailed, ExitCode::Usage, ExitCode::BadProgram, ExitCode::BadLaunch,
        ExitCode::Fault, ExitCode::Deadlock, ExitCode::Refused, ExitCode::Interrupted, ExitCode::Internal})
    EXPECT_THAT(text, HasSubstr(fmt::format("\n| {} | ", static_cast<int>(code))));
}

}  // namespace
}  // namespace heddle::cli

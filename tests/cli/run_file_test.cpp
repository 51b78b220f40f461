#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RunFile : public HeddleProgram {};

TEST_F(RunFile, BuffersGoInFromFilesAndComeBackToFiles) {
  write("add.ptx", kAdd);
  write_values<uint32_t>("a.bin", {1, 2, 3, 4, 5});
  write_values<uint32_t>("b.bin", {10, 20, 30, 40, 50});
  const Ended ended = heddle({"run", "add.ptx", "--kernel", "add", "--grid", "2", "--block", "4", "--arg", "file:a.bin",
                              "--arg", "file:b.bin", "--arg", "zeros:20@sum.bin", "--arg", "u32:5"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(read_values<uint32_t>("sum.bin"), ElementsAre(11, 22, 33, 44, 55));
}

TEST_F(RunFile, ABufferReadFromAFileMayBeWrittenBackToo) {
  write("branch.ptx", kBranch);
  write_values<uint32_t>("in.bin", {7, 7, 7, 7});
  const Ended ended =
      heddle({"run", "branch.ptx", "--grid", "1", "--block", "3", "--arg", "file:in.bin@out.bin", "--quiet"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(read_values<uint32_t>("out.bin"), ElementsAre(10, 10, 20, 7));
  EXPECT_THAT(read_values<uint32_t>("in.bin"), ElementsAre(7, 7, 7, 7));
}

TEST_F(RunFile, ScalarsAndStructuresReachTheKernelByValue) {
  write("values.ptx", kStructure);
  const Ended ended = heddle({"run", "values.ptx", "--grid", "1", "--block", "1", "--arg", "zeros:24@out.bin", "--arg",
                              "bytes:0100000002000000", "--arg", "s16:-2", "--arg", "f64:1.5"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(read_values<uint32_t>("out.bin"), ElementsAre(1, 2, 0xfffe, 0, 0, 0x3ff80000));
}

TEST_F(RunFile, HexadecimalGivesBits) {
  write("values.ptx", kStructure);
  const Ended ended =
      heddle({"run", "values.ptx", "--grid", "1", "--block", "1", "--arg", "zeros:0x18@out.bin", "--arg",
              "bytes:ffffffff00000080", "--arg", "u16:0xBEEF", "--arg", "f64:0d4000000000000001"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(read_values<uint32_t>("out.bin"), ElementsAre(0xffffffff, 0x80000000, 0xbeef, 0, 1, 0x40000000));
}

TEST_F(RunFile, HalfPrecisionValuesAreRoundedOnce) {
  write("values.ptx", kStructure);
  const Ended f16 = heddle({"run", "values.ptx", "--grid", "1", "--block", "1", "--arg", "zeros:24@out.bin", "--arg",
                            "bytes:0000000000000000", "--arg", "f16:-1.5", "--arg", "f64:0"});
  EXPECT_EQ(f16.code, 0) << f16.err;
  EXPECT_EQ(read_values<uint16_t>("out.bin")[4], 0xbe00);
  const Ended bf16 = heddle({"run", "values.ptx", "--grid", "1", "--block", "1", "--arg", "zeros:24@out.bin", "--arg",
                             "bytes:0000000000000000", "--arg", "bf16:1.005859375", "--arg", "f64:0"});
  EXPECT_EQ(bf16.code, 0) << bf16.err;
  EXPECT_EQ(read_values<uint16_t>("out.bin")[4], 0x3f81);
}

TEST_F(RunFile, TheLaunchAndItsStatisticsArePrinted) {
  write("branch.ptx", kBranch);
  const Ended ended = heddle({"run", "branch.ptx", "--grid", "2,1,1", "--block", "2,2", "--arg", "zeros:16", "--set",
                              "warp_size=4", "--emulate"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("branch.ptx: mechanism pdom, lanes none, warps of 4, emulation\n"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("kernel +grid +block +launches +thread instr. +issue slots"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("branch +2 +2x2 +1 +"));
}

TEST_F(RunFile, QuietPrintsNothing) {
  write("branch.ptx", kBranch);
  const Ended ended = heddle({"run", "branch.ptx", "--grid", "1", "--block", "4", "--arg", "zeros:16", "--quiet"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out + ended.err, "");
}

TEST_F(RunFile, DynamicSharedMemoryIsAsLargeAsAsked) {
  write("k.ptx", R"(.version 7.0
.target sm_75
.address_size 64
.extern .shared .align 4 .b8 room[];
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  mov.u32 %r1, 9;
  st.shared.u32 [room+60], %r1;
  ret;
})");
  EXPECT_EQ(heddle({"run", "k.ptx", "--grid", "1", "--block", "1", "--shared", "64", "--arg", "u64:0"}).code, 0);
  EXPECT_EQ(heddle({"run", "k.ptx", "--grid", "1", "--block", "1", "--shared", "63", "--arg", "u64:0"}).code, 5);
}

TEST_F(RunFile, TheKernelMustBeNamedWhereThereAreSeveral) {
  write("two.ptx", kernel_with("ret;", "one") + ".visible .entry two(.param .u64 out)\n{\nret;\n}\n");
  const std::vector<std::string> rest{"--grid", "1", "--block", "1", "--arg", "zeros:4"};
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.end(), rest.begin(), rest.end());
    return heddle(words);
  };
  EXPECT_EQ(run({"run", "two.ptx", "--kernel", "two"}).code, 0);
  const Ended ended = run({"run", "two.ptx"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err, "heddle: error: two.ptx has 2 kernels; choose one with --kernel: one, two\n");
  const Ended wrong = run({"run", "two.ptx", "--kernel", "tow"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_EQ(wrong.err, "heddle: error: two.ptx: no kernel 'tow'; did you mean 'two'? (kernels: one, two)\n");
}

TEST_F(RunFile, BuffersAreWrittenBackAlsoAfterAFault) {
  write("branch.ptx", kBranch);
  const Ended ended = heddle({"run", "branch.ptx", "--grid", "1", "--block", "8", "--set", "warp_size=4", "--arg",
                              "zeros:16@out.bin", "--quiet", "--emulate"});
  EXPECT_EQ(ended.code, 5);
  EXPECT_THAT(read_values<uint32_t>("out.bin"), ElementsAre(10, 10, 20, 20));
}

TEST_F(RunFile, ACooperativeLaunchHasAllBlocksResident) {
  // Each block adds one to a counter and waits until all 64 have.
  write("meet.ptx", kernel_with("atom.global.add.u32 %r1, [%rd1], 1;\nWAIT:\nld.volatile.global.u32 %r2, [%rd1];\n"
                                "setp.lt.u32 %p, %r2, 64;\n@%p bra WAIT;\nret;"));
  const std::vector<std::string> words{
      "run",           "meet.ptx",    "--grid",  "64",    "--block",           "1",        "--arg", "zeros:4", "--set",
      "core_blocks=8", "--max-slots", "1000000", "--set", "resident_blocks=8", "--emulate"};
  EXPECT_EQ(heddle(words).code, 6);
  std::vector<std::string> cooperative = words;
  cooperative.emplace_back("--cooperative");
  EXPECT_EQ(heddle(cooperative).code, 0);
}

}  // namespace
}  // namespace heddle::cli

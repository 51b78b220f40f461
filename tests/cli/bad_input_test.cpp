// What a kernel or a launch can do wrong: one message that names the place, and its exit code.
#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class BadInput : public HeddleProgram {
 protected:
  Ended run(std::string_view ptx, const std::vector<std::string>& more = {}) {
    write("k.ptx", ptx);
    std::vector<std::string> words{"run", "k.ptx", "--grid",   "1",       "--block",
                                   "4",   "--arg", "zeros:64", "--quiet", "--emulate"};
    words.insert(words.end(), more.begin(), more.end());
    return heddle(words);
  }
};

TEST_F(BadInput, ASyntaxErrorShowsTheLineAndACaret) {
  const Ended ended = run(kernel_with("add.u32 %r1 %r2, 3;\nret;"));
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, StartsWith("heddle: error: k.ptx:10:13: error: "));
  EXPECT_THAT(ended.err, HasSubstr("\nadd.u32 %r1 %r2, 3;\n            ^\n"));
}

TEST_F(BadInput, AnUnknownInstructionNamesItsPlaceWhileOtherKernelsRun) {
  const std::string two =
      kernel_with("frobnicate.u32 %r1, %r2;\nret;", "bad") + ".visible .entry good(.param .u64 out)\n{\nret;\n}\n";
  write("k.ptx", two);
  const std::vector<std::string> rest{"--grid", "1", "--block", "1", "--arg", "zeros:4"};
  const auto kernel = [&](const char* name) {
    std::vector<std::string> words{"run", "k.ptx", "--kernel", name};
    words.insert(words.end(), rest.begin(), rest.end());
    return heddle(words);
  };
  const Ended good = kernel("good");
  EXPECT_EQ(good.code, 0);
  EXPECT_THAT(good.err, StartsWith("heddle: warning: some kernels of this module cannot run\nk.ptx:10:1: error: "));
  EXPECT_THAT(good.err, HasSubstr("frobnicate"));
  EXPECT_THAT(good.err, HasSubstr("affects: bad\n"));
  const Ended bad = kernel("bad");
  EXPECT_EQ(bad.code, 3);
  EXPECT_THAT(bad.err, HasSubstr("heddle: error: kernel 'bad' cannot run:\nk.ptx:10:1: error: "));
}

TEST_F(BadInput, AnEmptyFileHasNoKernel) {
  const Ended ended = run(".version 7.0\n.target sm_75\n.address_size 64\n");
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.err, "heddle: error: k.ptx has no kernel\n");
}

TEST_F(BadInput, TheWrongNumberOfArgumentsIsABadLaunch) {
  const Ended ended = run(kernel_with("ret;"), {"--arg", "u32:1"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "heddle: error: kernel k takes 1 arguments, 2 given\n");
}

TEST_F(BadInput, AnArgumentOfTheWrongSizeNamesTheParameter) {
  write("k.ptx", kernel_with("ret;"));
  const Ended ended = heddle({"run", "k.ptx", "--grid", "1", "--block", "1", "--arg", "u32:1"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "heddle: error: argument 0 of kernel k ('out') has 8 bytes, 4 given\n");
}

TEST_F(BadInput, ABlockThatDoesNotFitTheCoreSaysWhatIsMissing) {
  const Ended shared = run(kernel_with("ret;"), {"--shared", "300000"});
  EXPECT_EQ(shared.code, 4);
  EXPECT_THAT(shared.err, HasSubstr("a block of k does not fit a core: 300000 bytes of shared memory of 233472"));
  write("k.ptx", kernel_with("ret;"));
  const Ended large =
      heddle({"run", "k.ptx", "--grid", "1", "--block", "65", "--arg", "zeros:4", "--set", "core_threads=64"});
  EXPECT_EQ(large.code, 4);
  EXPECT_THAT(large.err, HasSubstr("65 threads of 64"));
}

TEST_F(BadInput, MoreThan1024ThreadsAreABadLaunch) {
  write("k.ptx", kernel_with("ret;"));
  const Ended ended = heddle({"run", "k.ptx", "--grid", "1", "--block", "32,33", "--arg", "zeros:4"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, HasSubstr("launch of k: 1056 threads in a block, at most 1024"));
}

TEST_F(BadInput, AnOutOfBoundsAccessNamesKernelLineBlockThreadAddressAndAllocation) {
  write("branch.ptx", kBranch);
  const Ended ended = heddle({"run", "branch.ptx", "--grid", "2", "--block", "6", "--arg", "zeros:20"});
  EXPECT_EQ(ended.code, 5);
  EXPECT_THAT(ended.err, testing::MatchesRegex(
                             "heddle: error: out-of-bounds store of 4 bytes at 0x[0-9a-f]+: 0 bytes past the end of "
                             "'argument 0' \\(20 bytes at 0x[0-9a-f]+\\)\n"
                             "  in kernel branch, block \\(0,0,0\\), thread \\(5,0,0\\)\n"
                             "  at branch.ptx:23:3 \\(branch.cu:7\\): st.global.u32 \\[%rd3\\], %r2;\n"));
}

TEST_F(BadInput, AMisalignedAccessNamesAddressAndThread) {
  const Ended ended = run(kernel_with("ld.global.u32 %r1, [%rd1+2];\nret;"));
  EXPECT_EQ(ended.code, 5);
  EXPECT_THAT(ended.err, HasSubstr("misaligned load of 4 bytes at 0x"));
  EXPECT_THAT(ended.err,
              HasSubstr("in kernel k, block (0,0,0), thread (0,0,0)\n  at k.ptx:10:1: ld.global.u32 %r1, [%rd1+2];"));
}

TEST_F(BadInput, ATrapIsAFault) {
  const Ended ended = run(kernel_with("trap;\nret;"));
  EXPECT_EQ(ended.code, 5);
  EXPECT_THAT(ended.err, HasSubstr("heddle: error: trap\n  in kernel k, block (0,0,0), thread (0,0,0)"));
}

TEST_F(BadInput, ABarrierThatNeverCompletesIsDiagnosed) {
  const Ended ended =
      run(kernel_with("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p, %r1, 3;\n@%p bra ONE;\nbarrier.sync 2;\nret;\n"
                      "ONE:\nbarrier.sync 1;\nret;"));
  EXPECT_EQ(ended.code, 6);
  EXPECT_THAT(ended.err, HasSubstr("deadlock in kernel k under 'pdom': no thread can go on"));
  EXPECT_THAT(ended.err, HasSubstr("block (0,0,0), 4 of 4 threads alive"));
  EXPECT_THAT(ended.err, HasSubstr("barrier 1: 3 of 4 threads have come, first at k.ptx:16:1: barrier.sync 1;"));
}

TEST_F(BadInput, ALoopThatNeverEndsIsGivenUpAfterMaxSlots) {
  const Ended ended = run(kernel_with(kForever), {"--max-slots", "5000", "--json", "r.json"});
  EXPECT_EQ(ended.code, 6);
  EXPECT_THAT(ended.err, HasSubstr("kernel k has not ended after "));
  EXPECT_THAT(ended.err, HasSubstr("k.ptx:11:1: bra AGAIN;"));
  EXPECT_GE(read_json("r.json")["total"]["issue_slots"], 5000);
}

TEST_F(BadInput, ReadsOfUnwrittenSharedMemoryAreReportedOnDemand) {
  const std::string ptx =
      kernel_with(".shared .align 4 .b8 s[16];\nst.shared.u32 [s], %r1;\nld.shared.u32 %r2, [s+4];\nret;");
  EXPECT_EQ(run(ptx).code, 0);
  const Ended ended = run(ptx, {"--check", "init"});
  EXPECT_EQ(ended.code, 9);
  EXPECT_THAT(ended.err, HasSubstr("init: read of memory that nobody has written"));
  EXPECT_THAT(ended.err, HasSubstr("shared memory, byte 0x4"));
  EXPECT_THAT(ended.err, HasSubstr("k.ptx:12:1"));
}

TEST_F(BadInput, WhatWasMeasuredBeforeAnErrorIsStillPrinted) {
  write("k.ptx", kernel_with("trap;\nret;"));
  const Ended ended = heddle({"run", "k.ptx", "--grid", "1", "--block", "4", "--arg", "zeros:4"});
  EXPECT_EQ(ended.code, 5);
  EXPECT_THAT(ended.out, testing::ContainsRegex("\nk +1 +4 +1 "));
}

}  // namespace
}  // namespace heddle::cli

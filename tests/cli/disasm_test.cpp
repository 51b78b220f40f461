#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class Disasm : public HeddleProgram {};

TEST_F(Disasm, ShowsHeaderBlocksInstructionsAndSourceLines) {
  write("branch.ptx", kBranch);
  const Ended ended = heddle({"disasm", "branch.ptx"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, R"(kernel branch
  parameters 8 bytes
    at   0     8 bytes  out
  shared memory 0 bytes, dynamic from 0
  local memory 0 bytes of frame per thread
  registers 4 of 32 bits per thread, estimated
  calls no, recursion no, indirect calls no, barriers no
  11 instructions in 4 basic blocks, 0 functions

  B0: from none, to B1 B2, dominator none, post-dominator B3
        // branch.cu:3
     0  mov.u32 %r1, %tid.x;
     1  setp.lt.u32 %p, %r1, 2;
        // branch.cu:4
     2  @%p bra LOW;                                              // -> 5, reconverges at 6
  B1: from B0, to B3, dominator B0, post-dominator B3
     3  mov.u32 %r2, 20;
     4  bra JOIN;                                                 // -> 6
  B2: from B0, to B3, dominator B0, post-dominator B3
     5  mov.u32 %r2, 10;
  B3: from B1 B2, to none, dominator B0, post-dominator the end
        // branch.cu:7
     6  ld.param.u64 %rd1, [out];
     7  mul.wide.u32 %rd2, %r1, 4;
     8  add.u64 %rd3, %rd1, %rd2;
     9  st.global.u32 [%rd3], %r2;
    10  ret;

)");
}

TEST_F(Disasm, SlotsNameTheRegistersReadAndWritten) {
  write("branch.ptx", kBranch);
  EXPECT_THAT(heddle({"disasm", "branch.ptx", "--slots"}).out,
              testing::ContainsRegex("setp.lt.u32 %p, %r1, 2; +// p@[0-9]+ <- b32@[0-9]+\n"));
}

TEST_F(Disasm, MarksLoopsAndLikelyConvergence) {
  // The branch at 4 reconverges for sure only behind the loop, but most threads meet at its latch.
  write("k.ptx", kernel_with("mov.u32 %r1, 0;\nmov.u32 %r3, %tid.x;\n"
                             "HEAD:\nsetp.eq.u32 %p, %r1, %r3;\n@%p bra THREE;\n"
                             "setp.eq.u32 %p, %r1, 7;\n@%p bra OUT;\nbra LATCH;\n"
                             "THREE:\nmov.u32 %r2, 1;\n"
                             "LATCH:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 9;\n@%p bra HEAD;\n"
                             "OUT:\nret;"));
  const std::string text = heddle({"disasm", "k.ptx"}).out;
  EXPECT_THAT(text, testing::ContainsRegex("     4  @%p bra THREE; +// -> 8, reconverges at 12, likely at 9\n"));
  EXPECT_THAT(text, testing::ContainsRegex("  B1: from B0 B5, .*, loop, back from B5\n"));
}

TEST_F(Disasm, MarksBranchesThatAreProvenUniform) {
  write("u.ptx", kernel_with("setp.eq.u64 %p, %rd1, 0;\n@%p bra OUT;\nmov.u32 %r1, 1;\nOUT:\nret;"));
  EXPECT_THAT(heddle({"disasm", "u.ptx"}).out, HasSubstr("// -> 4, reconverges at 4, proven uniform\n"));
  write("d.ptx",
        kernel_with("mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p, %r1, 0;\n@%p bra OUT;\nmov.u32 %r1, 1;\nOUT:\nret;"));
  EXPECT_THAT(heddle({"disasm", "d.ptx"}).out, Not(HasSubstr("proven uniform")));
}

TEST_F(Disasm, AGuardedReturnIsShownAsTheBranchAroundItThatItBecomes) {
  write("k.ptx", kernel_with("mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p, %r1, 0;\n@%p ret;\nmov.u32 %r1, 1;\nret;"));
  EXPECT_THAT(
      heddle({"disasm", "k.ptx"}).out,
      testing::ContainsRegex("     3  \\(around\\) @%p ret; +// -> 5, reconverges at .*\n(.*\n)? +4  @%p ret;\n"));
}

TEST_F(Disasm, ShowsFunctionsCallsAndRecursionOfAWorkload) {
  const Ended ended = heddle({"disasm", "recursion"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("calls yes, recursion yes"));
  EXPECT_THAT(ended.out, testing::ContainsRegex(
                             "function quicksort: parameters 8\\+4\\+4 bytes, results 4 bytes, .* recursive\n"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("call.uni .*quicksort.* -> [0-9]+ \\(quicksort\\)\n"));
}

TEST_F(Disasm, DotIsAGraphOfTheSameFacts) {
  write("branch.ptx", kBranch);
  const Ended ended = heddle({"disasm", "branch.ptx", "--dot"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, testing::StartsWith("digraph \"branch\" {\n"));
  EXPECT_THAT(ended.out, HasSubstr("  B0 -> B1 [label=\"falls through\"];\n  B0 -> B2 [label=\"taken\"];\n"));
  EXPECT_THAT(ended.out, HasSubstr("post-dominator B3\\l"));
  EXPECT_THAT(ended.out, HasSubstr("-> 5, reconverges at 6\\l"));
  EXPECT_THAT(ended.out, testing::EndsWith("}\n"));
  EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '{'), std::count(ended.out.begin(), ended.out.end(), '}'));
}

TEST_F(Disasm, OneKernelCanBeChosen) {
  const Ended ended = heddle({"disasm", "bfs", "--kernel", "advance_frontier"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("kernel advance_frontier\n"));
  EXPECT_THAT(ended.out, Not(HasSubstr("kernel expand_frontier\n")));
}

TEST_F(Disasm, ProblemsOfOneKernelAreNamedAndTheOthersShown) {
  write("two.ptx", kernel_with("frobnicate.u32 %r1, %r2;\nret;", "bad") + ".visible .entry good()\n{\nret;\n}\n");
  const Ended ended = heddle({"disasm", "two.ptx"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, HasSubstr("kernel good\n"));
  EXPECT_THAT(ended.err, HasSubstr("two.ptx:10:1: error: "));
  EXPECT_THAT(ended.err, HasSubstr("frobnicate"));
  EXPECT_THAT(ended.err, HasSubstr("affects: bad"));
  EXPECT_EQ(heddle({"disasm", "two.ptx", "--kernel", "bad"}).code, 3);
}

TEST_F(Disasm, ShowsWhereThreadsMeetAndWhereTheyYield) {
  write("spin.ptx", R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .pred %q; .reg .b32 %r; .reg .b64 %d;
  ld.param.u64 %d, [p];
SPIN:
  ld.volatile.global.u32 %r, [%d];
  setp.eq.u32 %q, %r, 0;
  @%q bra SPIN;
  st.global.u32 [%d+4], %r;
  ret;
})");
  const std::string text = heddle({"disasm", "spin.ptx", "--barriers"}).out;
  EXPECT_THAT(text, HasSubstr("// sets a barrier at B2"));
  EXPECT_THAT(text, HasSubstr("// threads meet here\n"));
  EXPECT_THAT(text, HasSubstr("the loop at B1 waits for others"));
  EXPECT_THAT(heddle({"disasm", "spin.ptx"}).out, Not(HasSubstr("barrier at")));
}

}  // namespace
}  // namespace heddle::cli

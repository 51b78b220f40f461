#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

class Trace : public HeddleProgram {};

TEST_F(Trace, ShowsEverySlotOfAFourThreadBranch) {
  write("branch.ptx", kBranch);
  const Ended ended = heddle({"run", "branch.ptx", "--grid", "1", "--block", "4", "--set", "warp_size=4", "--arg",
                              "zeros:16", "--trace-steps", "--quiet", "--emulate"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, R"(kernel branch
  slot block warp    pc   threads by lane, instruction
|  warp 0: [pc 0 rpc - mask 0000000f]
     0     0    0     0  [0 1 2 3]  mov.u32 %r1, %tid.x;
     1     0    0     1  [0 1 2 3]  setp.lt.u32 %p, %r1, 2;
     2     0    0     2  [0 1 2 3]  @%p bra LOW;
|  warp 0: [pc 5 rpc 6 mask 00000003] [pc 3 rpc 6 mask 0000000c] [pc 6 rpc - mask 0000000f]
     3     0    0     5  [0 1 - -]  mov.u32 %r2, 10;
|  warp 0: [pc 3 rpc 6 mask 0000000c] [pc 6 rpc - mask 0000000f]
     4     0    0     3  [- - 2 3]  mov.u32 %r2, 20;
     5     0    0     4  [- - 2 3]  bra JOIN;
|  warp 0: [pc 6 rpc - mask 0000000f]
     6     0    0     6  [0 1 2 3]  ld.param.u64 %rd1, [out];
     7     0    0     7  [0 1 2 3]  mul.wide.u32 %rd2, %r1, 4;
     8     0    0     8  [0 1 2 3]  add.u64 %rd3, %rd1, %rd2;
     9     0    0     9  [0 1 2 3]  st.global.u32 [%rd3], %r2;
    10     0    0    10  [0 1 2 3]  ret;
)");
}

TEST_F(Trace, ThreadsStandInTheLaneThatTheMapGivesThem) {
  write("k.ptx", kernel_with("ret;"));
  const Ended ended = heddle({"run", "k.ptx", "--grid", "1", "--block", "12", "--set", "warp_size=4", "--lanes",
                              "flip_odd", "--arg", "zeros:4", "--trace-steps", "--quiet", "--emulate"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, testing::HasSubstr("[ 0  1  2  3]  ret;"));
  EXPECT_THAT(ended.out, testing::HasSubstr("[ 7  6  5  4]  ret;"));
  EXPECT_THAT(ended.out, testing::HasSubstr("[ 8  9 10 11]  ret;"));
}

TEST_F(Trace, ThreadsAreNumberedWithinTheirBlock) {
  write("k.ptx", kernel_with("ret;"));
  const Ended ended = heddle({"run", "k.ptx", "--grid", "2", "--block", "3", "--set", "warp_size=4", "--arg", "zeros:4",
                              "--trace-steps", "--quiet", "--emulate"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, testing::HasSubstr("     3     1    1     1  [0 1 2 -]  ret;\n"));
}

TEST_F(Trace, DoesNotChangeWhatIsCounted) {
  const auto slots = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "recursion", "--size", "tiny", "--json", "r.json", "--quiet", "--emulate"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(heddle(words).code, 0);
    return read_json("r.json")["total"]["issue_slots"].get<uint64_t>();
  };
  EXPECT_GT(slots({}), 0);
  EXPECT_EQ(slots({}), slots({"--trace-steps"}));
}

}  // namespace
}  // namespace heddle::cli

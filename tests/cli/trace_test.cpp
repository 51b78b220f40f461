#include <sstream>

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
  slot block warp    pc  line   threads by lane, instruction
|  warp 0: [pc 0 rpc - mask f]
     0     0    0     0     3  [0 1 2 3]  mov.u32 %r1, %tid.x;
     1     0    0     1     3  [0 1 2 3]  setp.lt.u32 %p, %r1, 2;
     2     0    0     2     4  [0 1 2 3]  @%p bra LOW;
|  warp 0: [pc 5 rpc 6 mask 3] [next 3 rpc 6 mask c] [next 6 rpc - mask f]
     3     0    0     5     4  [0 1 - -]  mov.u32 %r2, 10;
|  warp 0: [pc 3 rpc 6 mask c] [next 6 rpc - mask f]
     4     0    0     3     4  [- - 2 3]  mov.u32 %r2, 20;
     5     0    0     4     4  [- - 2 3]  bra JOIN;
|  warp 0: [pc 6 rpc - mask f]
     6     0    0     6     7  [0 1 2 3]  ld.param.u64 %rd1, [out];
     7     0    0     7     7  [0 1 2 3]  mul.wide.u32 %rd2, %r1, 4;
     8     0    0     8     7  [0 1 2 3]  add.u64 %rd3, %rd1, %rd2;
     9     0    0     9     7  [0 1 2 3]  st.global.u32 [%rd3], %r2;
    10     0    0    10     7  [0 1 2 3]  ret;
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
  EXPECT_THAT(ended.out, testing::HasSubstr("     3     1    1     1     -  [0 1 2 -]  ret;\n"));
}

// Lines of a trace that are slots.
unsigned slots_in(const std::string& trace) {
  unsigned count = 0;
  std::istringstream lines(trace);
  for (std::string line; std::getline(lines, line);) count += line.find("]  ") != std::string::npos && line[0] == ' ';
  return count;
}

TEST_F(Trace, OfManyCoresHasOneHeaderALaunchAndSaysWhichCoreAndCycle) {
  const Ended all = heddle(
      {"run", "bitonic", "--size", "tiny", "--preset", "tbc-hpca11", "--trace-steps", "--quiet", "--json", "r.json"});
  EXPECT_EQ(all.code, 0) << all.err;
  const auto json = read_json("r.json");
  EXPECT_EQ(slots_in(all.out), json["total"]["issue_slots"].get<unsigned>()) << "every slot, once";
  size_t headers = 0;
  for (size_t at = 0; (at = all.out.find("\nkernel ", at)) != std::string::npos; ++at) ++headers;
  EXPECT_EQ(headers + 1, json["kernels"].size()) << "one a launch";
  EXPECT_THAT(all.out, testing::HasSubstr("  slot core    cycle block warp    pc  line   threads by lane"));
}

TEST_F(Trace, IsOfWhatWasAskedFor) {
  const auto trace = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "bfs", "--size", "tiny", "--quiet", "--emulate"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = heddle(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out;
  };
  const std::string few = trace({"--trace-slots", "10:14", "--kernel", "advance_frontier"});
  EXPECT_GT(slots_in(few), 0U);
  EXPECT_EQ(slots_in(few) % 4, 0U) << "four of each launch";
  EXPECT_THAT(few, testing::Not(testing::HasSubstr("expand_frontier\n")));
  const std::string one = trace({"--trace-block", "1", "--trace-warp", "9"});
  EXPECT_GT(slots_in(one), 0U);
  EXPECT_THAT(one, testing::ContainsRegex("\n +[0-9]+ +1 +9 "));
  EXPECT_THAT(one, testing::Not(testing::ContainsRegex("\n +[0-9]+ +0 +[0-9]+ +[0-9]+ +[0-9]+ +\\[")));
  EXPECT_EQ(heddle({"run", "bfs", "--trace-slots", "7"}).code, 2);
  EXPECT_EQ(heddle({"run", "bfs", "--trace-slots", "7:7"}).code, 2);
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

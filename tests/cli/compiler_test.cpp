// --compiler: which of a workload's PTX texts is run or shown.
#include "cli/heddle_program.h"
#include "cli/kernels.h"
#include "workloads/workload.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class CompilerOption : public HeddleProgram {};

TEST_F(CompilerOption, ChoosesTheTextThatIsRun) {
  for (const std::string compiler : {"nvcc", "clang", "era"}) {
    const Ended ended = heddle(
        {"run", "bfs", "--size", "tiny", "--emulate", "--compiler", compiler, "--json", compiler + ".json", "--quiet"});
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
  const nlohmann::json nvcc = read_json("nvcc.json"), clang = read_json("clang.json"), era = read_json("era.json");
  EXPECT_EQ(nvcc["compiler"], "nvcc");
  EXPECT_EQ(clang["compiler"], "clang");
  EXPECT_EQ(era["compiler"], "era");
  EXPECT_NE(nvcc["total"]["issue_slots"], clang["total"]["issue_slots"]);
  EXPECT_NE(era["total"]["issue_slots"], clang["total"]["issue_slots"]);
}

TEST_F(CompilerOption, IsNvccIfNotGiven) {
  ASSERT_EQ(heddle({"run", "bfs", "--size", "tiny", "--emulate", "--json", "r.json", "--quiet"}).code, 0);
  EXPECT_EQ(read_json("r.json")["compiler"], "nvcc");
}

TEST_F(CompilerOption, ChoosesTheTextThatIsCompared) {
  ASSERT_EQ(heddle({"compare", "bfs", "--size", "tiny", "--emulate", "--mechanisms", "pdom", "--compiler", "clang",
                    "--json", "c.json", "--html", "c.html", "--quiet"})
                .code,
            0);
  EXPECT_EQ(read_json("c.json")["runs"][0]["compiler"], "clang");
  EXPECT_THAT(read("c.html"), HasSubstr("--compiler clang"));
}

TEST_F(CompilerOption, ChoosesTheTextThatIsShown) {
  const Ended clang = heddle({"disasm", "bfs", "--compiler", "clang"}), nvcc = heddle({"disasm", "bfs"});
  EXPECT_THAT(clang.out, HasSubstr("LBB0_"));
  EXPECT_THAT(nvcc.out, HasSubstr("$L__BB0_"));
  EXPECT_THAT(clang.out, Not(HasSubstr("$L__BB0_")));
}

TEST_F(CompilerOption, AnUnknownOneIsAnError) {
  const Ended ended = heddle({"run", "bfs", "--compiler", "gcc"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("no compiler is called 'gcc'; there are nvcc, clang and era"));
}

TEST_F(CompilerOption, DoesNotGoWithAFile) {
  write("k.ptx", kernel_with("ret;"));
  const Ended ended = heddle({"run", "k.ptx", "--compiler", "clang", "--grid", "1", "--block", "1"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("--compiler does not go with k.ptx, which is a PTX file"));
  EXPECT_EQ(heddle({"disasm", "k.ptx", "--compiler", "clang"}).err, ended.err);
}

// What is there depends on what clang can compile, so this looks only where something is missing.
TEST_F(CompilerOption, AWorkloadWithoutThatTextSaysSo) {
  for (const workloads::Workload& workload : workloads::all()) {
    if (workloads::find_ptx(workload.name, workloads::Compiler::Clang)) continue;
    const Ended ended = heddle({"run", std::string(workload.name), "--compiler", "clang"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.err, HasSubstr("has no PTX made by clang"));
  }
}

}  // namespace
}  // namespace heddle::cli

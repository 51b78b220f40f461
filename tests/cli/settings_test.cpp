// --set of what nothing reads, kernels by their names, and what is no PTX.
#include <sstream>

#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class Settings : public HeddleProgram {
 protected:
  void expect_refused(const std::vector<std::string>& words, std::string_view message) {
    const Ended ended = heddle(words);
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.err, HasSubstr(std::string(message)));
    EXPECT_EQ(ended.out, "");
  }
};

TEST_F(Settings, AProgramThatTakes32ThreadsForAWarpGetsThemUnlessToldOtherwise) {
  std::vector<std::string> words{"run", "nvrt", "--size", "tiny", "--preset", "teaching"};
  const Ended ended = heddle(words);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("warps of 32"));
  words.insert(words.end(), {"--set", "warp_size=8"});
  EXPECT_EQ(heddle(words).code, 1);
}

TEST_F(Settings, ThatNothingInTheRunReadsAreErrorsThatNameWhoWould) {
  expect_refused(
      {"run", "bfs", "--size", "tiny", "--mechanism", "capri", "--set", "lcp=true"},
      "--set lcp=true: nothing in this run reads lcp; it counts for mechanisms pdom, tbc, tbc+, tbc-ideal\n");
  expect_refused({"run", "bfs", "--size", "tiny", "--mechanism", "tbc+", "--set", "wait_at=all"},
                 "it counts for mechanisms tbc, tbc-ideal\n");
  expect_refused({"profile", "bfs", "--size", "tiny", "--emulate", "--set", "l1_latency=3"},
                 "it counts for the machine with a clock, without --emulate\n");
  expect_refused({"run", "bfs", "--size", "tiny", "--set", "fetch_group=4"}, "it counts for scheduler two-level");
  expect_refused({"compare", "bfs", "--mechanisms", "pdom,dwf", "--set", "capt_entries=4"},
                 "it counts for mechanism capri\n");
}

TEST_F(Settings, OfAComparisonOneRunThatReadsThemIsEnough) {
  const Ended ended = heddle({"compare", "histogram", "--size", "tiny", "--mechanisms", "pdom,capri", "--set",
                              "capt_entries=4", "--json", "r.json", "--emulate"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const nlohmann::json json = read_json("r.json");
  EXPECT_EQ(json["command"],
            "heddle compare histogram --mechanisms pdom,capri --size tiny --preset default --set capt_entries=4 "
            "--emulate");
  for (const nlohmann::json& run : json["runs"]) EXPECT_EQ(run["run"]["settings"]["capt_entries"], 4);
  EXPECT_FALSE(json["runs"][0]["config"].contains("capt_entries"));
  EXPECT_EQ(json["runs"][1]["config"]["capt_entries"], 4);
  EXPECT_FALSE(json["runs"][1]["config"].contains("l1_latency")) << "emulation does not read it";
}

// The command in the results asks for the same results.
TEST_F(Settings, TheCommandAgainGivesTheSameAgain) {
  ASSERT_EQ(heddle({"run", "bitonic", "--size", "tiny", "--mechanism", "tbc", "--set", "lcp=true", "--lanes",
                    "balanced", "--schedule", "gto", "--max-cycles", "99999999", "--branches", "--json", "a.json"})
                .code,
            0);
  nlohmann::json first = read_json("a.json");
  std::vector<std::string> words;
  std::istringstream command(first["command"].get<std::string>());
  for (std::string word; command >> word;) words.push_back(word);
  ASSERT_EQ(words[0], "heddle");
  words.erase(words.begin());
  words.insert(words.end(), {"--json", "b.json"});
  ASSERT_EQ(heddle(words).code, 0);
  nlohmann::json second = read_json("b.json");
  first.erase("host");
  second.erase("host");
  EXPECT_EQ(first, second);
}

TEST_F(Settings, NamesOfKernelsAreKernelsOfTheProgram) {
  expect_refused({"run", "bfs", "--size", "tiny", "--mechanism", "tbc", "--set", "uncompacted=nobody"},
                 "--set uncompacted=nobody: 'nobody' is no kernel of bfs (kernels: ");
  expect_refused({"compare", "bfs", "histogram", "--mechanisms", "tbc", "--set", "uncompacted=nobody"},
                 "'nobody' is no kernel of these workloads");
  expect_refused({"run", "bfs", "--size", "tiny", "--set", "blocks_per_core=4,nobody:2"},
                 "--set blocks_per_core=4,nobody:2: 'nobody' is no kernel of bfs (kernels: ");
}

TEST_F(Settings, BlocksPerCoreAreKeptInTheResults) {
  const Ended ended = heddle(
      {"run", "bfs", "--size", "tiny", "--set", "blocks_per_core=expand_frontier:1", "--json", "r.json", "--quiet"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const nlohmann::json json = read_json("r.json");
  EXPECT_THAT(json["command"].get<std::string>(), HasSubstr(" --set blocks_per_core=expand_frontier:1"));
  EXPECT_EQ(json["run"]["settings"]["blocks_per_core"], "expand_frontier:1");
  EXPECT_EQ(json["config"]["blocks_per_core"], "expand_frontier:1");
  for (const auto& kernel : json["kernels"])  // the other's is computed: as many blocks of 256 threads as fit
    EXPECT_EQ(kernel["blocks_per_core"] == 1, kernel["kernel"] == "expand_frontier") << kernel["kernel"];
  EXPECT_EQ(heddle({"run", "bfs", "--size", "tiny", "--set", "blocks_per_core=1024"}).code, 4);
}

class KernelsByName : public HeddleProgram {
 protected:
  std::vector<std::string> run(std::string_view kernel) {
    const auto behind = [](const std::string& text) { return text.substr(text.find(".visible")); };
    write("k.ptx", kernel_with("ret;", "_Z4slowPfi") + behind(kernel_with("ret;", "_Z4slowPd")) +
                       behind(kernel_with("ret;", "_Z4fastPi")));
    return {"run", "k.ptx", "--kernel", std::string(kernel), "--grid", "1", "--block", "1", "--arg", "zeros:4"};
  }
};

TEST_F(KernelsByName, AreFoundAsPeopleSayThem) {
  EXPECT_EQ(heddle(run("fast")).code, 0);
  EXPECT_THAT(heddle(run("fast")).out, testing::ContainsRegex("\nfast +1 +1 +1 "));
  const Ended several = heddle(run("slow"));
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.err, HasSubstr("'slow' may be any of 2 kernels of k.ptx; choose one: slow(float*, int) "
                                     "(_Z4slowPfi), slow(double*) (_Z4slowPd)"));
  EXPECT_EQ(heddle(run("slow(double*)")).code, 0);
  EXPECT_EQ(heddle(run("slwo")).code, 3);
}

TEST_F(KernelsByName, AreReadableInErrors) {
  std::vector<std::string> words = run("slow(double*)");
  words.resize(words.size() - 2);  // no argument
  EXPECT_THAT(heddle(words).err, HasSubstr("kernel slow takes 1 arguments, 0 given"));
}

TEST_F(KernelsByName, OfAWorkloadChooseWhatIsShown) {
  ASSERT_EQ(heddle({"run", "bfs", "--size", "tiny", "--emulate", "--json", "all.json"}).code, 0);
  const nlohmann::json all = read_json("all.json");
  const std::string kernel = all["kernels"][0]["kernel"];
  ASSERT_EQ(heddle({"run", "bfs", "--size", "tiny", "--emulate", "--kernel", kernel, "--json", "one.json"}).code, 0);
  const nlohmann::json one = read_json("one.json");
  uint64_t slots = 0;
  size_t launches = 0;
  for (const nlohmann::json& launch : all["kernels"])
    if (launch["kernel"] == kernel) {
      slots += launch["issue_slots"].get<uint64_t>();
      ++launches;
    }
  EXPECT_LT(launches, all["kernels"].size());
  EXPECT_EQ(one["kernels"].size(), launches);
  EXPECT_EQ(one["total"]["issue_slots"], slots);
  EXPECT_EQ(one["check"]["passed"], true);
  EXPECT_EQ(heddle({"run", "bfs", "--size", "tiny", "--emulate", "--kernel", "nobody"}).code, 3);
}

TEST_F(Settings, WhatIsNoPtxHasItsOwnAdvice) {
  write("app.cu", "int main() {}\n");
  write("script", "#!/bin/sh\n");
  expect_refused({"run", "nofile.ptx"}, "cannot read 'nofile.ptx': No such file or directory");
  expect_refused({"run", "app.cu"}, "'app.cu' is CUDA source: compile it (heddle cc app.cu -o app)");
  expect_refused({"run", "./script"}, "'./script' is a program: heddle exec -- ./script runs it");
  expect_refused({"run", program()}, "is a program: heddle exec -- ");
  expect_refused({"disasm", "."}, "'.' is a folder, no PTX file");
}

TEST_F(Settings, TheFolderForPtxIsMade) {
  EXPECT_EQ(heddle({"exec", "--quiet", "--keep-ptx", "new/folder", "--", "/bin/true"}).code, 0);
  EXPECT_TRUE(std::filesystem::is_directory(path("new/folder")));
  write("file", "");
  expect_refused({"exec", "--keep-ptx", "file", "--", "/bin/true"}, "cannot write PTX into 'file'");
}

TEST_F(KernelsByName, WithoutSourceLinesTablesSayHowToGetThem) {
  write("b.ptx", kernel_with("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p, %r1, 2;\n@%p bra A;\nst.global.u32 [%rd1], "
                             "%r1;\nA:\nret;"));
  const Ended ended = heddle({"run", "b.ptx", "--grid", "1", "--block", "4", "--arg", "zeros:4", "--branches"});
  EXPECT_THAT(ended.out, HasSubstr("nvcc -lineinfo puts them in"));
  write("branch.ptx", kBranch);
  EXPECT_THAT(heddle({"run", "branch.ptx", "--grid", "1", "--block", "4", "--arg", "zeros:16", "--branches"}).out,
              testing::Not(HasSubstr("-lineinfo")));
}

TEST_F(Settings, AReportNamesTheFilesItCannotRead) {
  ASSERT_EQ(heddle({"run", "histogram", "--size", "tiny", "--emulate", "--json", "r.json"}).code, 0);
  std::filesystem::create_directory(path("all"));
  std::filesystem::rename(path("r.json"), path("all/r.json"));
  write("all/empty.json", "");
  const Ended ended = heddle({"report", "all"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "heddle: warning: left out: empty.json: not JSON\n");
}

}  // namespace
}  // namespace heddle::cli

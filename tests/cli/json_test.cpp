#include <fmt/format.h>

#include <fstream>
#include <numeric>
#include <set>

#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

class Json : public HeddleProgram {
 protected:
  json branch_run(const std::vector<std::string>& more = {}) {
    write("branch.ptx", kBranch);
    std::vector<std::string> words{"run",      "branch.ptx", "--grid",      "1",      "--block", "4",        "--arg",
                                   "zeros:16", "--set",      "warp_size=4", "--json", "r.json",  "--emulate"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = heddle(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return json::parse(read("r.json"));
  }
};

void collect_names(const json& value, std::set<std::string>& names) {
  if (value.is_object())
    for (const auto& [name, child] : value.items()) {
      names.insert(name);
      if (name != "config") collect_names(child, names);
    }
  if (value.is_array())
    for (const json& child : value) collect_names(child, names);
}

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Json, CountsOfAFourThreadBranchAreExact) {
  const json run = branch_run();
  const json& kernel = run["kernels"][0];
  EXPECT_EQ(run["schema"], "heddle-run-1");
  EXPECT_EQ(run["mechanism"], "pdom");
  EXPECT_TRUE(run["schedule"].is_null());
  EXPECT_EQ(run["fidelity"], "emulation");
  EXPECT_TRUE(run["check"].is_null());
  EXPECT_TRUE(run["error"].is_null());
  EXPECT_EQ(kernel["kernel"], "branch");
  EXPECT_THAT(kernel["grid"], ElementsAre(1, 1, 1));
  EXPECT_THAT(kernel["block"], ElementsAre(4, 1, 1));
  EXPECT_EQ(kernel["thread_instructions"], 8 * 4 + 3 * 2);
  EXPECT_EQ(kernel["issue_slots"], 11);
  EXPECT_EQ(kernel["phantom_slots"], 0);
  EXPECT_THAT(kernel["active_threads"], ElementsAre(0, 3, 0, 8));
  EXPECT_DOUBLE_EQ(kernel["simd_efficiency"], 38.0 / 44.0);
  EXPECT_EQ(kernel["branches"], 2);
  EXPECT_EQ(kernel["divergent_branches"], 1);
  EXPECT_DOUBLE_EQ(kernel["branch_efficiency"], 0.5);
}

TEST_F(Json, BranchRecordsNameTheirPlace) {
  const json records = branch_run()["kernels"][0]["branch_records"];
  ASSERT_EQ(records.size(), 2);
  EXPECT_EQ(records[0], json({{"pc", 2},
                              {"place", "branch.ptx:13"},
                              {"source", "branch.cu:4"},
                              {"instruction", "@%p bra LOW;"},
                              {"executed", 1},
                              {"diverged", 1}}));
  EXPECT_EQ(records[1]["pc"], 4);
  EXPECT_EQ(records[1]["diverged"], 0);
}

TEST_F(Json, TheConfigurationHasEveryKeyThatTheRunReadsWithItsValue) {
  const json config = branch_run({"--max-slots", "77777"})["config"];
  std::set<std::string> keys;
  for (const auto& [key, value] : config.items()) keys.insert(key);
  EXPECT_EQ(keys, (std::set<std::string>{"cores", "warp_size", "core_threads", "core_blocks", "core_registers",
                                         "register_rounding", "occupancy_limit", "blocks_per_core", "core_shared",
                                         "shared_unit", "shared_reserved", "sub_cores", "max_slots", "spin_limit",
                                         "interleave", "resident_blocks", "lcp"}));
  EXPECT_EQ(config["warp_size"], 4);
  EXPECT_EQ(config["max_slots"], 77777);
}

TEST_F(Json, TheTotalIsTheSumOfTheLaunches) {
  ASSERT_EQ(heddle({"run", "bfs", "--size", "tiny", "--emulate", "--json", "r.json", "--quiet"}).code, 0);
  const json run = json::parse(read("r.json"));
  ASSERT_GT(run["kernels"].size(), 2);
  EXPECT_EQ(run["total"]["launches"], run["kernels"].size());
  for (const char* name :
       {"blocks", "threads", "thread_instructions", "issue_slots", "branches", "divergent_branches"}) {
    uint64_t sum = 0;
    for (const json& kernel : run["kernels"]) sum += kernel[name].get<uint64_t>();
    EXPECT_EQ(run["total"][name], sum) << name;
  }
  uint64_t executed = 0;
  for (const json& record : run["total"]["branch_records"]) executed += record["executed"].get<uint64_t>();
  EXPECT_EQ(executed, run["total"]["branches"]);
  EXPECT_EQ(run["check"]["passed"], true);
}

TEST_F(Json, TheHistogramAddsUpToTheIssueSlots) {
  ASSERT_EQ(heddle({"run", "mandelbrot", "--size", "tiny", "--emulate", "--json", "r.json", "--quiet"}).code, 0);
  const json total = json::parse(read("r.json"))["total"];
  const auto slots = total["active_threads"].get<std::vector<uint64_t>>();
  EXPECT_EQ(slots.size(), 32);
  EXPECT_EQ(std::accumulate(slots.begin(), slots.end(), uint64_t{0}), total["issue_slots"]);
}

TEST_F(Json, TheSameRunGivesTheSameBytesExceptForTheHost) {
  const auto once = [&] {
    EXPECT_EQ(heddle({"run", "bfs", "--size", "tiny", "--emulate", "--json", "r.json", "--quiet"}).code, 0);
    const std::string text = read("r.json");
    EXPECT_THAT(text, HasSubstr("\"host\""));
    return text.substr(0, text.find("\"host\""));
  };
  const std::string first = once();
  EXPECT_GT(first.size(), 1000);
  EXPECT_EQ(first, once());
}

TEST_F(Json, StandardOutputCarriesNothingElse) {
  write("hello.ptx", R"(.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.visible .entry hello()
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  mov.u64 %rd1, text;
  cvta.global.u64 %rd2, %rd1;
  {
  .param .b64 p0;
  st.param.b64 [p0], %rd2;
  .param .b64 p1;
  st.param.b64 [p1], 0;
  .param .b32 r0;
  call (r0), vprintf, (p0, p1);
  ld.param.b32 %r1, [r0];
  }
  ret;
})");
  const Ended ended = heddle({"run", "hello.ptx", "--grid", "1", "--block", "1", "--json", "-"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(json::parse(ended.out)["schema"], "heddle-run-1");
  EXPECT_EQ(ended.err, "hi\n");
  EXPECT_THAT(heddle({"run", "hello.ptx", "--grid", "1", "--block", "1"}).out, HasSubstr("hi\n"));
}

TEST_F(Json, AFaultLeavesWhatWasMeasuredAndTheError) {
  write("branch.ptx", kBranch);
  const Ended ended =
      heddle({"run", "branch.ptx", "--grid", "1", "--block", "4", "--arg", "zeros:12", "--json", "r.json"});
  EXPECT_EQ(ended.code, 5);
  const json run = json::parse(read("r.json"));
  EXPECT_THAT(run["error"].get<std::string>(), HasSubstr("out-of-bounds store"));
  EXPECT_EQ(run["exit_code"], 5);
  EXPECT_GT(run["kernels"][0]["issue_slots"], 0);
  EXPECT_THAT(ended.out, HasSubstr("branch"));
}

TEST_F(Json, AFileThatCannotBeWrittenIsAnErrorBeforeTheRun) {
  const Ended ended = heddle({"run", "bfs", "--json", "nowhere/r.json"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err, "heddle: error: cannot write 'nowhere/r.json': No such file or directory\n");
}

TEST_F(Json, ALongerOldFileIsReplacedAsAWhole) {
  write("r.json", std::string(100000, 'x'));
  EXPECT_EQ(branch_run()["schema"], "heddle-run-1");
}

TEST_F(Json, EveryFieldIsDocumented) {
  const std::string documentation = file_text(std::string(HEDDLE_SOURCE) + "/docs/json.md");
  std::set<std::string> names;
  for (const char* fidelity : {"--emulate", "--sample=1000"}) {
    ASSERT_EQ(heddle({"run", "bfs", "--size", "tiny", fidelity, "--json", "r.json", "--quiet"}).code, 0);
    collect_names(json::parse(read("r.json")), names);
  }
  ASSERT_EQ(heddle({"compare", "bitonic", "--size", "tiny", "--mechanisms", "tbc", "--emulate", "--taint", "--json",
                    "t.json", "--quiet"})
                .code,
            0);
  collect_names(json::parse(read("t.json")), names);
  for (const char* fidelity : {"--emulate", "--set=cores=2"}) {
    const std::vector<std::string> words{"compare", "bfs",    "--size", "tiny",   "--mechanisms",
                                         "pdom",    fidelity, "--json", "c.json", "--quiet"};
    ASSERT_EQ(heddle(words).code, 0);
    collect_names(json::parse(read("c.json")), names);
  }
  EXPECT_GT(names.size(), 110);
  for (const std::string& name : names)
    EXPECT_NE(documentation.find(fmt::format("`{}`", name)), std::string::npos) << name;
}

}  // namespace
}  // namespace heddle::cli

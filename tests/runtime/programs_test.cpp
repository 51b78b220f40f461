// Our CUDA programs, as clang and, where it is, nvcc have built them: each checks itself against what CUDA promises.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "cli/heddle_program.h"

namespace heddle::runtime {
namespace {

namespace fs = std::filesystem;

const fs::path kSources = fs::path(HEDDLE_SOURCE) / "tests/runtime/programs";
const fs::path kPrograms = HEDDLE_CUDA_PROGRAMS;

std::set<std::string> source_names() {
  std::set<std::string> names;
  for (const fs::directory_entry& file : fs::directory_iterator(kSources))
    if (file.path().extension() == ".cu" && file.path().stem().extension().empty())
      names.insert(file.path().stem().string());
  return names;
}

std::set<std::string> built_by(const std::string& compiler) {
  std::set<std::string> names;
  for (const fs::directory_entry& file : fs::directory_iterator(kPrograms / compiler))
    if (source_names().contains(file.path().filename().string())) names.insert(file.path().filename().string());
  return names;
}

// "clang/atomics", …
std::vector<std::string> all_programs() {
  std::vector<std::string> programs;
  for (const char* compiler : {"clang", "nvcc"})
    for (const std::string& name : built_by(compiler)) programs.push_back(fmt::format("{}/{}", compiler, name));
  return programs;
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (const char each : {'/', '-'}) std::replace(name.begin(), name.end(), each, '_');
  return name;
}

class CudaProgram : public cli::HeddleProgram, public testing::WithParamInterface<std::string> {
 protected:
  cli::Ended exec(std::vector<std::string> options, const std::string& program) {
    options.insert(options.begin(), "exec");
    options.insert(options.end(), {"--", (kPrograms / program).string()});
    return heddle(options);
  }
  void expect_passed(const std::vector<std::string>& options, const std::string& program) {
    const cli::Ended ended = exec(options, program);
    EXPECT_EQ(ended.code, program.ends_with("exit_early") ? 42 : 0) << ended.err;
    EXPECT_EQ(last_line(ended.out), "passed") << ended.out << ended.err;
  }
};

TEST(CudaPrograms, AreAllBuilt) {
  EXPECT_GE(source_names().size(), 25u);
  EXPECT_EQ(built_by("clang"), source_names());
  if (!built_by("nvcc").empty()) {
    EXPECT_EQ(built_by("nvcc"), source_names());
  }
}

TEST_P(CudaProgram, PassesInEmulation) {
  expect_passed({"--emulate", "--quiet", "--json", path("run.json")}, GetParam());
  const nlohmann::json run = read_json("run.json");
  EXPECT_EQ(run.at("schema"), "heddle-run-1");
  EXPECT_EQ(run.at("fidelity"), "emulation");
  uint64_t instructions = 0;
  for (const nlohmann::json& launch : run.at("kernels"))
    instructions += launch.at("thread_instructions").get<uint64_t>();
  EXPECT_EQ(run.at("total").at("thread_instructions"), instructions);
}

TEST_F(CudaProgram, PassesWithDeviceCodeThatIsLinkedWhenItIsLoaded) {
  if (!fs::exists(kPrograms / "nvcc-rdc/several_units")) GTEST_SKIP() << "there is no nvcc";
  expect_passed({"--emulate", "--quiet"}, "nvcc-rdc/several_units");
}

TEST_F(CudaProgram, PassesWithLibrariesOfTheToolkit) {
  if (!fs::exists(kPrograms / "clang-libraries/toolkit")) GTEST_SKIP() << "there is no toolkit";
  expect_passed({"--emulate", "--quiet"}, "clang-libraries/toolkit");
}

// Its own functions would all refuse: by the stand-in's doing, or because there is no driver of NVIDIA's.
class RuntimeInside : public CudaProgram {};
TEST_P(RuntimeInside, IsReplaced) { expect_passed({"--emulate", "--quiet"}, GetParam()); }
TEST_F(RuntimeInside, IsReplacedInAProgramThatAScriptStarts) {
  std::ofstream(path("script")) << "#!/bin/sh\nexec " << (kPrograms / "clang-inside/vector_add").string() << '\n';
  fs::permissions(path("script"), fs::perms::owner_all);
  const cli::Ended ended = heddle({"exec", "--emulate", "--quiet", "--", path("script")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(last_line(ended.out), "passed") << ended.out << ended.err;
}
std::vector<std::string> programs_with_runtime_inside() {
  std::vector<std::string> programs;
  for (const char* compiler : {"clang-inside", "nvcc-inside"})
    for (const std::string& name : built_by(compiler)) programs.push_back(fmt::format("{}/{}", compiler, name));
  return programs;
}
INSTANTIATE_TEST_SUITE_P(Some, RuntimeInside, testing::ValuesIn(programs_with_runtime_inside()), test_name);

INSTANTIATE_TEST_SUITE_P(All, CudaProgram, testing::ValuesIn(all_programs()), test_name);

class CycleLevel : public CudaProgram {};
TEST_P(CycleLevel, Passes) {
  expect_passed({"--quiet", "--json", path("run.json")}, GetParam());
  const nlohmann::json total = read_json("run.json").at("total");
  EXPECT_GT(total.at("cycles").get<uint64_t>(), 0u);
}
INSTANTIATE_TEST_SUITE_P(Some, CycleLevel,
                         testing::Values("clang/vector_add", "clang/cooperative", "clang/events", "clang/streams",
                                         "clang/matrix_multiply", "clang/device_properties", "clang/occupancy"),
                         test_name);

// Every program, with launches of several streams in flight.
class SeveralInFlight : public CudaProgram {};
TEST_P(SeveralInFlight, Passes) {
  expect_passed({"--quiet", "--set", "cores=8", "--set", "launches=16", "--set", "max_cycles=0"}, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Streams, SeveralInFlight,
                         testing::Values("clang/driver_streams", "clang/driver_memory", "clang/streams",
                                         "clang/stream_order", "clang/graphs", "clang/graph_nodes", "clang/events",
                                         "clang/host_threads", "clang/callbacks", "clang/memset", "clang/copy_3d",
                                         "clang/memcpy_kinds", "clang/mapped_host", "clang/endings",
                                         "clang/cooperative", "clang/kernel_printf", "clang/illegal_address",
                                         "clang/malloc_async"),
                         test_name);

// Every program, under mechanisms that group threads in other ways.
class UnderMechanism : public CudaProgram {};
TEST_P(UnderMechanism, ProgramsPass) {
  for (const char* program : {"clang/atomics", "clang/cooperative", "clang/divergent", "clang/templates",
                              "clang/warp_functions", "clang/local_memory", "clang/dynamic_shared"}) {
    SCOPED_TRACE(program);
    expect_passed({"--emulate", "--quiet", "--mechanism", GetParam()}, program);
  }
}
INSTANTIATE_TEST_SUITE_P(Five, UnderMechanism, testing::Values("pdom", "tbc", "dwf", "lwm", "stackless"), test_name);

}  // namespace
}  // namespace heddle::runtime

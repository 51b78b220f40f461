// What `heddle exec` hands back besides the program's own results: output, exit codes, rows of launches, messages.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/heddle_program.h"

namespace heddle::runtime {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Exec : public cli::HeddleProgram {
 protected:
  cli::Ended exec(std::vector<std::string> options, const std::string& program,
                  const std::vector<std::string>& arguments = {}) {
    options.insert(options.begin(), "exec");
    options.insert(options.end(), {"--", std::string(HEDDLE_CUDA_PROGRAMS) + "/clang/" + program});
    options.insert(options.end(), arguments.begin(), arguments.end());
    return heddle(options);
  }
  json measured(const std::vector<std::string>& options, const std::string& program,
                const std::vector<std::string>& arguments = {}) {
    std::vector<std::string> all = {"--quiet", "--json", path("run.json")};
    all.insert(all.end(), options.begin(), options.end());
    exec(all, program, arguments);
    return read_json("run.json");
  }
};

// What a GPU printed.
TEST_F(Exec, KernelsPrintAndTexturesAreFilteredAsOnAGpu) {
  for (const std::string program : {"kernel_printf", "recorded_textures"}) {
    std::ifstream file(std::string(HEDDLE_SOURCE) + "/tests/runtime/programs/" + program + ".expected");
    const std::string expected(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(exec({"--emulate", "--quiet"}, program).out, expected);
  }
}

TEST_F(Exec, TheExitCodeIsTheProgramsOwnAndItsLaunchesAreKept) {
  const cli::Ended ended = exec({"--emulate", "--quiet", "--json", path("run.json")}, "exit_early");
  EXPECT_EQ(ended.code, 42);
  const json kernels = read_json("run.json").at("kernels");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].at("threads"), 256);
}

TEST_F(Exec, ArgumentsReachTheProgram) {
  const json run = measured({"--emulate"}, "divergent", {"300"});
  ASSERT_EQ(run.at("kernels").size(), 3u);
  for (const json& launch : run.at("kernels")) EXPECT_EQ(launch.at("grid"), json({2, 1, 1}));
}

// A sweep of a program: each point is what `heddle exec` measures, and is measured once.
TEST_F(Exec, ASweepOfAProgramHasARowPerPoint) {
  const std::string program = std::string(HEDDLE_CUDA_PROGRAMS) + "/clang/divergent";
  const std::vector<std::string> command{
      "sweep", "--exec",          "--mechanisms", "pdom,tbc", "--vary", "warp_size=16,32", "--preset", "teaching",
      "--csv", path("sweep.csv"), "--",           program,    "300"};
  const cli::Ended ended = heddle(command);
  ASSERT_EQ(ended.code, 0) << ended.err;
  for (const char* mechanism : {"pdom", "tbc"})
    for (const char* warp : {"16", "32"}) {
      const json run =
          measured({"--preset", "teaching", "--mechanism", mechanism, "--set", std::string("warp_size=") + warp},
                   "divergent", {"300"});
      EXPECT_THAT(read("sweep.csv"), HasSubstr(std::string(",") + mechanism + "," + warp + "," +
                                               run.at("total").at("cycles").dump() + ","));
    }
  std::vector<std::string> list = command;
  list.insert(list.begin() + 1, "--list");
  EXPECT_THAT(heddle(list).out, HasSubstr("4 points of 1 program: 4 runs, 4 of them measured"));
  list.back() = "301";  // other arguments, another run
  EXPECT_THAT(heddle(list).out, HasSubstr("4 runs, 0 of them measured"));
}

TEST_F(Exec, AProgramThatFailsIsNoRightRunOfASweepAndStopsNoOther) {
  const std::string folder = std::string(HEDDLE_CUDA_PROGRAMS) + "/clang/";
  const cli::Ended ended = heddle({"sweep", "--exec", "--emulate", "--mechanisms", "pdom,tbc", "--csv",
                                   path("sweep.csv"), "--", folder + "exit_early"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("the program ended with 42"));
  EXPECT_THAT(read("sweep.csv"), testing::ContainsRegex("pdom,.*FAILED\n.*tbc,.*FAILED\n"));
  EXPECT_EQ(heddle({"sweep", "--exec", "--mechanisms", "pdom,tbc"}).code, 2);
  EXPECT_EQ(heddle({"sweep", "--exec", "--vary", "size=tiny,small", "--", folder + "exit_early"}).code, 2);
  EXPECT_EQ(heddle({"sweep", "--exec", "--mechanisms", "pdom,tbc", "--", "./no-such-program"}).code, 2);
}

TEST_F(Exec, ACrashIsAResultOfASweepAndSoIsNoLaunch) {
  const auto sweep = [&](std::vector<std::string> program) {
    program.insert(program.begin(),
                   {"sweep", "--exec", "--emulate", "--mechanisms", "pdom", "--csv", path("s.csv"), "--"});
    const cli::Ended ended = heddle(program);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_THAT(read("s.csv"), HasSubstr(",FAILED\n"));
    return ended.out;
  };
  EXPECT_THAT(sweep({std::string(HEDDLE_CUDA_PROGRAMS) + "/clang/endings", "abort"}),
              HasSubstr("was ended by signal 6"));
  EXPECT_THAT(sweep({"/bin/true"}), HasSubstr("it launched no kernel"));
}

// All read the same: nothing.
TEST_F(Exec, ProgramsOfASweepDoNotShareAnInput) {
  const std::string program = std::string(HEDDLE_CUDA_PROGRAMS) + "/clang/endings";
  const std::string command = fmt::format(
      "echo 5 | {} sweep --exec --emulate --quiet --mechanisms pdom,its --results {} --json {} -- {} 'as many as read'",
      cli::program(), path("results"), path("s.json"), program);
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT: a pipe
  for (const json& run : read_json("s.json").at("runs")) EXPECT_EQ(run.at("total").at("launches"), 1) << run;
}

// What this machine cannot do says nothing of the program: it is not kept, and made when it can be.
TEST_F(Exec, WhatThisMachineLacksIsNoResultOfASweep) {
  const std::vector<std::string> sweep{"sweep",        "--exec", "--emulate",
                                       "--mechanisms", "pdom",   "--csv",
                                       path("s.csv"),  "--",     std::string(HEDDLE_CUDA_PROGRAMS) + "/clang/endings"};
  const std::string folder = path(std::string(120, 'x'));
  std::filesystem::create_directory(folder);
  const char* const before = getenv("TMPDIR");
  const std::string kept = before ? before : "/tmp";
  setenv("TMPDIR", folder.c_str(), 1);
  const cli::Ended lacking = heddle(sweep);
  setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_EQ(lacking.code, 71) << lacking.err;
  EXPECT_THAT(lacking.err, HasSubstr("1 runs are missing"));
  EXPECT_THAT(read("s.csv"), HasSubstr("not measured"));
  const cli::Ended ended = heddle(sweep);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(read("s.csv"), HasSubstr("passed"));
}

TEST_F(Exec, ATimelineHasEveryLaunchOneAfterTheOther) {
  const json run = measured({"--preset", "teaching", "--timeline", path("t.json")}, "several_units");
  const json timeline = read_json("t.json");
  uint64_t launches = 0, ended = 0;
  for (const json& event : timeline.at("traceEvents")) {
    if (event.value("ph", "") != "X" || event.value("pid", 0) != 1) continue;
    EXPECT_EQ(event.at("ts"), ended);
    EXPECT_EQ(event.at("dur"), run.at("kernels")[launches].at("cycles"));
    ended += event.at("dur").get<uint64_t>();
    ++launches;
  }
  EXPECT_EQ(launches, 6U);
}

TEST_F(Exec, EachLaunchIsARowInOrder) {
  const json run = measured({"--emulate"}, "several_units");
  std::vector<std::string> names;
  for (const json& launch : run.at("kernels")) {
    names.push_back(launch.at("kernel").get<std::string>());
    EXPECT_EQ(launch.at("block"), json({128, 1, 1}));
  }
  ASSERT_EQ(names.size(), 6u);
  EXPECT_THAT(names[0], HasSubstr("add"));
  EXPECT_THAT(names[1], HasSubstr("multiply"));
  EXPECT_EQ(names[1], names[2]);  // the same template in both translation units
  EXPECT_NE(names[2], names[3]);
  EXPECT_THAT(names[4], HasSubstr("add"));
  EXPECT_EQ(run.at("total").at("launches"), 6);
}

TEST_F(Exec, MechanismsChangeTheSlotsAndNotTheWork) {
  const json pdom = measured({"--emulate", "--mechanism", "pdom"}, "divergent").at("total");
  const json tbc = measured({"--emulate", "--mechanism", "tbc"}, "divergent").at("total");
  EXPECT_EQ(pdom.at("thread_instructions"), tbc.at("thread_instructions"));
  EXPECT_LT(tbc.at("issue_slots").get<uint64_t>(), pdom.at("issue_slots").get<uint64_t>());
  EXPECT_LT(pdom.at("simd_efficiency").get<double>(), 0.6);
}

TEST_F(Exec, TheSameRunGivesTheSameRow) {
  json first = measured({"--emulate"}, "host_threads"), second = measured({"--emulate"}, "host_threads");
  EXPECT_EQ(first.at("total").at("thread_instructions"), second.at("total").at("thread_instructions"));
  first = measured({}, "divergent");
  second = measured({}, "divergent");
  EXPECT_EQ(first.at("kernels"), second.at("kernels"));
}

TEST_F(Exec, AFaultIsExplainedAndWritten) {
  const cli::Ended ended = exec({"--emulate", "--quiet", "--json", path("run.json")}, "illegal_address");
  EXPECT_EQ(ended.code, 0) << ended.err;  // the program expects it
  EXPECT_THAT(ended.err, HasSubstr("heddle: error:"));
  EXPECT_THAT(ended.err, HasSubstr("0x1000"));
  EXPECT_THAT(ended.err, HasSubstr("write"));
  EXPECT_FALSE(read_json("run.json").at("error").is_null());
  EXPECT_EQ(read_json("run.json").at("kernels").size(), 2u);
}

TEST_F(Exec, AStrayLoadPassesWithAWarningOrIsAFault) {
  const cli::Ended lenient = exec({"--emulate"}, "stray_loads");
  EXPECT_EQ(lenient.code, 0) << lenient.err;
  EXPECT_THAT(lenient.err, HasSubstr("out-of-bounds load of 4 bytes"));
  EXPECT_NE(exec({"--emulate", "--strict"}, "stray_loads").code, 0);
}

TEST_F(Exec, AFailedAssertionIsExplained) {
  const cli::Ended ended = exec({"--emulate", "--quiet"}, "device_assert");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("data[threadIdx.x] >= 0"));
  EXPECT_THAT(ended.err, HasSubstr("device_assert.cu"));
}

TEST_F(Exec, WhatIsNotSupportedIsSaidOnceByName) {
  const cli::Ended ended = exec({"--emulate"}, "refusals");
  EXPECT_EQ(ended.code, 0) << ended.err;
  const size_t first = ended.err.find("cudaGraphDebugDotPrint");
  ASSERT_NE(first, std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("cudaGraphDebugDotPrint", first + 1), std::string::npos) << ended.err;
}

// What the driver of a real one says.
TEST_F(Exec, AnH200IsWhatItsDriverSaysOfIt) {
  EXPECT_EQ(exec({"--emulate", "--quiet", "--preset", "h200"}, "device_report").out,
            "name NVIDIA H200\ncapability 9.0\nmemory 150109880320\nmultiprocessors 132\n"
            "threads 2048 blocks 32 registers 65536\nshared 49152 opt-in 232448 of 233472 reserved 1024\n"
            "clock 1980000 memory clock 3201000\nbus 6016 L2 62914560\npassed\n");
}

TEST_F(Exec, ADeviceIsCalledByItsCoresUnlessItHasAName) {
  EXPECT_THAT(exec({"--emulate", "--quiet", "--set", "cores=3"}, "device_report").out,
              HasSubstr("name Heddle (3 cores)\ncapability 7.5\nmemory 17179869184\n"));
  EXPECT_THAT(
      exec({"--emulate", "--quiet", "--set", "card_name=My card", "--set", "card_bus_bits=96"}, "device_report").out,
      testing::AllOf(HasSubstr("name My card\n"), HasSubstr("\nbus 96 ")));
}

TEST_F(Exec, EventsGiveTheTimeOfKernelsAndTheSummaryWhatTheyMadeOfIt) {
  const cli::Ended ended = exec(
      {"--json", path("run.json"), "--set", "cores=4", "--set", "core_clock=500", "--set", "dram_bytes_per_cycle=4"},
      "timed_kernels");
  const json run = read_json("run.json");
  std::istringstream printed(ended.out);
  for (const json& launch : run.at("kernels")) {
    double microseconds = 0;
    printed >> microseconds;
    EXPECT_NEAR(microseconds, launch.at("cycles").get<double>() / 500, 0.01) << "a record takes a cycle";
  }
  const json& summary = run.at("summary");
  ASSERT_EQ(summary.size(), 2U);
  const json& reads = summary[summary[0].at("name") == "add_up" ? 0 : 1];
  const json& computes = summary[summary[0].at("name") == "add_up" ? 1 : 0];
  EXPECT_EQ(reads.at("limited_by"), "memory bandwidth");
  EXPECT_NEAR(reads.at("dram_bytes_per_second").get<double>() * reads.at("seconds").get<double>(), 4 << 20, 1 << 17);
  EXPECT_GT(reads.at("dram_share"), 0.6);
  EXPECT_EQ(computes.at("limited_by"), "issue");
  EXPECT_GT(computes.at("issue_share"), 0.5);
  EXPECT_LT(computes.at("dram_share"), 0.1);
  EXPECT_THAT(ended.err, HasSubstr("what the kernels made of the machine in"));
}

// In one stream, in four, in four with the default stream between, in four that wait for each other.
TEST_F(Exec, LaunchesOfSeveralStreamsAreInFlightAtOnceWhereTheMachineHasThat) {
  const auto times = [&](const std::string& launches, const std::string& cores) {
    const cli::Ended ended =
        exec({"--quiet", "--json", path("run.json"), "--set", "cores=" + cores, "--set", "launches=" + launches},
             "side_by_side");
    EXPECT_THAT(ended.out, HasSubstr("passed")) << ended.err;
    std::istringstream printed(ended.out);
    std::array<double, 4> microseconds{};
    for (double& each : microseconds) printed >> each;
    return microseconds;
  };
  const auto alone = times("1", "32"), four = times("4", "32"), three = times("3", "32"), half = times("4", "16");
  const json kernels = [&] {
    times("4", "32");
    return read_json("run.json").at("kernels");
  }();
  EXPECT_NEAR(alone[1] / alone[0], 1, 0.01);
  EXPECT_NEAR(four[0] / alone[0], 1, 0.01) << "one stream is one after another";
  EXPECT_NEAR(four[1] / four[0], 0.25, 0.02);
  EXPECT_NEAR(three[1] / three[0], 0.5, 0.02) << "the fourth waits for a place";
  EXPECT_NEAR(half[1] / half[0], 0.5, 0.02) << "two of them have all the cores there are";
  EXPECT_NEAR(four[2] / four[0], 1, 0.01) << "the default stream waits, and is waited for";
  EXPECT_NEAR(four[3] / four[0], 1, 0.01) << "events are waited for";
  ASSERT_EQ(kernels.size(), 16U);
  EXPECT_EQ(kernels[4].at("begin"), kernels[7].at("begin"));
  EXPECT_GE(kernels[3].at("begin").get<uint64_t>(),
            kernels[2].at("begin").get<uint64_t>() + kernels[2].at("cycles").get<uint64_t>());
}

TEST_F(Exec, AProgramThatIsNotThereIsAUsageError) {
  EXPECT_EQ(heddle({"exec", "--emulate", "--", "./no-such-program"}).code, 2);
  EXPECT_EQ(heddle({"exec", "--emulate"}).code, 2);
}

TEST_F(Exec, AProgramWithoutCudaRunsAsItIs) {
  write("hello.sh", "#!/bin/sh\necho hello \"$1\"\nexit 3\n");
  std::filesystem::permissions(path("hello.sh"), std::filesystem::perms::owner_all);
  const cli::Ended ended = heddle({"exec", "--emulate", "--", path("hello.sh"), "you"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.out, "hello you\n");
}

}  // namespace
}  // namespace heddle::runtime

// Checks of CUDA programs: what is found, what is said of it, and how it ends.
#include <fmt/format.h>

#include "cli/heddle_program.h"

namespace heddle::runtime {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CheckedProgram : public cli::HeddleProgram {
 protected:
  cli::Ended checked(const std::vector<std::string>& options, const std::string& what) {
    std::vector<std::string> words{"exec", "--quiet", "--json", path("run.json")};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", std::string(HEDDLE_CUDA_PROGRAMS) + "/clang/checked"});
    if (!what.empty()) words.push_back(what);
    return heddle(words);
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> result;
    const json run = read_json("run.json");
    for (const json& finding : run.at("checks").at("findings")) result.push_back(finding.at("kind"));
    return result;
  }
};

TEST_F(CheckedProgram, OneThatIsCleanIsQuiet) {
  for (const char* fidelity : {"--emulate", "--preset=default"}) {
    const cli::Ended ended = checked({fidelity, "--check", "all"}, "");
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr("checked (race, sync, init, leak): nothing found"));
  }
}

TEST_F(CheckedProgram, RacesHaveTheirSourceLines) {
  const cli::Ended ended = checked({"--emulate", "--check", "race,sync"}, "race");
  EXPECT_EQ(ended.code, 9) << ended.err;
  EXPECT_EQ(kinds(), std::vector<std::string>{"race"});
  EXPECT_THAT(ended.err, HasSubstr("checked.cu:10"));
  EXPECT_THAT(ended.err, HasSubstr("checked.cu:12"));
  EXPECT_THAT(ended.err, HasSubstr("shared memory, byte"));
}

TEST_F(CheckedProgram, StreamsThatDoNotWaitForEachOtherRace) {
  const cli::Ended ended = checked({"--emulate", "--check", "race"}, "streams");
  EXPECT_EQ(ended.code, 9) << ended.err;
  EXPECT_EQ(kinds(), std::vector<std::string>{"race"});
  EXPECT_EQ(checked({"--emulate", "--check", "race"}, "waits").code, 0);
}

TEST_F(CheckedProgram, WhatNobodyCopiedIsUnwritten) {
  const cli::Ended ended = checked({"--emulate", "--check", "init"}, "init");
  EXPECT_EQ(ended.code, 9) << ended.err;
  EXPECT_EQ(kinds(), std::vector<std::string>{"unwritten-memory"});
  EXPECT_THAT(ended.err, HasSubstr("128 bytes into 'cudaMalloc' (256 bytes"));
}

TEST_F(CheckedProgram, WhatIsNotFreedIsALeak) {
  const cli::Ended ended = checked({"--emulate", "--check", "leak"}, "leak");
  EXPECT_EQ(ended.code, 9) << ended.err;
  EXPECT_EQ(kinds(), (std::vector<std::string>{"leak", "leak", "leak"}));
  EXPECT_THAT(ended.err, HasSubstr("256 bytes of cudaMalloc, call 1"));
  EXPECT_THAT(ended.err, HasSubstr("a stream, call 1"));
  EXPECT_THAT(ended.err, HasSubstr("an event, call 1"));
}

TEST_F(CheckedProgram, OtherOrdersGiveTheSame) {
  const cli::Ended ended = checked({"--schedules", "4"}, "");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(read_json("run.json").at("runs").size(), 4U);
  EXPECT_THAT(ended.err, Not(HasSubstr("differs")));
}

TEST_F(CheckedProgram, OtherOrdersBringToLightWhatDependsOnThem) {
  const cli::Ended ended = checked({"--schedules", "6"}, "order");
  EXPECT_EQ(ended.code, 9) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("copy 2 differs, first at byte 0"));
}

}  // namespace
}  // namespace heddle::runtime

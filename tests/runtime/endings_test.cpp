// However a CUDA program ends: one message, its exit code, what was measured, and no process left.
#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "cli/heddle_program.h"
#include "support/wait.h"

namespace heddle::runtime {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Endings : public cli::HeddleProgram {
 protected:
  std::vector<std::string> words(const std::string& how) const {
    return {"exec",
            "--emulate",
            "--quiet",
            "--json",
            path("run.json"),
            "--",
            std::string(HEDDLE_CUDA_PROGRAMS) + "/clang/endings",
            how};
  }
  cli::Ended end(const std::string& how) { return heddle(words(how)); }

  // Until `text` is in what the program has printed.
  bool has_printed(const std::string& text) const {
    return test::wait_until(
        [&] { return std::filesystem::exists(path("stdout")) && read("stdout").find(text) != std::string::npos; });
  }
  // A program that waits, ended by a signal to heddle alone.
  cli::Ended signalled(const std::string& how, int signal) {
    std::filesystem::remove(path("stdout"));  // of the program before
    const pid_t pid = start(words(how));
    EXPECT_TRUE(has_printed("waits"));
    kill(pid, signal);
    return finish(pid);
  }
  // Is the process the program has named gone? That may take a moment.
  static bool is_gone(const std::string& out) {
    const auto process = static_cast<pid_t>(std::stol(out.substr(out.find("process ") + 8)));
    const auto runs = [&] {  // nobody may wait for what is left of it
      std::ifstream file(fmt::format("/proc/{}/stat", process));
      std::string text;
      return std::getline(file, text) && text.find(") Z ") == std::string::npos;
    };
    return test::wait_until([&] { return !runs(); });
  }
  static size_t count(const std::string& text, const std::string& what) {
    size_t found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  }
  size_t launches() const { return read_json("run.json").at("kernels").size(); }
};

TEST_F(Endings, ACrashIsNamedAndWhatWasMeasuredIsWritten) {
  for (const auto& [how, signal] : {std::pair("segfault", SIGSEGV), std::pair("abort", SIGABRT)}) {
    const cli::Ended ended = end(how);
    EXPECT_EQ(ended.code, 128 + signal) << how;
    EXPECT_EQ(count(ended.err, "heddle: error:"), 1u) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(fmt::format("was ended by signal {} (", signal)));
    EXPECT_EQ(read_json("run.json").at("exit_code"), 128 + signal);
    EXPECT_THAT(read_json("run.json").at("error").get<std::string>(), HasSubstr("signal"));
    EXPECT_EQ(launches(), 1u) << how;
  }
}

TEST_F(Endings, ACrashEndsTheKernelThatRuns) {
  const cli::Ended ended = end("segfault in a launch");
  EXPECT_EQ(ended.code, 128 + SIGSEGV);
  EXPECT_EQ(count(ended.err, "heddle: error:"), 1u) << ended.err;
  EXPECT_LE(launches(), 2u);  // the second if it had begun
}

TEST_F(Endings, WithoutAWordToTheRuntimeIsAnEndingToo) {
  const cli::Ended ended = end("_exit");
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(launches(), 1u);
  EXPECT_TRUE(read_json("run.json").at("error").is_null());
}

TEST_F(Endings, AFaultThatTheProgramHidesIsAFailureIfAskedForAndInCi) {
  const auto code = [&](std::vector<std::string> more) {
    std::vector<std::string> all = words("fault");
    all.insert(all.begin() + 1, more.begin(), more.end());
    const cli::Ended ended = heddle(all);
    EXPECT_EQ(count(ended.err, "heddle: error:"), 1u) << ended.err;
    return ended.code;
  };
  EXPECT_EQ(code({}), 0);
  EXPECT_EQ(code({"--fail-on-error"}), 5);
  setenv("CI", "true", 1);
  EXPECT_EQ(code({}), 5);
  EXPECT_EQ(code({"--no-fail-on-error"}), 0);
  unsetenv("CI");
}

TEST_F(Endings, ALargeExitCodeIsNoSignal) {
  const cli::Ended ended = end("exit 200");
  EXPECT_EQ(ended.code, 200);
  EXPECT_EQ(ended.err, "");
}

TEST_F(Endings, WhatWasLaunchedIsMeasuredThoughNobodyWaits) {
  EXPECT_EQ(end("unwaited").code, 4);
  ASSERT_EQ(launches(), 2u);
  EXPECT_EQ(read_json("run.json").at("kernels")[1].at("threads"), 1);
}

TEST_F(Endings, AProgramStartedByTheProgramIsInTheSameResult) {
  const cli::Ended ended = end("fork");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(launches(), 2u);
}

TEST_F(Endings, AnInterruptEndsTheProgramWhateverItDoes) {
  for (const char* how : {"wait", "wait for a kernel"}) {
    const cli::Ended ended = signalled(how, SIGINT);
    EXPECT_EQ(ended.code, 128 + SIGINT) << how;
    EXPECT_EQ(ended.err, "heddle: error: interrupted\n") << how;
    EXPECT_TRUE(is_gone(ended.out)) << how;
    const json run = read_json("run.json");
    EXPECT_EQ(run.at("error"), "interrupted");
    EXPECT_EQ(run.at("exit_code"), 128 + SIGINT);
    EXPECT_GE(run.at("kernels").size(), 1u);
  }
}

TEST_F(Endings, AnInterruptReachesProgramsThatAScriptHasStarted) {
  write("script.sh", fmt::format("#!/bin/sh\ntrap '' INT\n'{}/clang/endings' wait\nexit 9\n", HEDDLE_CUDA_PROGRAMS));
  std::filesystem::permissions(path("script.sh"), std::filesystem::perms::owner_all);
  const pid_t pid = start({"exec", "--emulate", "--quiet", "--", path("script.sh")});
  ASSERT_TRUE(has_printed("waits"));
  kill(pid, SIGINT);
  const cli::Ended ended = finish(pid);
  EXPECT_EQ(ended.code, 128 + SIGKILL);  // the script, which does not listen
  EXPECT_EQ(ended.err, "heddle: error: interrupted\n");
  EXPECT_TRUE(is_gone(ended.out));
}

TEST_F(Endings, WhatEndsHeddleEndsTheProgram) {
  const cli::Ended ended = signalled("wait", SIGKILL);
  EXPECT_EQ(ended.code, -SIGKILL);
  EXPECT_TRUE(is_gone(ended.out));
}

}  // namespace
}  // namespace heddle::runtime

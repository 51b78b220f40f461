#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class Interrupt : public HeddleProgram {
 protected:
  std::vector<std::string> forever() {
    write("forever.ptx", kernel_with(kForever));
    return {"run",     "forever.ptx", "--grid", "1",     "--block",      "4",      "--arg",
            "zeros:4", "--max-slots", "0",      "--set", "spin_limit=0", "--json", "r.json"};
  }
  // Threads of one warp want one lock, nobody watches for spinning and there is no limit: the first run never ends.
  static std::vector<std::string> comparison_forever() {
    return {"compare", "hashtable", "matmul",       "--size",      "tiny", "--mechanisms", "pdom", "--jobs",
            "1",       "--set",     "spin_limit=0", "--max-slots", "0"};
  }
  Ended interrupt(const std::vector<std::string>& words, int signal = SIGINT) {
    const pid_t pid = start(words);
    EXPECT_TRUE(wait_until(pid, [&] { return catches_interrupts(pid); }));
    kill(pid, signal);
    return finish(pid);
  }
};

TEST_F(Interrupt, WritesWhatThereIsAndEndsWithItsExitCode) {
  const Ended ended = interrupt(forever());
  EXPECT_EQ(ended.code, 8);
  EXPECT_THAT(ended.err,
              testing::MatchesRegex("heddle: error: interrupted after [0-9]+ s in launch 1, k: [0-9,]+ issue slots, "
                                    "[0-9,]+ cycles until then\n"));
  EXPECT_THAT(ended.out, testing::ContainsRegex("\nk +1 +4 +1 "));
  EXPECT_EQ(read_json("r.json")["error"], "interrupted");
  EXPECT_EQ(read_json("r.json")["exit_code"], 8);
  EXPECT_TRUE(read_json("r.json")["total"].contains("issue_slots")) << "it may have come before the first";
}

TEST_F(Interrupt, ATerminationIsAnInterrupt) {
  const Ended ended = interrupt(forever(), SIGTERM);
  EXPECT_EQ(ended.code, 8);
  EXPECT_THAT(ended.err,
              testing::MatchesRegex("heddle: error: interrupted after [0-9]+ s in launch 1, k: [0-9,]+ issue slots, "
                                    "[0-9,]+ cycles until then\n"));
  EXPECT_EQ(read_json("r.json")["error"], "interrupted");
}

// As when a signal goes to the program and to its group. Both wait while it is stopped, so that they come together.
TEST_F(Interrupt, TwoAtOnceAreOne) {
  const pid_t pid = start(forever());
  ASSERT_TRUE(wait_until(pid, [&] { return catches_interrupts(pid); }));
  for (const int signal : {SIGSTOP, SIGINT, SIGTERM, SIGCONT}) kill(pid, signal);
  EXPECT_EQ(finish(pid).code, 8);
  EXPECT_EQ(read_json("r.json")["error"], "interrupted");
}

TEST_F(Interrupt, WhoIsKilledLeavesNoEmptyFile) {
  const Ended ended = interrupt(forever(), SIGKILL);
  EXPECT_EQ(ended.code, -SIGKILL);
  EXPECT_FALSE(std::filesystem::exists(path("r.json")));
}

TEST_F(Interrupt, EmulationTooWritesWhatThereIs) {
  std::vector<std::string> words = forever();
  words.emplace_back("--emulate");
  const Ended ended = interrupt(words);
  EXPECT_EQ(ended.code, 8);
  EXPECT_THAT(ended.out, testing::ContainsRegex("\nk +1 +4 +1 "));
  EXPECT_EQ(read_json("r.json")["fidelity"], "emulation");
}

TEST_F(Interrupt, EndsAComparisonWithAllItsRowsInTheTable) {
  std::vector<std::string> words = comparison_forever();
  words.insert(words.end(), {"--emulate", "--json", "r.json"});
  const Ended ended = interrupt(words);
  EXPECT_EQ(ended.code, 8);
  EXPECT_THAT(ended.out, testing::ContainsRegex("\nmatmul +pdom +- +- +- +- +interrupted\n"));
  EXPECT_EQ(ended.err, "heddle: error: interrupted: 0 of 2 runs were done\n");
  EXPECT_THAT(ended.out, testing::Not(HasSubstr("under pdom")));
}

// A program whose standard error is a terminal, or all that it writes goes there.
class OnTerminal {
 public:
  explicit OnTerminal(std::vector<std::string> words, bool all = false) : terminal_(posix_openpt(O_RDWR | O_NOCTTY)) {
    grantpt(terminal_);
    unlockpt(terminal_);
    const winsize wide{.ws_row = 50, .ws_col = 300, .ws_xpixel = 0, .ws_ypixel = 0};
    ioctl(terminal_, TIOCSWINSZ, &wide);
    const std::string name = ptsname(terminal_);
    std::vector<char*> argv;
    words.insert(words.begin(), program());
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ != 0) return;
    dup2(open(name.c_str(), O_RDWR | O_NOCTTY), STDERR_FILENO);
    dup2(all ? STDERR_FILENO : open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  ~OnTerminal() { close(terminal_); }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  pid_t process() const { return process_; }
  // What it writes until `text` is there, or so many milliseconds have passed in which it wrote nothing.
  std::string output_until(const std::string& text, int milliseconds) const {
    std::string output;
    pollfd ready{terminal_, POLLIN, 0};
    while (output.find(text) == std::string::npos && poll(&ready, 1, milliseconds) > 0) {
      char buffer[4096];
      const ssize_t got = ::read(terminal_, buffer, sizeof buffer);
      if (got <= 0) break;
      output.append(buffer, static_cast<size_t>(got));
    }
    return output;
  }
  void interrupt() const {
    kill(process_, SIGINT);
    waitpid(process_, nullptr, 0);
  }

 private:
  int terminal_;
  pid_t process_ = 0;
};

constexpr int kForEver = -1;

TEST_F(Interrupt, ATerminalGetsAProgressLineAfterTwoSeconds) {
  std::vector<std::string> words = forever();
  words[1] = path("forever.ptx");
  words.back() = path("r.json");
  const OnTerminal program(words);
  EXPECT_THAT(
      program.output_until(" s", kForEver),
      testing::ContainsRegex("launch 1, k: 0 of 1 blocks done, .*[0-9,]+ issue slots, no estimate yet, [0-9]+ s"));
  program.interrupt();
}

TEST_F(Interrupt, TheProgressOfManyRunsNamesThoseUnderWay) {
  std::vector<std::string> words = comparison_forever();
  words.insert(words.end(), {"--max-cycles", "0"});
  const OnTerminal program(words);
  EXPECT_THAT(program.output_until(" s", kForEver),
              testing::ContainsRegex("0 of 2 runs done, now hashtable under pdom; no estimate yet, [0-9]+ s"));
  program.interrupt();
}

TEST_F(Interrupt, ATerminalGetsColoursUnlessSomebodyDoesNotWantThem) {
  const std::vector<std::string> words{"run", "nn", "--size", "tiny", "--emulate"};
  const auto output = [&] {
    const OnTerminal program(words, true);
    const std::string text = program.output_until("values equal", kForEver);
    waitpid(program.process(), nullptr, 0);
    return text;
  };
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  EXPECT_THAT(output(), HasSubstr("\033[32mcheck passed\033[0m: "));
  setenv("NO_COLOR", "1", 1);
  EXPECT_THAT(output(), testing::AllOf(HasSubstr("\ncheck passed: "), testing::Not(HasSubstr("\033["))));
  unsetenv("NO_COLOR");
}

// The line would come after two seconds of the run: whoever is slow waits in vain, and finds nothing wrong.
TEST_F(Interrupt, AQuietRunHasNoProgressLine) {
  std::vector<std::string> words = forever();
  words[1] = path("forever.ptx");
  words.back() = path("r.json");
  words.emplace_back("--quiet");
  const OnTerminal program(words);
  ASSERT_TRUE(wait_until(program.process(), [&] { return catches_interrupts(program.process()); }));
  EXPECT_EQ(program.output_until(" s", 3000), "");
  program.interrupt();
}

}  // namespace
}  // namespace heddle::cli

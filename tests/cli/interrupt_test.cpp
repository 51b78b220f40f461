#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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
  EXPECT_EQ(ended.err, "heddle: error: interrupted\n");
  EXPECT_THAT(ended.out, testing::ContainsRegex("\nk +1 +4 +1 "));
  EXPECT_EQ(read_json("r.json")["error"], "interrupted");
  EXPECT_EQ(read_json("r.json")["exit_code"], 8);
  EXPECT_GT(read_json("r.json")["total"]["issue_slots"], 0);
}

TEST_F(Interrupt, ATerminationIsAnInterrupt) {
  const Ended ended = interrupt(forever(), SIGTERM);
  EXPECT_EQ(ended.code, 8);
  EXPECT_EQ(ended.err, "heddle: error: interrupted\n");
  EXPECT_EQ(read_json("r.json")["error"], "interrupted");
}

// As `timeout` sends it: to the program, and again to its group.
TEST_F(Interrupt, TwoAtOnceAreOne) {
  const pid_t pid = start(forever());
  ASSERT_TRUE(wait_until(pid, [&] { return catches_interrupts(pid); }));
  kill(pid, SIGTERM);
  kill(pid, SIGCONT);
  kill(pid, SIGTERM);
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
  const Ended ended = interrupt({"compare", "mandelbrot", "matmul", "--size", "paper", "--mechanisms", "pdom", "--jobs",
                                 "1", "--json", "r.json", "--emulate"});
  EXPECT_EQ(ended.code, 8);
  EXPECT_THAT(ended.out, testing::ContainsRegex("\nmatmul +pdom +- +- +- +- +interrupted\n"));
  EXPECT_THAT(ended.err, HasSubstr("under pdom: interrupted\n"));
}

// A program whose standard error is a terminal.
class OnTerminal {
 public:
  explicit OnTerminal(std::vector<std::string> words) : terminal_(posix_openpt(O_RDWR | O_NOCTTY)) {
    grantpt(terminal_);
    unlockpt(terminal_);
    const std::string name = ptsname(terminal_);
    std::vector<char*> argv;
    words.insert(words.begin(), program());
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ != 0) return;
    dup2(open(name.c_str(), O_RDWR | O_NOCTTY), STDERR_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
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
  EXPECT_THAT(program.output_until(" s", kForEver),
              testing::ContainsRegex("forever.ptx: [0-9,]+ issue slots of this launch, [0-9]+ s"));
  program.interrupt();
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

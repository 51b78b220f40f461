#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

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
  // SIGINT is caught from before the JSON file is opened.
  Ended interrupt(const std::vector<std::string>& words) {
    const pid_t pid = start(words);
    for (int i = 0; i < 4000 && !std::filesystem::exists(path("r.json")); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(pid, SIGINT);
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

// What the program writes to a terminal as its standard error within three seconds.
std::string terminal_output(std::vector<std::string> words) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  grantpt(terminal);
  unlockpt(terminal);
  const std::string name = ptsname(terminal);
  std::vector<char*> argv;
  words.insert(words.begin(), program());
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(open(name.c_str(), O_RDWR | O_NOCTTY), STDERR_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(3000));
  kill(pid, SIGINT);
  waitpid(pid, nullptr, 0);
  char buffer[4096];
  const ssize_t got = ::read(terminal, buffer, sizeof buffer);
  close(terminal);
  return {buffer, static_cast<size_t>(std::max<ssize_t>(got, 0))};
}

TEST_F(Interrupt, ATerminalGetsAProgressLineAfterTwoSeconds) {
  std::vector<std::string> words = forever();
  words[1] = path("forever.ptx");
  words.back() = path("r.json");
  EXPECT_THAT(terminal_output(words), testing::ContainsRegex("forever.ptx: [0-9,]+ issue slots of this launch, 2 s"));
  words.emplace_back("--quiet");
  EXPECT_THAT(terminal_output(words), testing::Not(HasSubstr("issue slots")));
}

}  // namespace
}  // namespace heddle::cli

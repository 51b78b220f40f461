#include "cli/heddle_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

namespace heddle::cli {

std::string program() {
  const char* other = std::getenv("HEDDLE_PROGRAM");
  return other ? other : HEDDLE_PROGRAM;
}

HeddleProgram::HeddleProgram() {
  unsetenv("CI");  // heddle exec asks for it
  std::string name = (std::filesystem::temp_directory_path() / "heddle-cli-XXXXXX").string();
  folder_ = mkdtemp(name.data());
}

HeddleProgram::~HeddleProgram() { std::filesystem::remove_all(folder_); }

void HeddleProgram::write(std::string_view name, std::string_view text) const {
  std::ofstream(path(name), std::ios::binary) << text;
}

std::string HeddleProgram::read(std::string_view name) const {
  std::ifstream file(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

pid_t HeddleProgram::start(const std::vector<std::string>& arguments) {
  const std::string out = path("stdout"), err = path("stderr"), folder = folder_.string();
  std::vector<std::string> words{program()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid != 0) return pid;
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  if (chdir(folder.c_str()) == 0) execv(argv[0], argv.data());
  _exit(127);
}

Ended HeddleProgram::finish(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read("stdout"), read("stderr")};
}

bool HeddleProgram::wait_until(pid_t pid, const std::function<bool()>& event) {
  while (!event()) {
    siginfo_t info{};
    const bool ended =
        waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
    if (ended) return event();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

bool HeddleProgram::catches_interrupts(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  constexpr uint64_t kBoth = 1ULL << (SIGINT - 1) | 1ULL << (SIGTERM - 1);  // they are caught one after the other
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) & kBoth) == kBoth;
  return false;
}

Ended HeddleProgram::heddle(const std::vector<std::string>& arguments) { return finish(start(arguments)); }

}  // namespace heddle::cli

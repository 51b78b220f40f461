#include "runtime/program_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "wire/protocol.h"

namespace heddle::runtime {
namespace {

using namespace std::chrono_literals;

// How often a wait looks whether it is to stop, and how long a program has to end after it was asked.
constexpr auto kGlance = 20ms, kPatience = 1000ms;

constexpr const char* kDriver = "libcuda.so.1";
constexpr const char* kRuntimes[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"};

void put_first(const char* variable, const std::string& value, char separator) {
  const char* old = std::getenv(variable);
  const std::string all = old && *old ? value + separator + old : value;
  setenv(variable, all.c_str(), 1);
}

void set_environment(const Executable& executable, const std::string& socket) {
  const std::string folder = shim_folder();
  setenv(kSocketVariable, socket.c_str(), 1);
  put_first("LD_LIBRARY_PATH", folder, ':');
  if (!executable.has_rpath && !executable.has_runtime_inside && executable.is_elf) return;
  std::string preload = fmt::format("{}/{}", folder, kDriver);
  if (executable.has_rpath)
    for (const char* library : kRuntimes) preload += fmt::format(":{}/{}", folder, library);
  put_first("LD_PRELOAD", preload, ':');
}

// Sleeps until the process has ended, but not for long.
void doze(pid_t process) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  pollfd ended{handle, POLLIN, 0};
  poll(&ended, handle < 0 ? 0 : 1, static_cast<int>(kGlance.count()));
  if (handle >= 0) close(handle);
}

// It reads nothing either: of several programs each would get what the others have left.
void cut_off() {
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, each);
  close(nowhere);
}

}  // namespace

std::string shim_folder() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {here / "cudart", here.parent_path() / "lib" / "heddle"})
    if (fs::exists(folder / kDriver, ignored)) return folder.string();
  throw Error(ExitCode::Usage,
              fmt::format("there is no {} in {}/cudart: build the target cudart", kDriver, here.string()));
}

pid_t start_program(const Executable& executable, const std::vector<std::string>& words, const std::string& socket,
                    bool silent, int output) {
  shim_folder();  // fails here, not in the child
  const pid_t process = fork();
  if (process < 0) throw Error(ExitCode::Host, fmt::format("cannot fork: {}", std::strerror(errno)));
  if (process > 0) return process;
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // whatever ends heddle ends the program
  std::signal(SIGINT, SIG_DFL);
  set_environment(executable, socket);
  if (silent) cut_off();
  if (output >= 0) dup2(output, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(executable.path.c_str(), arguments.data());
  fmt::print(stderr, "heddle: error: cannot run '{}': {}\n", executable.path, std::strerror(errno));
  _exit(static_cast<int>(ExitCode::Usage));
}

ProgramEnd wait_for_program(pid_t process, const std::atomic<bool>* stop) {
  int status = 0;
  std::chrono::steady_clock::time_point asked{};
  for (pid_t ended = 0; (ended = waitpid(process, &status, WNOHANG)) != process;) {
    if (ended < 0 && errno != EINTR)
      throw Error(ExitCode::Internal, fmt::format("cannot wait for the program: {}", std::strerror(errno)));
    doze(process);
    if (!*stop) continue;
    const auto now = std::chrono::steady_clock::now();
    if (asked == std::chrono::steady_clock::time_point{}) {
      asked = now;
      kill(process, SIGINT);
    }
    if (now - asked > kPatience) kill(process, SIGKILL);
  }
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace heddle::runtime

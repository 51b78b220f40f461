#include "cli/interrupt.h"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace heddle::cli {
namespace {

constexpr int64_t kAtOnce = 1'000'000'000;  // ns: `timeout` sends its signal to the program, and to its group

std::atomic<bool> stop_requested = false;
std::atomic<int64_t> requested_at = 0;
static_assert(std::atomic<int64_t>::is_always_lock_free, "a signal handler may set it");

int64_t nanoseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void request_stop(int signal) {
  if (!stop_requested.exchange(true)) {
    requested_at = nanoseconds();
  } else if (nanoseconds() - requested_at > kAtOnce) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

}  // namespace

std::atomic<bool>* stop_on_interrupt() {
  struct sigaction action = {};
  action.sa_handler = &request_stop;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  return &stop_requested;
}

}  // namespace heddle::cli

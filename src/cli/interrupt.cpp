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

// Two may come to two threads, or one inside the other.
void request_stop(int signal) {
  const int64_t now = nanoseconds();
  int64_t first = 0;
  if (requested_at.compare_exchange_strong(first, now)) {
    stop_requested = true;
  } else if (now - first > kAtOnce) {
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

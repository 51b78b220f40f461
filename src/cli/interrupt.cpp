#include "cli/interrupt.h"

#include <csignal>

namespace heddle::cli {
namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

void request_stop(int) { stop_requested = true; }

}  // namespace

std::atomic<bool>* stop_on_interrupt() {
  struct sigaction action = {};
  action.sa_handler = &request_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  return &stop_requested;
}

}  // namespace heddle::cli

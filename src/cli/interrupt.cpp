#include "cli/interrupt.h"

#include <csignal>

namespace heddle::cli {
namespace {

volatile bool stop_requested = false;

void request_stop(int) { stop_requested = true; }

}  // namespace

const volatile bool* stop_on_interrupt() {
  struct sigaction action = {};
  action.sa_handler = &request_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  return &stop_requested;
}

void stop_now() { stop_requested = true; }

bool interrupted() { return stop_requested; }

}  // namespace heddle::cli

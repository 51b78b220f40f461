// SIGINT and SIGTERM ask the machine to stop, so that what was measured is still written. Another, a second later or
// more, kills.
#pragma once

#include <atomic>

namespace heddle::cli {

std::atomic<bool>* stop_on_interrupt();  // from now on; the flag that is set, by a signal or by who has had enough

}  // namespace heddle::cli

#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

namespace heddle::cli {

using std::chrono::steady_clock;

Progress::Progress(bool wanted, std::function<std::string()> text) : text_(std::move(text)) {
  if (wanted && isatty(STDERR_FILENO)) thread_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Progress::watch() {
  const auto start = steady_clock::now();
  std::unique_lock lock(mutex_);
  bool shown = false;
  for (auto next = start + std::chrono::seconds(2);; next += std::chrono::milliseconds(500)) {
    if (changed_.wait_until(lock, next, [this] { return done_; })) break;
    const auto seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
    fmt::print(stderr, "\r\033[K{}, {:.0f} s", text_(), seconds);
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
}

}  // namespace heddle::cli

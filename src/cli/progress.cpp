#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>

namespace heddle::cli {

using std::chrono::steady_clock;

namespace {

size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// A line that wraps cannot be written over. The end, with the time, is worth more than the middle.
std::string cut(const std::string& text, size_t most) {
  if (text.size() < most) return text;
  constexpr size_t kEnd = 36;
  if (most < kEnd + 8) return text.substr(text.size() - std::min(text.size(), most - 1));
  return text.substr(0, most - kEnd - 5) + " .. " + text.substr(text.size() - kEnd);
}

}  // namespace

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
    fmt::print(stderr, "\r\033[K{}", cut(fmt::format("{}, {:.0f} s", text_(), seconds), columns()));
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
}

}  // namespace heddle::cli

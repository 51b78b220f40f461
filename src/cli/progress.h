// A progress line on standard error for what takes longer than two seconds; nothing where that is no terminal.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace heddle::cli {

class Progress {
 public:
  // `text` is called from another thread.
  Progress(bool wanted, std::function<std::string()> text);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void watch();

  std::function<std::string()> text_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace heddle::cli

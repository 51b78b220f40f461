// How far the launch under way has come, for a person who waits. Told by the machine every now and then; asked from
// another thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace heddle {

class LaunchProgress {
 public:
  struct Now {
    uint64_t launch = 0;  // from 1 on; 0: none yet
    std::string kernel;
    uint64_t slots = 0, blocks = 0, blocks_done = 0;
    double seconds = 0, seconds_at_block = 0;  // of this launch, and when its last block was done
  };

  void begin(std::string kernel, uint64_t blocks) {
    const std::lock_guard lock(mutex_);
    now_ = {now_.launch + 1, std::move(kernel), 0, blocks, 0, 0, 0};
    start_ = std::chrono::steady_clock::now();
    slots_ = 0;
    blocks_done_ = 0;
  }
  void at(uint64_t slots, uint64_t blocks_done) {
    slots_.store(slots, std::memory_order_relaxed);
    if (blocks_done == blocks_done_) return;
    blocks_done_ = blocks_done;
    const std::lock_guard lock(mutex_);
    now_.blocks_done = blocks_done;
    now_.seconds_at_block = seconds();
  }
  Now now() const {
    const std::lock_guard lock(mutex_);
    Now result = now_;
    result.slots = slots_.load(std::memory_order_relaxed);
    result.seconds = seconds();
    return result;
  }

 private:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  mutable std::mutex mutex_;
  Now now_;
  std::chrono::steady_clock::time_point start_{};
  std::atomic<uint64_t> slots_ = 0;
  uint64_t blocks_done_ = 0;  // of the machine's thread
};

}  // namespace heddle

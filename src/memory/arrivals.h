// Replies on their way to the cores: a wheel of cycles, each with what arrives then in the order it was sent.
#pragma once

#include <bit>
#include <span>
#include <vector>

#include "base/error.h"
#include "memory/clock.h"
#include "memory/request.h"

namespace heddle {

class Arrivals {
 public:
  // `longest`: cycles that a reply is on its way at most.
  explicit Arrivals(unsigned longest) : wheel_(std::bit_ceil(size_t{longest} + 2)), mask_(wheel_.size() - 1) {}

  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  NetworkCycle next() const { return next_; }

  void put(const Reply& reply, NetworkCycle cycle) {
    require(count_ == 0 || cycle < next_ + wheel_.size(), "a reply takes longer than any can");
    std::vector<Reply>& then = wheel_[cycle.count() & mask_];
    if (then.empty() && !spare_.empty()) {
      then.swap(spare_.back());
      spare_.pop_back();
    }
    then.push_back(reply);
    ++count_;
    next_ = cycle < next_ ? cycle : next_;
  }

  // Calls f(those that arrive next) up to that cycle.
  template <class F>
  void take(NetworkCycle cycle, F&& f) {
    while (next_ <= cycle) {
      std::vector<Reply>& now = wheel_[next_.count() & mask_];
      f(std::span<const Reply>(now));
      count_ -= now.size();
      now.clear();
      spare_.push_back(std::move(now));
      find_next();
    }
  }

 private:
  void find_next() {
    if (count_ == 0) {
      next_ = kNever;
      return;
    }
    do ++next_;
    while (wheel_[next_.count() & mask_].empty());
  }

  std::vector<std::vector<Reply>> wheel_;
  std::vector<std::vector<Reply>> spare_;  // storage of those that have arrived: the last is the nearest to the host
  size_t mask_, count_ = 0;
  NetworkCycle next_ = kNever;
};

}  // namespace heddle

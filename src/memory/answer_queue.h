// Answers of a slice on their way to the reply network, first in, first out.
//
// Who takes them may be ahead of who puts them in (`keep`): the place of one that has left in some cycle is then free
// for what comes behind that cycle, and not before. pass() says how far the other side has come.
#pragma once

#include <cstdint>

#include "memory/clock.h"
#include "memory/request.h"
#include "memory/ring.h"

namespace heddle {

struct Answer {
  NetworkCycle ready;
  Reply reply;
  uint16_t bytes;
};

class AnswerQueue {
 public:
  explicit AnswerQueue(size_t places) : answers_(places), left_(places), room_(places) {}

  bool empty() const { return answers_.empty(); }
  size_t size() const { return answers_.size(); }
  bool full() const { return room_ == 0; }
  size_t room() const { return room_; }  // that is known of
  NetworkCycle ready() const {           // of the first
    return answers_.empty() ? NetworkCycle(kNever) : answers_.front().ready;
  }
  const Answer& front() const { return answers_.front(); }
  void push(const Answer& answer) {
    answers_.push(answer);
    --room_;
  }
  void pop(NetworkCycle now) {
    answers_.pop();
    if (keeps_)
      left_.push(now);
    else
      ++room_;
  }

  void keep(bool on) {
    keeps_ = on;
    if (!on) pass(kNever);
  }
  void pass(NetworkCycle now) {
    for (; !left_.empty() && left_.front() < now; ++room_) left_.pop();
  }
  // When a place is free again of which it is known; kNever: none is.
  NetworkCycle next_place() const { return left_.empty() ? NetworkCycle(kNever) : left_.front() + 1; }

 private:
  Ring<Answer> answers_;
  Ring<NetworkCycle> left_;  // when those left whose places are not free yet
  size_t room_;
  bool keeps_ = false;
};

}  // namespace heddle

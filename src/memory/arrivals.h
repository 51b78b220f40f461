// Replies on their way to the cores, by the cycle of their arrival; those of one cycle in the order they were sent.
#pragma once

#include <deque>
#include <vector>

#include "memory/clock.h"
#include "memory/request.h"

namespace heddle {

class Arrivals {
 public:
  bool empty() const { return under_way_.empty(); }
  size_t size() const { return under_way_.size(); }
  NetworkCycle next() const { return under_way_.empty() ? kNever : under_way_.front().cycle; }

  // Few overtake others: only a short packet a long one.
  void put(const Reply& reply, NetworkCycle cycle) {
    auto place = under_way_.end();
    while (place != under_way_.begin() && std::prev(place)->cycle > cycle) --place;
    under_way_.insert(place, {reply, cycle});
  }

  void take(NetworkCycle cycle, std::vector<Reply>& arrived) {
    while (!under_way_.empty() && under_way_.front().cycle <= cycle) {
      arrived.push_back(under_way_.front().reply);
      under_way_.pop_front();
    }
  }

 private:
  struct UnderWay {
    Reply reply;
    NetworkCycle cycle;
  };
  std::deque<UnderWay> under_way_;
};

}  // namespace heddle

// Requests that wait for DRAM, each under a number that stays while it waits.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/request.h"

namespace heddle {

class RequestPool {
 public:
  bool empty() const { return free_.size() == requests_.size(); }

  uint32_t put(const Request& request) {
    if (free_.empty()) {
      requests_.push_back(request);
      return static_cast<uint32_t>(requests_.size() - 1);
    }
    const uint32_t number = free_.back();
    free_.pop_back();
    requests_[number] = request;
    return number;
  }
  const Request& operator[](uint32_t number) const { return requests_[number]; }
  void drop(uint32_t number) { free_.push_back(number); }

 private:
  std::vector<Request> requests_;
  std::vector<uint32_t> free_;
};

}  // namespace heddle

// What is counted of one instruction of a kernel, for a profile. Values only.
#pragma once

#include <cstdint>

namespace heddle {

struct PcCounts {
  uint64_t slots = 0;    // issue slots, phantom slots included
  uint64_t active = 0;   // active threads summed over these
  uint64_t threads = 0;  // thread executions

  bool operator==(const PcCounts&) const = default;
  PcCounts& operator+=(const PcCounts& other) {
    slots += other.slots;
    active += other.active;
    threads += other.threads;
    return *this;
  }
  PcCounts& operator-=(const PcCounts& other) {
    slots -= other.slots;
    active -= other.active;
    threads -= other.threads;
    return *this;
  }
};

}  // namespace heddle

// Waiting for an event, however slow the machine is: the limit is for a program that hangs, and no part of what is
// tested.
#pragma once

#include <chrono>
#include <thread>

namespace heddle::test {

template <class Condition>
bool wait_until(Condition&& holds) {
  using namespace std::chrono_literals;
  const auto limit = std::chrono::steady_clock::now() + 10min;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

}  // namespace heddle::test

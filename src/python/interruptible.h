// Work that Python waits for: its lock is let go of, and Ctrl-C ends the work early.
//
// Signals are Python's: the waiting thread asks for them from time to time. A handler that raises (KeyboardInterrupt)
// sets `stop`, on which the simulator gives up, and the exception is thrown when it has.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>

#include "library/plain_surroundings.h"

namespace heddle::python {

inline constexpr std::chrono::milliseconds kBetweenLooks{50};

template <class Work>
auto interruptible(std::atomic<bool>& stop, Work&& work) {
  std::optional<pybind11::error_already_set> raised;
  auto ended = std::async(std::launch::async, [&work] {
    const library::PlainSurroundings plain;
    return work();
  });
  {
    const pybind11::gil_scoped_release others_may_run;
    while (ended.wait_for(kBetweenLooks) != std::future_status::ready) {
      const pybind11::gil_scoped_acquire ours;
      if (PyErr_CheckSignals() == 0) continue;
      raised.emplace();
      stop = true;
    }
  }
  if (!raised) return ended.get();
  ended.wait();
  throw std::move(*raised);
}

}  // namespace heddle::python

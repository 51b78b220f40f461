// Work that Python waits for: its lock is let go of, and Ctrl-C ends the work early.
//
// Signals are Python's: its main thread asks for them from time to time. A handler that raises (KeyboardInterrupt)
// sets `stop`, on which the simulator gives up, and the exception is thrown when it has. Other threads only wait, and
// `stop` is set when the interpreter ends (under_way.h).
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>

#include "library/plain_surroundings.h"
#include "python/under_way.h"

namespace heddle::python {

inline constexpr std::chrono::milliseconds kBetweenSignals{50};

template <class Ended>
void wait_for_signals_too(std::atomic<bool>& stop, const Ended& ended) {
  std::optional<pybind11::error_already_set> raised;
  {
    const pybind11::gil_scoped_release others_may_run;
    while (ended.wait_for(kBetweenSignals) != std::future_status::ready) {
      const pybind11::gil_scoped_acquire ours;
      if (PyErr_CheckSignals() == 0) continue;
      raised.emplace();
      stop = true;
    }
  }
  if (raised) throw std::move(*raised);
}

template <class Work>
auto interruptible(std::atomic<bool>& stop, Work&& work) {
  std::optional<UnderWay> listed;
  if (!in_main_thread()) listed.emplace(stop);
  auto ended = std::async(std::launch::async, [&work] {
    const library::PlainSurroundings plain;
    return work();
  });
  if (listed)
    listed->wait(ended);
  else
    wait_for_signals_too(stop, ended);
  return ended.get();
}

}  // namespace heddle::python

// How kernels are run, beside the machine's own numbers.
#pragma once

#include <atomic>
#include <string>

#include "core/warp_engine.h"
#include "gpu/launch_progress.h"
#include "observe/instruments.h"

namespace heddle {

struct GpuOptions {
  std::string mechanism = "pdom";
  LaneMap lanes = LaneMap::none();
  std::string schedule;  // "": the usual one (usual_schedule()). Emulation asks it where warps are interleaved
  bool timed = false;    // cycle level; else emulation
  bool skip = true;      // cycle level: parts with nothing to do sleep. Changes nothing but the time it takes
  bool ahead = true;     // cycle level: cores run ahead of each other where that pays. Changes nothing either
  // Cycle level: launches that differ by at most so many percent in their instructions are alike, and not all of them
  // are timed (launch_sampling.h); 0: all are.
  unsigned sample_launches = 0;
  unsigned threads = 1;             // of the host, that one launch may use. Changes nothing but the time it takes
  uint64_t threads_from = 200'000;  // emulation: issue slots left to a launch that are worth more threads than one
  Instruments instruments{};
  check::CheckSet checks{};
  std::shared_ptr<check::Checker> checker;  // made by the GPU, if there are checks
  Observers observers{};                    // further ones
  GlobalMemory::Placement memory = {};      // where GPU memory lies
  std::string* printed = nullptr;           // where kernels' printf goes; null: standard output
  // Told of the first load of a launch beside an allocation, which then goes through; null: such loads fault.
  std::function<void(const std::string&)> stray_load;
  const std::atomic<bool>* stop = nullptr;  // set by a signal: give up, keep what was measured
  LaunchProgress* progress = nullptr;       // of the launch under way

  EngineOptions engine() const {
    return {mechanism, lanes, instruments.follow_values(), timed, checker.get(), observers};
  }
};

}  // namespace heddle

// A kernel that reads the clock before and behind a loop, and what it found.
//
// Each warp notes the clock, goes `trips` times through the body and notes the clock again; it does so `passes` times
// and keeps the last, so that code and data of a pass can be warm. The body is PTX text, mostly one instruction many
// times over. Clocks are compared within a core only: those of different cores need not agree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace heddle::hardware {

// The parts of the kernel that differ. Registers at hand: %me (u32), %thread (u32, over the grid), %threads (u32),
// %data (u64), %i (u32, the trip), %y and %z (b32, arguments), and what `registers` declares.
struct TimedKernel {
  std::string variables;  // of the module
  std::string registers;  // declarations
  std::string setup;      // once
  std::string before;     // each pass, before the clock is read
  std::string body;       // each trip
  std::string after;      // once, behind the last reading of the clock
  std::string header = ".version 7.0\n.target sm_70";
  std::string result;  // a b32 register that keeps the body alive
};

struct TimedRun {
  unsigned blocks = 1, threads = 32;
  unsigned trips = 8, passes = 2;
  Address data = 0;
  uint32_t y = 3, z = 5;
};

struct Times {
  struct Warp {
    uint64_t core, start, end;
  };
  std::vector<Warp> warps;

  double longest() const;    // cycles from the first start to the last end, of the core where that is most
  double of_starts() const;  // cycles between the starts of blocks of a core, on the mean
};

Times run(Device& device, const TimedKernel& kernel, const TimedRun& run);
std::string repeated(unsigned times, const std::string& text);  // "@" in it is the number of the repetition
unsigned cores_of(Device& device);

}  // namespace heddle::hardware

// A run, described once: what is run, on which machine, what is watched. Values only, as a person writes them.
//
// From it come the machine (runner.h), the words that ask for it again (command.h), its place in a JSON file
// (spec_json.h) and in the store (identity.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/check_set.h"
#include "observe/instruments.h"

namespace heddle {

// How a kernel of a PTX file is launched.
struct KernelLaunch {
  std::string grid, block;  // "4", "8,8"
  uint32_t shared = 0;      // bytes of dynamic shared memory
  bool cooperative = false;
  std::vector<std::string> arguments;  // kernel_argument.h
};

struct RunSpec {
  enum class Kind : uint8_t { Workload, PtxFile, CudaProgram };

  Kind kind = Kind::Workload;
  std::string program;                            // a workload's name, or a path
  std::string size = "small", compiler = "nvcc";  // of a workload
  KernelLaunch launch;                            // of a PTX file
  std::string text;                               // of a PTX file that is part of heddle: no file is read
  std::vector<std::string> arguments;             // of a CUDA program
  bool strict = false;                            // of a CUDA program: loads beside an allocation are faults
  std::string kernel;  // of a PTX file: which one runs; else: the launches of this one alone are shown. "": all

  std::string preset = "default";
  std::vector<std::string> settings;  // "key=value"; the last wins
  std::string mechanism = "pdom", lanes = "none";
  std::string schedule;          // "": the machine's own
  bool timed = true;             // cycle level, else emulation
  unsigned sample_launches = 0;  // cycle level, percent: of launches that are alike some are timed; 0: all
  bool skip = true;              // cycle level: parts with nothing to do sleep; the same result in less time
  unsigned threads = 1;          // of the host, that it may use; the same result in less time

  Instruments instruments;
  check::CheckSet checks;
};

}  // namespace heddle

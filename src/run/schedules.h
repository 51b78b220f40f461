// One program under several orders of its threads, and whether it gives the same.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "run/runner.h"

namespace heddle {

// What a program leaves: of a CUDA program what it printed and copied to itself, of others what is in GPU memory.
struct ProgramOutput {
  struct Piece {
    std::string name;  // of an allocation; "copy 3"
    std::vector<std::byte> bytes;
  };
  std::string printed;
  std::vector<Piece> pieces;
  int exit_code = 0;
};

// "'levels' differs, first at byte 12: 03 00 00 00, not 04 00 00 00"; empty: they are the same.
std::string difference(const ProgramOutput& output, const ProgramOutput& expected);

// The run itself, then others of it: by its own mechanism and by others, warps interleaved in random orders. All of
// them in emulation.
std::vector<RunSpec> schedules_of(const RunSpec& spec, unsigned count);
std::string schedule_text(const RunSpec& spec);  // "its, seed 3"

RunResult execute(const RunSpec& spec, RunHooks hooks, ProgramOutput& output);

}  // namespace heddle

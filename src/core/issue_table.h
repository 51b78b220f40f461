// What issuing each instruction of a kernel takes on a core, by PC; made once for all cores of a launch.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/core_parameters.h"
#include "core/scoreboard.h"
#include "program/machine/slow_paths.h"

namespace heddle {

struct alignas(32) IssueCost {
  uint8_t slots = 1;         // at the issue port; 0: it is a part of another instruction, and goes along
  bool goes_on : 1 = false;  // its warp, at once: a plain instruction, or a warp-wide one of machine code, with a
                             // register scoreboard
  bool stores : 1 = false;   // what the L2 hears of
  uint16_t cycles = 0;       // for which it holds the port
  uint16_t lead = 0;         // cycles from its issue to that of its last machine instruction,
  Unit unit{};               // the unit which that one needs,
  bool simple : 1 = false;   // plain or a branch, and goes as a whole
  bool several : 1 = false;  // it needs several units; else only that one
  uint8_t specials : 3 = 0;  // special functions that wait in the queue of their unit; without such a queue 0
  uint8_t results : 3 = 0;   // a step: of its sequence's special functions, the one it waits for, from 1 on
  uint16_t latency = 0;      // and how long that one takes
  uint16_t holds = 0;        // cycles from its issue in which its warp issues nothing
  uint8_t thirds = 0;        // of a cycle more at the port
  Flow flow = Flow::Plain;
  uint16_t steps = 0;                   // its place among IssueTable::steps, from 1 on; 0: it is issued as a whole
  std::array<uint16_t, kUnits> busy{};  // cycles for which each is taken

  bool takes(Unit which) const { return busy[static_cast<size_t>(which)] > 0; }
  bool needs(Unit which) const { return slots > 0 && (several ? takes(which) : unit == which); }  // to be free
};
static_assert(sizeof(IssueCost) == 32);  // each is asked for at every issue: half a line of the host's cache

struct IssueTable {
  IssueTable(const Kernel& kernel, const CoreParameters& parameters);

  const bool machine_code;  // instructions are not the machine's
  std::vector<IssueCost> costs;
  // Of a sequence that is issued slot by slot, by the range of its operands; the last is the instruction.
  using Steps = std::array<std::vector<IssueCost>, kValueRanges>;
  std::vector<Steps> steps;
  std::vector<uint32_t> code_at;             // where its first machine instruction lies; with an instruction cache
  uint32_t code_bytes = 0;                   // of all
  std::shared_ptr<const RegisterUses> uses;  // with a scoreboard of registers
};

}  // namespace heddle

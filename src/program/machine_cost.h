// What a PTX instruction is to the machine: how many of its instructions, for which units, and how long their chain.
//
// A machine with costs charges an instruction `slots` issue slots and each unit as many as it takes of them; its result
// is there `before` cycles, the latency of the unit `last`, and `after` cycles behind its first slot. Its warp issues
// nothing for `holds` cycles from there on. One with `steps` is issued slot by slot instead, and others go between.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/unit.h"

namespace heddle {

// A machine instruction among those of a sequence.
struct MachineStep {
  Unit unit = Unit::Control;
  uint8_t takes = 1;        // of the unit
  bool third_read = false;  // as MachineCost::third_reads
  uint8_t refetches = 0;    // as MachineCost::refetches
  uint16_t at = 0;          // cycles behind the first, if nobody else wants the port or the units
  uint8_t results = 0;      // of the sequence's special functions it reads that one's: 1 is the first; 0: none's
};

struct MachineCost {
  uint8_t slots = 1;  // 0: it is part of another instruction (an operand, an address), and costs nothing
  std::array<uint8_t, kUnits> units{};  // how many of the slots go to each unit
  uint16_t before = 0;        // cycles of the chain before the last slot may issue, beyond the slots themselves
  Unit last = Unit::Integer;  // the unit of the last slot: whence the result comes
  int8_t after = 0;           // cycles more, or less, until who reads it first may go
  uint16_t holds = 0;         // cycles in which its warp waits: it has branches in it
  uint8_t refetches = 0;      // cycles more at the port, for what was fetched behind a branch and is not wanted
  uint8_t third_reads = 0;    // of the slots of double precision: those that read three registers
  uint8_t wide_results = 0;   // of the slots of special functions: those whose result is of double precision
  const std::vector<MachineStep>* steps = nullptr;  // of the table of costs; null: it is issued as a whole

  bool operator==(const MachineCost&) const = default;
  void add(Unit unit, unsigned more) {  // beside the others, which do not wait for them
    if (slots == 0) last = unit;
    slots = static_cast<uint8_t>(slots + more);
    units[static_cast<size_t>(unit)] = static_cast<uint8_t>(units[static_cast<size_t>(unit)] + more);
  }
};

}  // namespace heddle

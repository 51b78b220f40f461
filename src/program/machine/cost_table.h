// What an assembler makes of PTX instructions taken one by one: a table per GPU, as measured (bench/hardware/lowering).
//
// A row is a probe, the PTX text of one instruction, the machine instructions it became, in their order, where some
// of these wait for others the cycles from the first to when the result is there, and where threads may part and meet
// among them, so that its warp does nothing beside, when each of them issues. An instruction is charged as the row
// nearest to it: of the same operation, with types of the same width and kind, and then with as few differences of
// modifiers, space, vector and literal operands as there are. Where there is none, it is one machine instruction on the
// unit of its kind.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "program/kernel.h"

namespace heddle {

// The number that an operand is, where the text has a number.
class Literals {
 public:
  explicit Literals(const Kernel& kernel);
  std::optional<uint64_t> of(const Operand& operand) const;

 private:
  std::vector<std::optional<uint64_t>> rows_;  // by place in the constant plane
};

class CostTable {
 public:
  static const CostTable& named(std::string_view target);

  explicit CostTable(std::string_view csv);
  MachineCost of(const Instruction& instruction, const Literals& literals) const;
  // What the lines of several instructions say of the machine.
  bool reads_constant_operands() const;  // instructions read parameters where they are
  bool has_limits_of_three() const;      // a largest and a smallest of three
  unsigned shared_base_slots() const;    // instructions that find where shared memory begins

 private:
  struct Row {
    Instruction instruction;          // op, types, modifiers, space and vector
    std::optional<uint64_t> literal;  // the number among its operands
    MachineCost cost;
  };
  std::vector<std::vector<Row>> rows_;                                  // by op
  std::vector<std::unique_ptr<const std::vector<MachineStep>>> steps_;  // of rows that have them: there they stay
  unsigned slots_of(std::string_view probe) const;
  std::map<std::string_view, unsigned> lines_;  // as they stand in the table
};

// One machine instruction, and several of them in a chain.
MachineCost one_slot(Unit unit);
// "MUFU FFMA FFMA". `chain`: cycles from the first to when the result is there; without, each waits for the one before
// it, but for the halves of a wide value.
MachineCost cost_of_sequence(std::string_view opcodes, std::optional<unsigned> chain = std::nullopt);

}  // namespace heddle

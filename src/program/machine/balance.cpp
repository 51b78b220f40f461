#include "program/machine/balance.h"

#include "program/machine/cost_table.h"

namespace heddle {
namespace {

bool is_sum(const Instruction& i, unsigned bytes) {
  return (i.op == Op::Add || i.op == Op::Sub) && bytes_of(i.type) == bytes && !is_float(i.type) && !i.has(Mod::Sat);
}

uint8_t& of(MachineCost& cost, Unit unit) { return cost.units[static_cast<size_t>(unit)]; }

// What goes to the multiplier instead, if that has had less to do so far.
void give_away(MachineCost& cost, const Instruction& instruction, unsigned integer, unsigned multiply) {
  static const MachineCost kSum = one_slot(Unit::Integer), kWideSum = cost_of_sequence("IADD3 IADD3");
  if (cost == kSum && is_sum(instruction, 4) && integer > multiply) cost = one_slot(Unit::Multiply);
  if (cost == kWideSum && is_sum(instruction, 8) && integer + 1 > multiply) {  // its upper half
    --of(cost, Unit::Integer);
    ++of(cost, Unit::Multiply);
  }
}

}  // namespace

void balance_pipes(Kernel& kernel) {
  static const MachineCost kHalves = one_slot(Unit::Multiply);
  for (const BasicBlock& block : kernel.blocks) {
    unsigned integer = 0, multiply = 0;
    bool other = false;
    for (Pc pc = block.begin; pc < block.end; ++pc) {
      MachineCost& cost = kernel.costs[pc];
      give_away(cost, kernel.code[pc], integer, multiply);
      if (cost == kHalves && kernel.code[pc].type == Type::F16x2) {
        if (other) cost = one_slot(Unit::Double);
        other = !other;
      }
      integer += of(cost, Unit::Integer);
      multiply += of(cost, Unit::Multiply);
    }
  }
}

}  // namespace heddle

#include "core/issue_table.h"

#include <algorithm>

#include "base/error.h"
#include "program/tensor_cost.h"

namespace heddle {
namespace {

constexpr int kMostSpecials = 7;  // as IssueCost has room for

// Who waits for a control instruction waits until it is known where it leads.
unsigned latency_of(const Instruction& instruction, Unit unit, const CoreParameters& parameters) {
  switch (instruction.flow) {
    case Flow::Plain: break;
    case Flow::Branch: return parameters.branch_latency;
    case Flow::Barrier: return parameters.barrier_latency;
    case Flow::Sync:
      if (instruction.op == Op::Vote) return parameters.vote_latency;
      if (!is_on_matrices(instruction.op)) return parameters.sync_latency;
      break;
  }
  return parameters.unit(unit).latency;
}

// As PTX: every instruction is one of the machine's.
MachineCost plain_cost(const Instruction& instruction) {
  if (instruction.op == Op::Mma) return tensor_cost(instruction);
  MachineCost cost;
  cost.last = unit_of(instruction);
  cost.units[static_cast<size_t>(cost.last)] = 1;
  return cost;
}

// Whoever goes round in a circle takes a turn of the port somewhere, or a cycle would not end.
bool may_go_along(const Instruction& instruction, Pc pc) {
  return instruction.flow == Flow::Plain ||
         (instruction.op == Op::Bra && instruction.target != kNoPc && instruction.target > pc);
}

// As machine code parameters of functions are in registers, whatever the text says.
bool goes_to_memory(const Instruction& instruction, const MachineCost& machine) {
  return touches_memory(instruction.op) && machine.units[static_cast<size_t>(Unit::Memory)] > 0;
}

// Where two units are one pipe, either is taken for as long as both.
void join_pipes(IssueCost& cost, const CoreParameters& parameters) {
  if (!parameters.mul_with_f32) return;
  uint16_t &single = cost.busy[static_cast<size_t>(Unit::Single)],
           &multiply = cost.busy[static_cast<size_t>(Unit::Multiply)];
  single = multiply = static_cast<uint16_t>(single + multiply);
}

// Who takes the port for parts of a cycle.
void add_thirds(IssueCost& cost, unsigned doubles, bool jumps, const CoreParameters& parameters) {
  const unsigned thirds = doubles * parameters.double_thirds + (jumps ? parameters.jump_thirds : 0);
  cost.cycles += static_cast<uint16_t>(thirds / 3);
  cost.thirds = thirds % 3;
}

void note_units(IssueCost& cost) {
  const auto taken = std::count_if(cost.busy.begin(), cost.busy.end(), [](uint16_t cycles) { return cycles > 0; });
  cost.several = taken != (cost.takes(cost.unit) ? 1 : 0);
}

IssueCost cost_of(const Kernel& kernel, Pc pc, const CoreParameters& parameters) {
  const Instruction& instruction = kernel.code[pc];
  const MachineCost machine = kernel.costs.empty() ? plain_cost(instruction) : kernel.costs[pc];
  IssueCost cost;
  cost.slots = machine.slots > 0 || may_go_along(instruction, pc) ? machine.slots : 1;
  const bool warp_wide = instruction.flow == Flow::Sync && instruction.dst_count > 0 && !kernel.costs.empty();
  cost.stores = instruction.op == Op::St && instruction.space != Space::Shared;
  cost.goes_on = parameters.register_scoreboard && (instruction.flow == Flow::Plain || warp_wide);
  if (cost.slots == 0) return cost;
  cost.cycles = static_cast<uint16_t>((cost.slots + machine.refetches) * parameters.interval);
  cost.lead = static_cast<uint16_t>(machine.before + (cost.slots - 1) * parameters.interval);
  cost.unit = goes_to_memory(instruction, machine) ? Unit::Memory : machine.last;
  cost.flow = instruction.flow;
  cost.simple = cost.flow == Flow::Plain || cost.flow == Flow::Branch;
  cost.latency =
      static_cast<uint16_t>(static_cast<int>(latency_of(instruction, cost.unit, parameters)) + machine.after);
  cost.holds = machine.holds;
  for (size_t unit = 0; unit < kUnits; ++unit)
    cost.busy[unit] = static_cast<uint16_t>(machine.units[unit] * parameters.unit(static_cast<Unit>(unit)).interval);
  cost.busy[static_cast<size_t>(Unit::Double)] += static_cast<uint16_t>(machine.third_reads * parameters.third_read);
  cost.busy[static_cast<size_t>(Unit::Special)] += static_cast<uint16_t>(machine.wide_results * parameters.wide_result);
  if (!kernel.costs.empty()) {
    cost.cycles += static_cast<uint16_t>(machine.third_reads * parameters.third_port);
    const unsigned doubles = instruction.type == Type::F16x2 ? 0 : machine.units[static_cast<size_t>(Unit::Double)];
    add_thirds(cost, doubles, machine.refetches > 0, parameters);
    join_pipes(cost, parameters);
  }
  note_units(cost);
  if (parameters.special_queue > 0) {
    cost.specials =
        static_cast<uint8_t>(std::min<int>(machine.units[static_cast<size_t>(Unit::Special)], kMostSpecials));
    cost.simple = cost.simple && cost.specials == 0;
  }
  return cost;
}

// Cycles from a step to the one behind it. Where that one waits for what comes out of the queue, and for nothing else,
// there is nothing to be kept.
unsigned until_next(const std::vector<MachineStep>& steps, size_t i, const CoreParameters& parameters) {
  const MachineStep &step = steps[i], &next = steps[i + 1];
  if (parameters.special_queue > 0 && next.results > 0) {
    unsigned number = 0;
    const auto read = std::find_if(steps.begin(), steps.end(), [&](const MachineStep& each) {
      return each.unit == Unit::Special && ++number == next.results;
    });
    if (read->at + parameters.unit(Unit::Special).latency >= next.at) return 1;
  }
  return next.at - step.at;
}

// Slots of others that were added to it go with the first step. What is behind the last is as of the whole.
std::vector<IssueCost> steps_of(const IssueCost& whole, const MachineCost& machine, const CoreParameters& parameters) {
  const std::vector<MachineStep>& from = *machine.steps;
  const auto is_special = [](const MachineStep& step) { return step.unit == Unit::Special; };
  const auto specials = std::count_if(from.begin(), from.end(), is_special);
  require(specials <= kMostSpecials, "a sequence has more special functions than its steps can name");
  std::vector<IssueCost> steps;
  for (size_t i = 0; i < from.size(); ++i) {
    const MachineStep& step = from[i];
    require(step.results <= specials, "a step reads a special function that its sequence has not");
    IssueCost cost;
    cost.slots = static_cast<uint8_t>(i == 0 ? whole.slots - (from.size() - 1) : 1);
    cost.cycles = static_cast<uint16_t>((cost.slots + step.refetches) * parameters.interval);
    cost.unit = step.unit;
    cost.busy[static_cast<size_t>(step.unit)] = static_cast<uint16_t>(step.takes * parameters.unit(step.unit).interval +
                                                                      (step.third_read ? parameters.third_read : 0));
    cost.cycles += static_cast<uint16_t>(step.third_read ? parameters.third_port : 0);
    add_thirds(cost, step.unit == Unit::Double ? 1 : 0, step.refetches > 0, parameters);
    join_pipes(cost, parameters);
    note_units(cost);
    if (parameters.special_queue > 0) {
      cost.specials = step.unit == Unit::Special ? 1 : 0;
      cost.results = step.results;
    }
    if (i + 1 < from.size()) {
      cost.holds = static_cast<uint16_t>(until_next(from, i, parameters) * parameters.interval + cost.slots - 1U);
    } else {
      const unsigned at = step.at + whole.slots - static_cast<unsigned>(from.size());
      cost.goes_on = whole.goes_on;
      cost.latency = static_cast<uint16_t>(std::max(1, whole.lead + whole.latency - static_cast<int>(at)));
      cost.holds = static_cast<uint16_t>(std::max(1, whole.holds - static_cast<int>(at)));
    }
    steps.push_back(cost);
  }
  return steps;
}

// The function that the slow path calls is the last but one of the steps, instruction by instruction.
IssueTable::Steps ranges_of(const std::vector<IssueCost>& usual, const Instruction& instruction,
                            const CoreParameters& parameters) {
  IssueTable::Steps all;
  for (size_t range = 0; range < all.size(); ++range) {
    const SlowPath path = slow_path(instruction, static_cast<ValueRange>(range));
    IssueCost each;
    each.cycles = static_cast<uint16_t>(parameters.interval);
    each.unit = Unit::Integer;
    each.busy[static_cast<size_t>(Unit::Integer)] = static_cast<uint16_t>(parameters.unit(Unit::Integer).interval);
    all[range] = usual;
    for (unsigned slot = 0; slot < path.slots; ++slot) {
      each.holds = static_cast<uint16_t>(path.cycles * (slot + 1U) / path.slots - path.cycles * slot / path.slots);
      all[range].insert(all[range].end() - 1, each);
    }
  }
  return all;
}

// What follows at once, if it is known.
void keep_apart(std::vector<IssueCost>& costs, const Kernel& kernel, unsigned cycles) {
  bool before_memory = false;
  for (Pc pc = static_cast<Pc>(costs.size()); pc-- > 0;) {
    IssueCost& cost = costs[pc];
    if (kernel.code[pc].flow != Flow::Plain) before_memory = false;
    if (cost.slots == 0 || kernel.code[pc].flow != Flow::Plain) continue;
    const bool memory = cost.unit == Unit::Memory;
    if (memory && before_memory) cost.holds = std::max(cost.holds, static_cast<uint16_t>(cycles));
    before_memory = memory;
  }
}

bool goes_by_steps(const MachineCost& machine, const CoreParameters& parameters) {
  return machine.steps && machine.slots >= machine.steps->size() && parameters.register_scoreboard;
}

}  // namespace

IssueTable::IssueTable(const Kernel& kernel, const CoreParameters& parameters) : machine_code(!kernel.costs.empty()) {
  costs.reserve(kernel.code.size());
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    costs.push_back(cost_of(kernel, pc, parameters));
    if (!machine_code || !goes_by_steps(kernel.costs[pc], parameters)) continue;
    steps.push_back(ranges_of(steps_of(costs.back(), kernel.costs[pc], parameters), kernel.code[pc], parameters));
    costs.back().steps = static_cast<uint16_t>(steps.size());
    costs.back().simple = false;
  }
  if (parameters.memory_apart > 0) keep_apart(costs, kernel, parameters.memory_apart);
  if (parameters.instruction.bytes > 0) {
    code_at.reserve(costs.size());
    for (const IssueCost& cost : costs) {
      code_at.push_back(code_bytes);
      code_bytes += cost.slots * parameters.instruction_bytes;
    }
  }
  if (parameters.register_scoreboard) uses = kernel.uses ? kernel.uses : std::make_shared<RegisterUses>(kernel);
}

}  // namespace heddle

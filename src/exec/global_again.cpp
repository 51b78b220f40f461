// What waits with its operands, or has read what others write, is executed again in its turn.
#include <algorithm>

#include "exec/global_order.h"

namespace heddle {

bool is_result(const Instruction& i, const Operand& operand) {
  return std::any_of(i.dst.begin(), i.dst.begin() + i.dst_count,
                     [&](const Operand& each) { return each.at == operand.at; });
}

uint64_t GlobalLog::value(const Operand& operand, Hw thread) const {
  if (operand.bytes > 0) return context_.get_bits(operand, thread);
  return context_.predicate({.at = operand.at}, thread) ? 1 : 0;
}

void GlobalLog::set_value(const Operand& operand, Hw thread, uint64_t value) const {
  if (operand.bytes > 0)
    context_.set_bits(operand, thread, value);
  else
    context_.set_predicate({.at = operand.at}, thread, value != 0);
}

// Registers that it reads, lane by lane: the base of an address is not kept by itself.
template <class F>
void GlobalLog::for_each_operand(const Entry& entry, const Lanes& lanes, F&& f) const {
  const Instruction& instruction = context_.kernel.code[entry.pc];
  for (size_t s = entry.access ? 1 : 0; s < instruction.src_count; ++s) {
    const Operand& operand = instruction.src[s];
    if (operand.constant()) continue;
    const LaneMask kept = entry.access ? lanes.mask : lanes.mask.without(entry.kept->later[s]);
    for_each_lane(kept, [&](unsigned k) { f(operand, lanes.thread(k)); });
  }
}

void GlobalLog::keep_operands(Entry& entry) {
  Kept& kept = keep(entry);
  for_each_operand(entry, lanes_of(entry),
                   [&](const Operand& operand, Hw thread) { kept.operands.push_back(value(operand, thread)); });
}

// Its threads may have gone on: its registers get the values that they had, and back what they have. What it writes to
// itself nobody has touched since.
void GlobalLog::execute_again(const Entry& entry) {
  const Instruction& instruction = context_.kernel.code[entry.pc];
  const Lanes lanes = lanes_of(entry);
  const Operand& base = instruction.src[0];
  const bool has_base = entry.access && !base.constant();
  const bool has_operands = entry.kept && !entry.kept->operands.empty();
  present_.clear();
  size_t next = 0;
  if (has_base)
    for_each_lane(lanes.mask, [&](unsigned k) {
      present_.push_back(context_.get_bits(base, lanes.thread(k)));
      context_.set_bits(base, lanes.thread(k), entry.address(k) - static_cast<uint64_t>(instruction.displacement));
    });
  if (has_operands)
    for_each_operand(entry, lanes, [&](const Operand& operand, Hw thread) {
      present_.push_back(value(operand, thread));
      set_value(operand, thread, entry.kept->operands[next++]);
    });
  context_.pc = entry.pc;
  handlers_[entry.pc](context_, instruction, lanes);
  next = 0;
  const auto give_back = [&](const Operand& operand, Hw thread) {
    if (const uint64_t was = present_[next++]; !is_result(instruction, operand)) set_value(operand, thread, was);
  };
  if (has_base) for_each_lane(lanes.mask, [&](unsigned k) { give_back(base, lanes.thread(k)); });
  if (has_operands) for_each_operand(entry, lanes, give_back);
}

}  // namespace heddle

// What atomics, flags and fences say about order; cp.async, which touches memory in two places.
#include <algorithm>

#include "check/race_check.h"

namespace heddle::check {

void RaceCheck::fence(const Lanes& lanes, Reach reach) {
  if (lanes.is_row()) return order_.fence(lanes.first / kRow, lanes.mask, reach);
  for_each_lane(lanes.mask,
                [&](unsigned k) { order_.fence(lanes.thread(k) / kRow, LaneMask::of(lanes.thread(k) % kRow), reach); });
}

void RaceCheck::synchronise(Context& context, const Instruction& i, const Lanes& lanes) {
  const AccessStep& step = steps_[context.pc];
  for_each_lane(lanes.mask,
                [&](unsigned k) { synchronise(context, i, step, lanes.thread(k), context.access.address[k]); });
}

void RaceCheck::synchronise(const Context& context, const Instruction& i, const AccessStep& step, Hw thread,
                            Address address) {
  const bool window = i.space == Space::None && address - kSharedWindow < kWindowBytes;
  const bool shared = window || i.space == Space::Shared || step.kind == AccessStep::Kind::Arrive ||
                      step.kind == AccessStep::Kind::Test;
  SyncVariables& variables = shared ? shared_[context.block_of_row[thread / kRow]].variables : memory_.variables;
  const uint64_t key = window ? address - kSharedWindow : address;
  if (step.kind == AccessStep::Kind::Load) {
    if (const auto found = variables.find(key); found != variables.end()) acquire(step, found->second, thread);
    return;
  }
  if (step.kind == AccessStep::Kind::Test) {
    if (const auto found = variables.find(key); found != variables.end() && context.predicate(i.dst[0], thread))
      order_.acquire(thread, joined(found->second.gpu, found->second.block));
    return;
  }
  SyncVariable& variable = variables[key];
  if (i.op == Op::Atom) acquire(step, variable, thread);
  release(step, variable, thread, step.kind != AccessStep::Kind::Store);
}

void RaceCheck::acquire(const AccessStep& step, const SyncVariable& variable, Hw thread) {
  const bool own = variable.block && variable.whose == order_.block_number(thread / kRow);
  const Knowledge what =
      joined(step.reach == Reach::Gpu || own ? variable.gpu : nullptr, own ? variable.block : nullptr);
  if (step.kind == AccessStep::Kind::Atomic || step.acquires)
    order_.acquire(thread, what);
  else
    order_.acquire_at_fence(thread, what);
}

// A store ends what was released at its place before; an atomic adds to it.
void RaceCheck::release(const AccessStep& step, SyncVariable& variable, Hw thread, bool joins) {
  const uint32_t block = order_.block_number(thread / kRow);
  Knowledge within, beyond;
  if (step.releases || step.kind == AccessStep::Kind::Arrive) {
    within = order_.release_now(thread);
    if (step.reach == Reach::Gpu) beyond = within;
  } else {
    within = order_.released(thread, Reach::Block);
    if (step.reach == Reach::Gpu) beyond = order_.released(thread, Reach::Gpu);
  }
  if (joins) {
    if (variable.whose == block) within = joined(variable.block, within);
    beyond = joined(variable.gpu, beyond);
  }
  variable = {std::move(beyond), std::move(within), block};
}

// Its own threads' order alone counts: the bytes are there when it is waited for, which no other thread does for it.
void RaceCheck::copy(Context& context, const Instruction& i, const Lanes& lanes) {
  const Pc pc = std::min(context.pc, Record::kMostPc);
  if (i.src_count < 3) return;  // commit and wait
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const unsigned row = thread / kRow;
    const auto bytes = static_cast<unsigned>(context.get_bits(i.src[2], thread));
    const uint64_t given = i.src_count > 3 ? context.get_bits(i.src[3], thread) : bytes;
    if (bytes == 0 || bytes > 16 || (bytes & (bytes - 1)) != 0) return;  // a fault, which the handler reports
    const LaneMask self = LaneMask::of(thread % kRow);
    const Record record(order_.touch(row), pc, thread % kRow, 0);
    const Address to = context.get_bits(i.src[0], thread) + static_cast<uint64_t>(i.displacement);
    const Address from = context.get_bits(i.src[1], thread) + static_cast<uint64_t>(i.displacement2);
    if (given > 0 && context.memory.extent_at(from).bytes > 0)
      touch(context, memory_.global, {thread, self, record, memory_.timeline.floor(), from, false, false}, bytes);
    if (to < context.block_of(thread).shared.size())
      touch(context, shared_[context.block_of_row[row]].shadow,
            {thread, self, record, order_.shared_floor(row), to, true, true}, bytes);
  });
}

}  // namespace heddle::check

// Instructions for which threads wait for each other.
#include <fmt/format.h>

#include <bit>

#include "base/error.h"
#include "exec/numeric/min_max.h"
#include "support/oracle_launch.h"

namespace heddle::oracle {
namespace {

unsigned living(const Block& block) {
  unsigned count = 0;
  for (const Thread& thread : block.threads) count += thread.state != Thread::State::Gone;
  return count;
}

uint32_t joined(const Instruction& i, uint32_t a, uint32_t b) {
  if (i.has(Mod::Add)) return a + b;
  if (i.has(Mod::And)) return a & b;
  if (i.has(Mod::Or)) return a | b;
  if (i.has(Mod::Xor)) return a ^ b;
  const bool smaller = i.has(Mod::Min);
  if (i.type == Type::F32) {
    const uint32_t sign = i.has(Mod::Abs) ? 0x7fffffffU : ~0U;
    const float x = std::bit_cast<float>(a & sign), y = std::bit_cast<float>(b & sign);
    if (i.has(Mod::NaN)) return std::bit_cast<uint32_t>(smaller ? numeric::min_nan(x, y) : numeric::max_nan(x, y));
    return std::bit_cast<uint32_t>(smaller ? numeric::min(x, y) : numeric::max(x, y));
  }
  if (i.type == Type::S32) {
    const auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
    return static_cast<uint32_t>(smaller ? std::min(x, y) : std::max(x, y));
  }
  return smaller ? std::min(a, b) : std::max(a, b);
}

}  // namespace

void Launch::arrive(Thread& thread, const Instruction& i) {
  const uint64_t index = get(thread, i.src[0]).low;
  if (index >= 16) fail(thread, "no such barrier");
  Block::Barrier& barrier = thread.block->barriers[index];
  const unsigned operands = i.src_count - (i.op == Op::BarRed ? 1U : 0U);
  barrier.expected = operands > 1 ? static_cast<unsigned>(get(thread, i.src[1]).low) : 0;
  ++barrier.arrived;
  if (i.op == Op::BarRed) {
    const Value vote = get(thread, i.src[i.src_count - 1U]);
    barrier.votes += vote.low != 0;
    barrier.source = std::max(barrier.source, vote.source);
  }
  if (i.op == Op::BarArrive) {
    ++thread.pc;
  } else {
    thread.state = Thread::State::AtBarrier;
    barrier.waiting.push_back(&thread);
  }
  complete_barrier(*thread.block, static_cast<unsigned>(index));
}

void Launch::complete_barrier(Block& block, unsigned index) {
  Block::Barrier& barrier = block.barriers[index];
  if (barrier.arrived == 0 || barrier.arrived < (barrier.expected != 0 ? barrier.expected : living(block))) return;
  for (Thread* thread : barrier.waiting) {
    const Instruction& i = kernel_.code[thread->pc];
    if (i.op == Op::BarRed) {
      const bool all = barrier.votes == barrier.arrived, any = barrier.votes > 0;
      set(*thread, i.dst[0], {i.has(Mod::And) ? all : i.has(Mod::Or) ? any : barrier.votes, 0, barrier.source});
    }
    thread->state = Thread::State::Runs;
    ++thread->pc;
  }
  barrier = {};
}

void Launch::exited(Block& block) {
  for (unsigned index = 0; index < 16; ++index) complete_barrier(block, index);
}

// The living members of the thread's mask, if all of them wait at its instruction; else nobody.
LaneMask Launch::waiting_with(Block& block, const Thread& thread) const {
  const Instruction& i = kernel_.code[thread.pc];
  LaneMask members(static_cast<uint32_t>(get(thread, i.src[i.src_count - 1U]).low));
  members.add(thread.number % kRow);
  const unsigned first = thread.number / kRow * kRow;
  for (unsigned lane = 0; lane < kRow; ++lane) {
    if (!members.has(lane)) continue;
    const bool exists = first + lane < block.threads.size() && block.threads[first + lane].state != Thread::State::Gone;
    if (!exists)
      members.remove(lane);
    else if (block.threads[first + lane].state != Thread::State::AtSync || block.threads[first + lane].pc != thread.pc)
      return {};
  }
  return members;
}

bool Launch::complete_syncs(Block& block) {
  bool moved = false;
  for (Thread& thread : block.threads) {
    if (thread.state != Thread::State::AtSync) continue;
    const LaneMask mask = waiting_with(block, thread);
    if (mask.empty()) continue;
    std::vector<Thread*> members;
    for_each_lane(mask, [&](unsigned lane) { members.push_back(&block.threads[thread.number / kRow * kRow + lane]); });
    together(members, mask, kernel_.code[thread.pc]);
    for (Thread* member : members) {
      member->state = Thread::State::Runs;
      ++member->pc;
    }
    moved = true;
  }
  return moved;
}

void Launch::together(std::vector<Thread*> members, LaneMask mask, const Instruction& i) {
  uint32_t yes = 0, sum = 0;
  Source from = Source::Nothing;  // of all inputs of all members
  for (const Thread* thread : members) {
    from = std::max(from, sources_of(*thread, i));
    const auto value = static_cast<uint32_t>(i.src_count > 0 ? get(*thread, i.src[0]).low : 0);
    if (value != 0) yes |= 1U << (thread->number % kRow);
    sum = thread == members[0] ? value : joined(i, sum, value);
  }
  if (i.op == Op::Shfl) return shuffle(members, i, from);
  for (Thread* thread : members) {
    uint32_t same = 0;  // who holds the same value
    for (const Thread* other : members)
      if (get(*other, i.src[0]) == get(*thread, i.src[0])) same |= 1U << (other->number % kRow);
    const bool alike = same == mask.bits();
    switch (i.op) {
      case Op::WarpSync: break;
      case Op::Vote:
        if (i.has(Mod::Ballot)) set(*thread, i.dst[0], {yes, 0, from});
        if (i.has(Mod::All)) set(*thread, i.dst[0], {yes == mask.bits(), 0, from});
        if (i.has(Mod::Any)) set(*thread, i.dst[0], {yes != 0, 0, from});
        if (i.has(Mod::Uni)) set(*thread, i.dst[0], {yes == 0 || yes == mask.bits(), 0, from});
        break;
      case Op::Match:
        set(*thread, i.dst[0], {i.has(Mod::Any) || alike ? same : 0, 0, from});
        if (i.dst_count > 1) set(*thread, i.dst[1], {alike, 0, from});
        break;
      case Op::Redux: set(*thread, i.dst[0], {sum, 0, from}); break;
      case Op::Elect:
        set(*thread, i.dst[0], {mask.lowest(), 0, Source::Program});
        set(*thread, i.dst[1], {thread == members[0], 0, Source::Program});
        break;
      default: throw InternalError("the oracle does not know a warp-wide instruction: " + kernel_.text(thread->pc));
    }
  }
}

// As the manual's pseudo code has it. A lane that is no member gives 0.
void Launch::shuffle(const std::vector<Thread*>& members, const Instruction& i, Source source) {
  int64_t value[kRow] = {};
  for (const Thread* thread : members) value[thread->number % kRow] = static_cast<int64_t>(get(*thread, i.src[0]).low);
  for (Thread* thread : members) {
    const int lane = static_cast<int>(thread->number % kRow);
    const int b = static_cast<int>(get(*thread, i.src[1]).low & 31), c = static_cast<int>(get(*thread, i.src[2]).low);
    const int segment = c >> 8 & 31, bound = c & 31;
    const int most = (lane & segment) | (bound & ~segment), least = lane & segment;
    int from = least | (b & ~segment);
    bool inside = from <= most;
    if (i.has(Mod::Up)) inside = (from = lane - b) >= most;
    if (i.has(Mod::Down)) inside = (from = lane + b) <= most;
    if (i.has(Mod::Bfly)) inside = (from = lane ^ b) <= most;
    if (!inside) from = lane;
    set(*thread, i.dst[0], {static_cast<uint64_t>(value[from]), 0, source});
    if (i.dst_count > 1) set(*thread, i.dst[1], {inside, 0, source});
  }
}

}  // namespace heddle::oracle

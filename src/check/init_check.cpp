#include "check/init_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/kernel_name.h"
#include "check/access_step.h"
#include "check/place.h"
#include "program/liveness.h"

namespace heddle::check {
namespace {

bool is_copy(const Instruction& i) { return i.op == Op::Mov || i.op == Op::Selp; }

uint64_t local_base(Hw thread) { return uint64_t{thread} * Context::kLocalBytes; }

uint64_t frame_of(const Context& context, Hw thread) { return context.get<uint64_t>(context.kernel.frame, thread); }

template <class F>
void for_each_row_of(const Lanes& lanes, F&& f) {
  if (lanes.is_row()) return f(lanes.first / kRow, lanes.mask.bits());
  for_each_lane(lanes.mask, [&](unsigned k) { f(lanes.threads[k] / kRow, 1U << (lanes.threads[k] % kRow)); });
}

}  // namespace

InitCheck::InitCheck(Context& context, WrittenBits& global, Collector& found)
    : global_(global), found_(found), local_(uint64_t{context.block_of_row.size()} * kRow * Context::kLocalBytes) {
  find_doubtful(context.kernel);
  registers_.resize(context.block_of_row.size() * doubtful_.size());
  for (const Instruction& instruction : context.kernel.code) steps_.push_back(step_of(context.kernel, instruction));
}

InitCheck::Kind InitCheck::kind_of(const Instruction& i) {
  const bool memory = i.space != Space::Param && i.space != Space::Const;
  switch (i.op) {
    case Op::Ld: return memory ? Kind::Load : Kind::Nothing;
    case Op::St: return memory ? Kind::Store : Kind::Nothing;
    case Op::Atom:
    case Op::Red: return Kind::Atomic;
    case Op::MbarInit: return Kind::Store;
    case Op::CpAsync:
    case Op::CpBulk: return Kind::Copy;
    case Op::Call: return Kind::Call;
    case Op::Ret: return Kind::Return;
    case Op::Builtin: return Kind::Builtin;
    default: return Kind::Nothing;
  }
}

// Those that are wanted where a function begins, though nobody has given them a value.
void InitCheck::find_doubtful(const Kernel& kernel) {
  const std::vector<Accesses> accesses = accesses_of(kernel);
  const Liveness liveness(kernel, accesses);
  for (const FunctionRange& function : kernel.functions) {
    const RegisterSet& live = liveness.before(kernel.block_of[function.begin]);
    live.for_each([&](size_t number) {
      const Operand& operand = liveness.registers()[number];
      const bool given = operand.at == kernel.frame.at ||
                         std::any_of(kernel.specials.begin(), kernel.specials.end(),
                                     [&](const SpecialRegister& special) { return special.at.at == operand.at; });
      if (!given && doubt(operand) == doubtful_.size()) doubtful_.push_back(operand);
    });
  }
  if (!doubtful_.empty()) add_copies(kernel);
}

void InitCheck::add_copies(const Kernel& kernel) {
  for (size_t before = 0; before != doubtful_.size();) {
    before = doubtful_.size();
    for (const Instruction& i : kernel.code) {
      if (!is_copy(i) || doubt(i.dst[0]) < doubtful_.size()) continue;
      const bool from_doubtful = std::any_of(i.src.begin(), i.src.begin() + i.src_count, [&](const Operand& operand) {
        return !operand.constant() && doubt(operand) < doubtful_.size();
      });
      if (from_doubtful) doubtful_.push_back(i.dst[0]);
    }
  }
}

size_t InitCheck::doubt(const Operand& operand) const {
  const auto found =
      std::find_if(doubtful_.begin(), doubtful_.end(), [&](const Operand& other) { return other.at == operand.at; });
  return static_cast<size_t>(found - doubtful_.begin());
}

InitCheck::Step InitCheck::step_of(const Kernel& kernel, const Instruction& i) const {
  Step step;
  step.kind = kind_of(i);
  step.bytes = i.op == Op::MbarInit ? 8 : static_cast<uint8_t>(bytes_of(i.type) * i.vector);
  const Accesses accesses = accesses_of(kernel, i);
  const auto numbers = [&](const std::vector<Operand>& operands, std::vector<uint16_t>& into) {
    for (const Operand& operand : operands)
      if (const size_t number = doubt(operand); number < doubtful_.size())
        into.push_back(static_cast<uint16_t>(number));
  };
  step.copies = is_copy(i);
  if (i.op == Op::Selp) numbers({i.src[2]}, step.reads);
  if (!step.copies) numbers(accesses.reads, step.reads);
  numbers(accesses.writes, step.writes);
  return step;
}

void InitCheck::block_started(Context& context, BlockId id) {
  const BlockState& block = context.blocks[id];
  const uint32_t frame = context.kernel.functions[0].frame_bytes;
  for (unsigned at = 0; at < block.threads; at += kRow) {
    const auto row = (block.first + at) / kRow;
    for (size_t k = 0; k < doubtful_.size(); ++k) written(row, static_cast<uint16_t>(k)) = 0;
  }
  if (frame > 0)
    for (unsigned k = 0; k < block.threads; ++k) local_.remove_all(local_base(static_cast<Hw>(block.first + k)), frame);
  if (shared_.size() <= id) shared_.resize(id + size_t{1});
  Shared& shared = shared_[id];
  shared.bytes = block.shared.size();
  shared.full = false;
  if (!shared.bits)
    shared.bits = std::make_unique<WrittenBits>(shared.bytes);
  else
    shared.bits->remove_all(0, shared.bytes);
}

void InitCheck::before(Context& context, const Instruction&, const Lanes& lanes) {
  const Step& step = steps_[context.pc];
  if (!step.reads.empty()) check_registers(context, step, lanes);
  if (step.kind == Kind::Return) for_each_lane(lanes.mask, [&](unsigned k) { leave(context, lanes.thread(k)); });
}

void InitCheck::after(Context& context, const Instruction& i, const Lanes& lanes) {
  const Step& step = steps_[context.pc];
  if (!step.writes.empty()) step.copies ? copy_registers(context, i, step, lanes) : note_registers(step, lanes);
  switch (step.kind) {
    case Kind::Nothing:
    case Kind::Return: return;
    case Kind::Load: return check_memory(context, lanes, step.bytes);
    case Kind::Store: return note_memory(context, lanes, step.bytes);
    case Kind::Atomic: check_memory(context, lanes, step.bytes); return note_memory(context, lanes, step.bytes);
    case Kind::Copy: return note_copy(context, i, lanes);
    case Kind::Call: return for_each_lane(lanes.mask, [&](unsigned k) { enter(context, i, lanes.thread(k)); });
    case Kind::Builtin:
      return for_each_lane(lanes.mask, [&](unsigned k) { note_results(context, i, lanes.thread(k)); });
  }
}

// ---- registers

void InitCheck::check_registers(Context& context, const Step& step, const Lanes& lanes) {
  for (const uint16_t number : step.reads)
    for_each_row_of(lanes, [&](unsigned row, uint32_t who) {
      const uint32_t missing = who & ~written(row, number);
      if (missing == 0) return;
      const Kernel& kernel = context.kernel;
      const Pc pc = context.pc;
      found_.add(Finding::Kind::UnwrittenRegister, kernel.name + ' ' + line_of(kernel, pc), [&] {
        const Hw thread = static_cast<Hw>(row * kRow + LaneMask(missing).lowest());
        return Finding{
            Finding::Kind::UnwrittenRegister,
            readable_name(kernel.name),
            fmt::format("{} of {} threads that came together", LaneMask(missing).count(), lanes.mask.count()),
            {{"reads", context.name_thread(thread), kernel.where(pc), kernel.text(pc)}},
            1};
      });
    });
}

void InitCheck::note_registers(const Step& step, const Lanes& lanes) {
  for (const uint16_t number : step.writes)
    for_each_row_of(lanes, [&](unsigned row, uint32_t who) { written(row, number) |= who; });
}

bool InitCheck::is_written(const Operand& operand, Hw thread) {
  const size_t number = operand.constant() ? doubtful_.size() : doubt(operand);
  return number == doubtful_.size() ||
         (written(thread / kRow, static_cast<uint16_t>(number)) >> (thread % kRow) & 1U) != 0;
}

void InitCheck::copy_registers(const Context& context, const Instruction& i, const Step& step, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const bool second = i.op == Op::Selp && !context.predicate(i.src[2], thread);
    uint32_t& bits = written(thread / kRow, step.writes.front());
    const uint32_t bit = 1U << (thread % kRow);
    bits = is_written(i.src[second ? 1 : 0], thread) ? bits | bit : bits & ~bit;
  });
}

// ---- memory

InitCheck::Place InitCheck::place_of(const Context& context, const Access& access, unsigned k, Hw thread) const {
  const Address address = access.address[k];
  const auto shared = [&](uint64_t at) { return Place{shared_[context.block_of_row[thread / kRow]].bits.get(), at}; };
  const auto local = [&](uint64_t at) { return Place{const_cast<WrittenBits*>(&local_), local_base(thread) + at}; };
  if (access.space == Space::Shared) return shared(address);
  if (access.space == Space::Local) return local(address);
  if (access.space == Space::None && address - kSharedWindow < kWindowBytes) return shared(address - kSharedWindow);
  if (access.space == Space::None && address - kLocalWindow < kWindowBytes) return local(address - kLocalWindow);
  return {&global_, address - context.memory.base()};
}

// Quickly, run by run: where lanes lie one after another, or all on one place.
bool InitCheck::row_written(const Context& context, const Lanes& lanes, unsigned bytes) const {
  const Access& access = context.access;
  if (!lanes.is_row() || !lanes.mask.full() || access.space == Space::Local) return false;
  const auto& at = access.address;
  for (unsigned first = 0, end = 0; first < kRow; first = end) {
    const uint64_t step = first + 1 < kRow ? at[first + 1] - at[first] : 0;
    end = first + 1;
    if (step == 0 || step == bytes)
      while (end < kRow && at[end] - at[end - 1] == step) ++end;
    const Place place = place_of(context, access, first, lanes.first);
    const uint64_t length = step == 0 ? bytes : uint64_t{end - first} * bytes;
    if (place.bits == &local_ || !place.bits->has_all(place.at, length)) return false;
  }
  return true;
}

// Looked at now and then, for it takes as long as a row or two.
bool InitCheck::all_written(Shared& shared) const {
  constexpr unsigned kNowAndThen = 32;
  if (!shared.full && ++shared.reads % kNowAndThen == 0) shared.full = shared.bits->has_all(0, shared.bytes);
  return shared.full;
}

void InitCheck::check_memory(Context& context, const Lanes& lanes, unsigned bytes) {
  if (context.access.space == Space::Shared && lanes.is_row() &&
      all_written(shared_[context.block_of_row[lanes.first / kRow]]))
    return;
  if (row_written(context, lanes, bytes)) return;
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Place place = place_of(context, context.access, k, lanes.thread(k));
    if (!place.bits->has(place.at, bytes)) report_memory(context, lanes.thread(k), context.access, k);
  });
}

void InitCheck::note_memory(const Context& context, const Lanes& lanes, unsigned bytes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Place place = place_of(context, context.access, k, lanes.thread(k));
    place.bits->add(place.at, bytes);
  });
}

void InitCheck::note_copy(const Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const Address to = context.get_bits(i.src[0], thread) + static_cast<uint64_t>(i.displacement);
    const uint64_t bytes = context.get_bits(i.src[2], thread);
    if (i.has(Mod::BulkGroup))
      global_.add_all(to - context.memory.base(), bytes);
    else
      shared_[context.block_of_row[thread / kRow]].bits->add_all(to, bytes);
  });
}

// A new frame is unwritten but for the parameters in it.
void InitCheck::enter(const Context& context, const Instruction& i, Hw thread) {
  const CallSite& site = context.kernel.calls[i.table];
  const uint64_t frame = local_base(thread) + frame_of(context, thread);
  uint64_t bytes = 0;
  for (const FunctionRange& function : context.kernel.functions)
    bytes = std::max<uint64_t>(bytes, function.frame_bytes);
  local_.remove_all(frame, std::min<uint64_t>(bytes, local_base(thread) + Context::kLocalBytes - frame));
  for (const Signature::Item& parameter : site.signature.parameters)
    local_.add_all(frame + parameter.offset, parameter.bytes);
}

void InitCheck::leave(const Context& context, Hw thread) {
  const Context::ReturnStack& stack = context.stacks[thread];
  if (stack.frames.empty()) return;  // a fault, which the handler reports
  const CallSite& site = context.kernel.calls[stack.frames.back().site];
  const uint64_t caller = local_base(thread) + stack.saved[stack.saved.size() - site.saved.size() - 1];
  for (const CallSite::Item& item : site.results)
    if (item.in_frame) local_.add_all(caller + item.offset, item.bytes);
}

void InitCheck::note_results(const Context& context, const Instruction& i, Hw thread) {
  for (const CallSite::Item& item : context.kernel.calls[i.table].results)
    if (item.in_frame) local_.add_all(local_base(thread) + frame_of(context, thread) + item.offset, item.bytes);
}

void InitCheck::report_memory(Context& context, Hw thread, const Access& access, unsigned k) {
  const Kernel& kernel = context.kernel;
  const Pc pc = context.pc;
  found_.add(Finding::Kind::UnwrittenMemory, kernel.name + ' ' + line_of(kernel, pc), [&] {
    const Place place = place_of(context, access, k, thread);
    std::string what;
    if (place.bits == &global_)
      what = fmt::format("{:#x}, {}", access.address[k], context.memory.describe(access.address[k]));
    else if (place.bits == &local_)
      what = fmt::format("local memory, byte {:#x}", place.at - local_base(thread));
    else
      what = fmt::format("shared memory, byte {:#x}", place.at);
    return Finding{Finding::Kind::UnwrittenMemory,
                   readable_name(kernel.name),
                   std::move(what),
                   {{name_of(kernel.code[pc], false), context.name_thread(thread), kernel.where(pc), kernel.text(pc)}},
                   1};
  });
}

}  // namespace heddle::check

#include "exec/global_order.h"

#include <algorithm>

#include "exec/resolve.h"

namespace heddle {
namespace {

bool is_mbarrier(Op op) {
  return op == Op::MbarInit || op == Op::MbarArrive || op == Op::MbarTest || op == Op::MbarInval || op == Op::MbarTx ||
         op == Op::CpArrive;
}

bool writes(const Instruction& i) { return i.op != Op::Ld; }

// May it touch global memory that threads write?
bool is_ordered(const Instruction& i) {
  if (i.space == Space::Shared || i.space == Space::Local) return false;
  switch (i.op) {
    case Op::Ld: return i.space != Space::Const && i.space != Space::Param;
    case Op::St:
    case Op::Atom:
    case Op::Red: return true;
    default: return is_mbarrier(i.op);
  }
}

unsigned access_bytes(const Instruction& i) { return is_mbarrier(i.op) ? 8 : bytes_of(i.type) * i.vector; }

// Of those of the last instruction, the lanes that touched global memory.
LaneMask global_lanes(const Access& access) {
  if (access.space != Space::None) return access.mask;
  LaneMask global = access.mask;
  for_each_lane(access.mask, [&](unsigned k) {
    const Address at = access.address[k];
    if (at - kSharedWindow < kWindowBytes || at - kLocalWindow < kWindowBytes) global.remove(k);
  });
  return global;
}

}  // namespace

GlobalLog::GlobalLog(Context& context) : context_(context), handlers_(context.handlers) {}

void GlobalLog::execute(const Instruction& instruction, const Lanes& lanes) {
  if (open_ && (writes_ || writes(instruction))) return wait(instruction, lanes);
  handlers_[context_.pc](context_, instruction, lanes);
  if (open_) note(lanes, global_lanes(context_.access), false);
}

// Memory of the block and of the thread is nobody else's: what reaches it through a generic address is done at once.
void GlobalLog::wait(const Instruction& instruction, const Lanes& lanes) {
  std::array<std::byte*, kRow> host;
  resolve(context_, instruction, lanes, access_bytes(instruction), writes(instruction), host);
  const LaneMask global = global_lanes(context_.access);
  if (const LaneMask own = lanes.mask.without(global); !own.empty()) {
    const Access all = context_.access;
    Lanes now = lanes;
    now.mask = own;
    handlers_[context_.pc](context_, instruction, now);
    context_.access = all;
  }
  note(lanes, global, true);
  writes_ = writes_ || !global.empty();
}

void GlobalLog::note(const Lanes& lanes, LaneMask who, bool waits) {
  if (who.empty()) return;
  if (used_ == entries_.size()) entries_.emplace_back();
  Entry& entry = entries_[used_++];
  entry.pc = context_.pc;
  entry.waits = waits;
  entry.lanes = lanes;
  entry.lanes.mask = who;
  if (!lanes.is_row()) for_each_lane(who, [&](unsigned k) { entry.threads[k] = lanes.threads[k]; });
  entry.address = context_.access.address;
}

void GlobalLog::commit(LineFilter& written) {
  for (size_t i = 0; i < used_; ++i) {
    Entry& entry = entries_[i];
    bool due = entry.waits;
    if (!due && !written.empty())
      for_each_lane(entry.lanes.mask, [&](unsigned k) { due = due || written.has(entry.address[k]); });
    if (!due) continue;
    execute_again(entry);
    if (writes(context_.kernel.code[entry.pc]))
      for_each_lane(entry.lanes.mask, [&](unsigned k) { written.add(entry.address[k]); });
  }
  used_ = 0;
  writes_ = false;
}

// A load may have overwritten its own address.
void GlobalLog::execute_again(Entry& entry) {
  const Instruction& instruction = context_.kernel.code[entry.pc];
  Lanes& lanes = entry.lanes;
  if (!lanes.is_row()) lanes.threads = entry.threads.data();
  const Operand& base = instruction.src[0];
  if (!entry.waits && !base.constant())
    for_each_lane(lanes.mask, [&](unsigned k) {
      context_.set_bits(base, lanes.thread(k), entry.address[k] - static_cast<uint64_t>(instruction.displacement));
    });
  context_.pc = entry.pc;
  handlers_[entry.pc](context_, instruction, lanes);
}

// Textures and copies touch more than a handler's one access; printf, malloc and free what all cores share.
bool can_keep_order(const Kernel& kernel) {
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    const Instruction& i = kernel.code[pc];
    if (i.op == Op::Tex || i.op == Op::CpAsync || i.op == Op::CpBulk) return false;
    if (i.op == Op::Builtin && kernel.calls[i.table].builtin != CallSite::Builtin::AssertFail) return false;
    // It goes with another instruction of its cycle, which may be one that reads what it loads.
    if (is_ordered(i) && !kernel.costs.empty() && kernel.costs[pc].slots == 0) return false;
  }
  return true;
}

void keep_order(Context& context) {
  context.log = std::make_unique<GlobalLog>(context);
  for (Pc pc = 0; pc < context.kernel.code.size(); ++pc)
    if (is_ordered(context.kernel.code[pc]))
      context.handlers[pc] = [](Context& own, const Instruction& instruction, const Lanes& lanes) {
        own.log->execute(instruction, lanes);
      };
}

}  // namespace heddle

// Branches, calls and returns: they say where each thread goes; grouping is the mechanism's affair.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "exec/handlers.h"
#include "exec/print.h"
#include "exec/resolve.h"

namespace heddle {
namespace {

void add_target(std::vector<Target>& targets, Pc pc, LaneMask who) {
  if (who.empty()) return;
  const auto at =
      std::lower_bound(targets.begin(), targets.end(), pc, [](const Target& t, Pc value) { return t.pc < value; });
  if (at != targets.end() && at->pc == pc)
    at->who |= who;
  else
    targets.insert(at, {pc, who});
}

void branch(Context& context, const Instruction& i, const Lanes& lanes) {
  context.targets.clear();
  const LaneMask taken = context.guarded(i, lanes).mask;
  add_target(context.targets, context.pc + 1, lanes.mask.without(taken));
  add_target(context.targets, i.target, taken);
}

void table_branch(Context& context, const Instruction& i, const Lanes& lanes) {
  context.targets.clear();
  const std::vector<Pc>& table = context.kernel.tables[i.table];
  for_each_lane(lanes.mask, [&](unsigned k) {
    const uint64_t index = context.get_bits(i.src[0], lanes.thread(k));
    if (index >= table.size())
      throw context.fault(lanes.thread(k), fmt::format("brx.idx: index {} of a table of {}", index, table.size()));
    add_target(context.targets, table[index], LaneMask::of(k));
  });
}

void copy_argument(Context& context, Hw thread, const CallSite::Item& item, uint32_t to, uint32_t bytes) {
  std::byte* frame = context.local(thread);
  const auto caller = static_cast<uint32_t>(context.get<uint64_t>(context.kernel.frame, thread));
  if (item.in_frame) {
    std::memmove(frame + to, frame + caller + item.offset, std::min(bytes, item.bytes));
  } else {
    const uint64_t value = context.get_bits(item.reg, thread);
    std::memcpy(frame + to, &value, std::min<uint32_t>(bytes, 8));
  }
}

// The callee's frame begins where the caller's ends (or where alloca has moved that end).
void enter(Context& context, const Instruction& i, Hw thread, const FunctionRange& callee) {
  const CallSite& site = context.kernel.calls[i.table];
  const uint64_t caller = context.get<uint64_t>(context.kernel.frame, thread);
  uint64_t frame = caller + site.frame_bytes;
  if (!context.alloca_top.empty()) frame = std::max<uint64_t>(frame, (context.alloca_top[thread] + 15) / 16 * 16);
  if (frame + callee.frame_bytes > Context::kLocalBytes)
    throw context.fault(thread, fmt::format("stack overflow: {} calls deep, {} bytes of local memory",
                                            context.depth(thread), Context::kLocalBytes));
  for (size_t k = 0; k < site.arguments.size(); ++k) {
    const Signature::Item& parameter = site.signature.parameters[k];
    copy_argument(context, thread, site.arguments[k], static_cast<uint32_t>(frame) + parameter.offset, parameter.bytes);
  }
  Context::ReturnStack& stack = context.stacks[thread];
  stack.frames.push_back({context.pc + 1, i.table});
  stack.saved.push_back(caller);
  for (const Operand& operand : site.saved) stack.saved.push_back(context.get_bits(operand, thread));
  context.set<uint64_t>(context.kernel.frame, thread, frame);
  if (!context.alloca_top.empty()) context.alloca_top[thread] = static_cast<uint32_t>(frame + callee.frame_bytes);
}

const FunctionRange* function_at(const Kernel& kernel, uint64_t address) {
  for (const FunctionRange& range : kernel.functions)
    if (range.address == address && address != 0) return &range;
  return nullptr;
}

void call(Context& context, const Instruction& i, const Lanes& lanes) {
  context.targets.clear();
  const CallSite& site = context.kernel.calls[i.table];
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const FunctionRange* callee = nullptr;
    if (site.indirect) {
      const uint64_t address = context.get_bits(i.src[0], thread);
      callee = function_at(context.kernel, address);
      if (!callee) throw context.fault(thread, fmt::format("indirect call of {:#x}, which is no function", address));
    } else {
      callee = &context.kernel.function_at(i.target);
    }
    enter(context, i, thread, *callee);
    add_target(context.targets, callee->begin, LaneMask::of(k));
  });
}

// Copies the results to the caller and gives it back its frame and saved registers.
Pc leave(Context& context, Hw thread) {
  Context::ReturnStack& stack = context.stacks[thread];
  if (stack.frames.empty()) throw context.fault(thread, "return without a call");
  const auto [return_pc, table] = stack.frames.back();
  stack.frames.pop_back();
  const CallSite& site = context.kernel.calls[table];
  const uint64_t callee = context.get<uint64_t>(context.kernel.frame, thread);
  for (size_t k = site.saved.size(); k-- > 0;) {
    context.set_bits(site.saved[k], thread, stack.saved.back());
    stack.saved.pop_back();
  }
  const uint64_t caller = stack.saved.back();
  stack.saved.pop_back();
  context.set<uint64_t>(context.kernel.frame, thread, caller);
  if (!context.alloca_top.empty()) context.alloca_top[thread] = static_cast<uint32_t>(callee);
  std::byte* local = context.local(thread);
  for (size_t k = 0; k < site.results.size(); ++k) {
    const CallSite::Item& item = site.results[k];
    const Signature::Item& result = site.signature.results[k];
    if (item.in_frame) {
      std::memmove(local + caller + item.offset, local + callee + result.offset, std::min(result.bytes, item.bytes));
    } else {
      uint64_t value = 0;
      std::memcpy(&value, local + callee + result.offset, std::min<uint32_t>(result.bytes, 8));
      context.set_bits(item.reg, thread, value);
    }
  }
  return return_pc;
}

void ret(Context& context, const Instruction&, const Lanes& lanes) {
  context.targets.clear();
  for_each_lane(lanes.mask,
                [&](unsigned k) { add_target(context.targets, leave(context, lanes.thread(k)), LaneMask::of(k)); });
}

void exit_threads(Context& context, const Instruction&, const Lanes&) { context.targets.clear(); }

void trap(Context& context, const Instruction&, const Lanes& lanes) {
  if (!lanes.mask.empty()) throw context.fault(lanes.thread(lanes.mask.lowest()), "trap");
}

}  // namespace

Handler select_control(const Instruction& i) {
  switch (i.op) {
    case Op::Bra: return &branch;
    case Op::Brx: return &table_branch;
    case Op::Call: return &call;
    case Op::Ret: return &ret;
    case Op::Exit: return &exit_threads;
    case Op::Trap: return &trap;
    case Op::Builtin: return &call_builtin;
    default: return nullptr;
  }
}

}  // namespace heddle

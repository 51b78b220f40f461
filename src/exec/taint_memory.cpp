// Taint through memory: what loads bring, what local memory keeps, what calls hand over.
#include "exec/taint.h"

namespace heddle {
namespace {

// Where in the thread's local memory the access of a lane went; nowhere: kElsewhere.
constexpr uint64_t kElsewhere = ~uint64_t{0};

uint64_t local_offset(const Access& access, unsigned lane) {
  const Address address = access.address[lane];
  if (access.space == Space::Local) return address;
  if (access.space == Space::None && address - kLocalWindow < kWindowBytes) return address - kLocalWindow;
  return kElsewhere;
}

// A kernel parameter is one however it is read.
bool is_parameter(const Context& context, Address address) {
  return address - context.launch.parameters < context.kernel.parameter_bytes;
}

// The frame of the function that called this one, whose call site is `site`.
uint64_t caller_frame(const Context& context, const CallSite& site, Hw thread) {
  const std::vector<uint64_t>& saved = context.stacks[thread].saved;
  return saved[saved.size() - site.saved.size() - 1];
}

uint64_t frame_of(const Context& context, Hw thread) { return context.get<uint64_t>(context.kernel.frame, thread); }

}  // namespace

ValueOrigin Taint::local(Hw thread, uint64_t offset, uint64_t bytes) const {
  const std::vector<ValueOrigin>& memory = local_[thread];
  ValueOrigin sum = ValueOrigin::None;
  for (uint64_t at = offset; at < std::min<uint64_t>(offset + bytes, memory.size()); ++at)
    sum = std::max(sum, memory[at]);
  return sum;
}

void Taint::set_local(Hw thread, uint64_t offset, uint64_t bytes, ValueOrigin origin) {
  std::vector<ValueOrigin>& memory = local_[thread];
  if (memory.size() < offset + bytes) memory.resize(offset + bytes);
  std::fill_n(memory.begin() + static_cast<ptrdiff_t>(offset), bytes, origin);
}

void Taint::copy_local(Hw thread, uint64_t from, uint64_t to, uint64_t bytes) {
  std::vector<ValueOrigin> copy(bytes);
  for (uint64_t i = 0; i < bytes; ++i) copy[i] = local(thread, from + i, 1);
  for (uint64_t i = 0; i < bytes; ++i) set_local(thread, to + i, 1, copy[i]);
}

void Taint::load(const Context& context, const Instruction& i, const Step& step, const Lanes& lanes) {
  const unsigned bytes = bytes_of(i.type);
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const uint64_t offset = local_offset(context.access, k);
    if (offset != kElsewhere) {
      for (unsigned element = 0; element < i.vector; ++element)
        set(i.dst[element], thread, local(thread, offset + element * bytes, bytes));
      return;
    }
    const bool parameter = i.space != Space::Shared && is_parameter(context, context.access.address[k]);
    write(step, thread / kRow, LaneMask::of(thread % kRow), parameter ? Cell{~0U, 0} : Cell{0, ~0U});
  });
}

void Taint::store(const Context& context, const Instruction& i, const Lanes& lanes) {
  if (i.space != Space::Local && i.space != Space::None) return;
  const unsigned bytes = bytes_of(i.type);
  for_each_lane(lanes.mask, [&](unsigned k) {
    const uint64_t offset = local_offset(context.access, k);
    if (offset == kElsewhere) return;
    for (unsigned element = 0; element < i.vector; ++element)
      set_local(lanes.thread(k), offset + element * bytes, bytes, get(i.src[1 + element], lanes.thread(k)));
  });
}

// What a function of the driver returns depends on what it read.
void Taint::builtin(const Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    for (const CallSite::Item& item : kernel_.calls[i.table].results) {
      if (item.in_frame)
        set_local(thread, frame_of(context, thread) + item.offset, item.bytes, ValueOrigin::Data);
      else
        set(item.reg, thread, ValueOrigin::Data);
    }
  });
}

// The thread has entered the function: its arguments lie in its frame.
void Taint::call(const Context& context, const Instruction& i, Hw thread) {
  const CallSite& site = kernel_.calls[i.table];
  const uint64_t caller = caller_frame(context, site, thread), callee = frame_of(context, thread);
  for (size_t k = 0; k < site.arguments.size(); ++k) {
    const CallSite::Item& item = site.arguments[k];
    const Signature::Item& parameter = site.signature.parameters[k];
    if (item.in_frame)
      copy_local(thread, caller + item.offset, callee + parameter.offset, std::min(parameter.bytes, item.bytes));
    else
      set_local(thread, callee + parameter.offset, std::min(parameter.bytes, 8U), get(item.reg, thread));
  }
  for (const Operand& operand : site.saved) saved_[thread].push_back(get(operand, thread));
}

// The thread is about to return: as control.cpp has it, registers first, then results.
void Taint::leave(const Context& context, Hw thread) {
  const Context::ReturnStack& stack = context.stacks[thread];
  if (stack.frames.empty()) return;  // a fault, which the handler reports
  const CallSite& site = kernel_.calls[stack.frames.back().site];
  const uint64_t caller = caller_frame(context, site, thread), callee = frame_of(context, thread);
  for (size_t k = site.saved.size(); k-- > 0;) {
    set(site.saved[k], thread, saved_[thread].back());
    saved_[thread].pop_back();
  }
  for (size_t k = 0; k < site.results.size(); ++k) {
    const CallSite::Item& item = site.results[k];
    const Signature::Item& result = site.signature.results[k];
    if (item.in_frame)
      copy_local(thread, callee + result.offset, caller + item.offset, std::min(result.bytes, item.bytes));
    else
      set(item.reg, thread, local(thread, callee + result.offset, std::min(result.bytes, 8U)));
  }
}

}  // namespace heddle

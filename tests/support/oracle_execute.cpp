// What one instruction does to one thread.
#include <fmt/format.h>

#include <cstring>

#include "base/address_map.h"
#include "base/error.h"
#include "support/oracle_launch.h"

namespace heddle::oracle {
namespace {

Address window_of(Space space) {
  return space == Space::Shared ? kSharedWindow : space == Space::Local ? kLocalWindow : 0;
}

bool within(Address address, Address begin, uint64_t bytes) { return address >= begin && address - begin < bytes; }

}  // namespace

void Launch::step(Thread& thread) {
  const Instruction& i = kernel_.code[thread.pc];
  ++instructions_;
  switch (i.flow) {
    case Flow::Plain:
      if (guard_holds(thread, i)) execute(thread, i);
      ++thread.pc;
      return;
    case Flow::Branch: return control(thread, i);
    case Flow::Barrier: return arrive(thread, i);
    case Flow::Sync: thread.state = Thread::State::AtSync; return;
  }
}

void Launch::execute(Thread& thread, const Instruction& i) {
  if (const Scalar scalar = scalars_[thread.pc]) {
    uint64_t source[9] = {};
    for (unsigned k = 0; k < i.src_count; ++k) source[k] = get(thread, i.src[k]).low;
    const Results results = scalar(i, source);
    const Source from = sources_of(thread, i);
    set(thread, i.dst[0], {results.first, 0, from});
    if (i.dst_count > 1) set(thread, i.dst[1], {results.second, 0, from});
    return;
  }
  const Source from = sources_of(thread, i);
  const uint32_t lane = 1U << (thread.number % kRow);
  switch (i.op) {
    case Op::Mov: return set(thread, i.dst[0], get(thread, i.src[0]));  // 128 bits
    case Op::Pack: return pack(thread, i);
    case Op::Unpack: return unpack(thread, i);
    case Op::Clock: return set(thread, i.dst[0], {instructions_, 0, Source::Program});
    case Op::ActiveMask: return set(thread, i.dst[0], {lane, 0, Source::Program});  // alone, always
    case Op::VoteNow:
      if (i.has(Mod::Ballot)) return set(thread, i.dst[0], {get(thread, i.src[0]).low ? lane : 0, 0, from});
      return set(thread, i.dst[0], {i.has(Mod::Uni) || get(thread, i.src[0]).low, 0, from});
    case Op::CreatePolicy: return set(thread, i.dst[0], {});
    case Op::CvtaFrom: return set(thread, i.dst[0], {get(thread, i.src[0]).low + window_of(i.space), 0, from});
    case Op::CvtaTo: return set(thread, i.dst[0], {get(thread, i.src[0]).low - window_of(i.space), 0, from});
    case Op::IsSpace: return set(thread, i.dst[0], {is_space(thread, i), 0, from});
    case Op::Ld: return load(thread, i);
    case Op::St: return store(thread, i);
    case Op::Atom:
    case Op::Red: return atomic(thread, i);
    case Op::Hint:
    case Op::Fence:
    case Op::Sleep: return;
    case Op::Trap: fail(thread, "trap");
    default:
      throw InternalError(
          fmt::format("the oracle cannot execute {}: {}", kernel_.where(thread.pc), kernel_.text(thread.pc)));
  }
}

// The first part is the lowest.
void Launch::pack(Thread& thread, const Instruction& i) {
  const unsigned piece = bytes_of(i.type) / i.vector;
  std::byte bytes[16] = {};
  for (unsigned part = 0; part < i.vector; ++part) {
    const Value value = get(thread, i.src[part]);
    std::memcpy(bytes + part * piece, &value, piece);
  }
  Value whole;
  std::memcpy(static_cast<void*>(&whole), bytes, 16);
  whole.source = sources_of(thread, i);
  set(thread, i.dst[0], whole);
}

void Launch::unpack(Thread& thread, const Instruction& i) {
  const unsigned piece = bytes_of(i.type) / i.vector;
  const Value whole = get(thread, i.src[0]);
  std::byte bytes[16];
  std::memcpy(bytes, &whole, 16);
  for (unsigned part = 0; part < i.vector; ++part) {
    Value value;
    std::memcpy(&value, bytes + part * piece, piece);
    value.source = whole.source;
    set(thread, i.dst[part], value);
  }
}

bool Launch::is_space(const Thread& thread, const Instruction& i) const {
  const Address address = get(thread, i.src[0]).low;
  if (window_of(i.space) != 0) return within(address, window_of(i.space), kWindowBytes);
  if (i.space == Space::Param) return within(address, around_.parameters, kernel_.parameter_bytes);
  bool constant = false;
  for (const Extent& extent : around_.constants) constant = constant || within(address, extent.begin, extent.bytes);
  return i.space == Space::Const ? constant : address >= kGlobalBase && !constant;
}

void Launch::count_branch(const Thread& thread, const Instruction& i) {
  if (i.op == Op::Bra && !i.guarded()) return;
  const Value predicate = i.op == Op::Bra ? get(thread, {i.guard, 0, false}) : get(thread, i.src[0]);
  ++branches_[thread.pc].all;
  branches_[thread.pc].data += predicate.source == Source::Data;
}

void Launch::control(Thread& thread, const Instruction& i) {
  if (i.op == Op::Bra || i.op == Op::Brx) count_branch(thread, i);
  switch (i.op) {
    case Op::Bra: thread.pc = guard_holds(thread, i) ? i.target : thread.pc + 1; return;
    case Op::Brx: {
      const std::vector<Pc>& table = kernel_.tables[i.table];
      const uint64_t index = get(thread, i.src[0]).low;
      if (index >= table.size()) fail(thread, "brx.idx beyond its table");
      thread.pc = table[index];
      return;
    }
    case Op::Call: return call(thread, i);
    case Op::Ret: return ret(thread);
    case Op::Exit: thread.state = Thread::State::Gone; return exited(*thread.block);
    default: throw InternalError("no control instruction");
  }
}

// Arguments go from the caller's frame or registers to the start of the callee's frame, which lies above the caller's.
void Launch::call(Thread& thread, const Instruction& i) {
  const CallSite& site = kernel_.calls[i.table];
  const FunctionRange* callee = nullptr;
  for (const FunctionRange& range : kernel_.functions) {
    if (site.indirect ? range.address != 0 && range.address == get(thread, i.src[0]).low : range.begin == i.target)
      callee = &range;
  }
  if (!callee) fail(thread, "call of no function");
  const uint64_t caller = get(thread, kernel_.frame).low, frame = caller + site.frame_bytes;
  for (size_t k = 0; k < site.arguments.size(); ++k) {
    const CallSite::Item& item = site.arguments[k];
    const Signature::Item& parameter = site.signature.parameters[k];
    const unsigned bytes = std::min(parameter.bytes, item.in_frame ? item.bytes : 8U);
    std::vector<std::byte> copy(bytes);
    const Value value = item.in_frame ? Value{} : get(thread, item.reg);
    std::memcpy(copy.data(),
                item.in_frame ? static_cast<const void*>(local_byte(thread, caller + item.offset, bytes)) : &value,
                bytes);
    std::vector<Source> sources(bytes, value.source);
    for (unsigned b = 0; b < bytes && item.in_frame; ++b)
      sources[b] = source_at(thread, local_byte(thread, caller + item.offset + b, 1), 1);
    std::memcpy(local_byte(thread, frame + parameter.offset, bytes), copy.data(), bytes);
    for (unsigned b = 0; b < bytes; ++b)
      note_source(thread, local_byte(thread, frame + parameter.offset + b, 1), 1, sources[b]);
  }
  thread.calls.push_back({thread.pc + 1, &site, thread.registers});
  set(thread, kernel_.frame, {frame, 0});
  thread.pc = callee->begin;
}

void Launch::ret(Thread& thread) {
  if (thread.calls.empty()) fail(thread, "return without a call");
  const uint64_t callee = get(thread, kernel_.frame).low;
  Thread::Call call = std::move(thread.calls.back());
  thread.calls.pop_back();
  thread.registers = std::move(call.registers);
  thread.pc = call.return_pc;
  const uint64_t caller = get(thread, kernel_.frame).low;
  for (size_t k = 0; k < call.site->results.size(); ++k) {
    const CallSite::Item& item = call.site->results[k];
    const Signature::Item& result = call.site->signature.results[k];
    const unsigned bytes = std::min(result.bytes, item.in_frame ? item.bytes : 8U);
    std::vector<std::byte> copy(bytes);
    std::memcpy(copy.data(), local_byte(thread, callee + result.offset, bytes), bytes);
    Value value;
    std::vector<Source> sources;
    for (unsigned b = 0; b < bytes; ++b) {
      sources.push_back(source_at(thread, local_byte(thread, callee + result.offset + b, 1), 1));
      value.source = std::max(value.source, sources.back());
    }
    if (item.in_frame) {
      std::memcpy(local_byte(thread, caller + item.offset, bytes), copy.data(), bytes);
      for (unsigned b = 0; b < bytes; ++b)
        note_source(thread, local_byte(thread, caller + item.offset + b, 1), 1, sources[b]);
    } else {
      std::memcpy(&value, copy.data(), bytes);
      set(thread, item.reg, value);
    }
  }
}

}  // namespace heddle::oracle

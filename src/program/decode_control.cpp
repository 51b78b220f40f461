// Branches, calls and mov: the instructions whose operands have shapes of their own.
#include <algorithm>

#include "base/address_map.h"
#include "program/decode.h"
#include "program/function_decoder.h"
#include "program/special.h"

namespace heddle {

void FunctionDecoder::branch(const ptx::Instruction& written, Instruction out) {
  const auto* label = written.operands.size() == 1 ? std::get_if<ptx::Name>(&written.operands[0].value) : nullptr;
  if (!label) return problem(written.place, "'bra' takes one label");
  if (written.guard) guard(out, *written.guard);
  fixups_.push_back(
      {static_cast<Pc>(state_.kernel.code.size()), label->text, scopes_.current(), written.operands[0].place, -1});
  emit(out);
}

void FunctionDecoder::table_branch(const ptx::Instruction& written, Instruction out) {
  const auto* name = written.operands.size() == 2 ? std::get_if<ptx::Name>(&written.operands[1].value) : nullptr;
  const ptx::BranchTargets* table = name ? scopes_.find_table(name->text) : nullptr;
  if (!table) return problem(written.place, "'brx.idx' takes an index and the name of a .branchtargets list");
  if (written.guard) branch_around(written, out.uniform_hint);
  out.src[out.src_count++] = value(written.operands[0], 4, Type::U32);
  out.table = static_cast<uint32_t>(state_.kernel.tables.size());
  state_.kernel.tables.emplace_back(table->targets.size(), kNoPc);
  for (size_t i = 0; i < table->targets.size(); ++i)
    fixups_.push_back({static_cast<Pc>(state_.kernel.code.size()), table->targets[i], scopes_.current(), table->place,
                       static_cast<int32_t>(i)});
  state_.kernel.has_indirect = true;
  emit(out);
}

// The functions the driver provides. True if `name` is one of them.
bool FunctionDecoder::builtin(const std::string& name, const ptx::Instruction& written, CallSite& site) {
  if (name == "vprintf") {
    site.builtin = CallSite::Builtin::Printf;
  } else if (name == "__assertfail") {
    site.builtin = CallSite::Builtin::AssertFail;
  } else if (name == "malloc") {
    site.builtin = CallSite::Builtin::Malloc;
  } else if (name == "free") {
    site.builtin = CallSite::Builtin::Free;
  } else if (name.starts_with("__cuda_syscall_")) {
    problem(written.place,
            "kernels that launch kernels are not supported: '" + name + "' is of NVIDIA's device runtime");
  } else {
    problem(written.place, "the function '" + name + "' is declared but not defined in this module");
  }
  return site.builtin != CallSite::Builtin::None;
}

CallSite::Item FunctionDecoder::call_item(const ptx::Operand& written, uint32_t bytes) {
  if (const auto* name = std::get_if<ptx::Name>(&written.value))
    if (const PlacedVariable* variable = scopes_.find_variable(name->text); variable && variable->space == Space::Local)
      return {true, static_cast<uint32_t>(variable->offset), {}, static_cast<uint32_t>(variable->declaration->bytes())};
  if (std::holds_alternative<ptx::Sink>(written.value))
    return {false, 0, state_.sink(std::max(2U, std::min(bytes, 8U))), bytes};
  return {false, 0, value(written, std::min(bytes, 8U), Type::None), bytes};
}

void FunctionDecoder::call(const ptx::Instruction& written, Instruction out) {
  if (!written.call) return problem(written.place, "'call' without a target");
  const auto* name = std::get_if<ptx::Name>(&written.call->target.value);
  if (!name) return problem(written.call->target.place, "a function or a register is expected here");
  if (written.guard) branch_around(written, out.uniform_hint);
  CallSite site;
  const ptx::Function* target = state_.index.function(name->text);
  if (target && !target->has_body) {
    if (!builtin(name->text, written, site)) return;
    out.op = Op::Builtin;
    out.flow = Flow::Plain;
    site.signature = signature_of(target->results, target->parameters);
  } else if (target) {
    site.signature = signature_of(target->results, target->parameters);
  } else {
    const ptx::Prototype* prototype = scopes_.find_prototype(written.call->prototype);
    const ptx::BranchTargets* listed = scopes_.find_table(written.call->prototype);
    const ptx::Function* sample =
        listed && !listed->targets.empty() ? state_.index.function(listed->targets[0]) : nullptr;
    if (!prototype && !sample) return problem(written.place, "an indirect call needs a .callprototype or .calltargets");
    site.indirect = true;
    site.signature = prototype ? signature_of(prototype->results, prototype->parameters)
                               : signature_of(sample->results, sample->parameters);
    out.src[out.src_count++] = value(written.call->target, pointer_bytes(written.call->target), Type::None);
    state_.kernel.has_indirect = true;
  }
  const Signature& signature = site.signature;
  if (written.call->arguments.size() != signature.parameters.size() ||
      written.call->results.size() > signature.results.size())
    return problem(written.place, "the call does not fit the declaration of '" + name->text + "'");
  for (size_t i = 0; i < written.call->arguments.size(); ++i)
    site.arguments.push_back(call_item(written.call->arguments[i], signature.parameters[i].bytes));
  for (size_t i = 0; i < written.call->results.size(); ++i)
    site.results.push_back(call_item(written.call->results[i], signature.results[i].bytes));
  out.table = static_cast<uint32_t>(state_.kernel.calls.size());
  call_sites_.push_back(state_.kernel.calls.size());
  state_.kernel.calls.push_back(std::move(site));
  if (out.op == Op::Call) {
    state_.kernel.has_calls = true;
    if (!state_.kernel.calls.back().indirect) state_.calls_to[static_cast<Pc>(state_.kernel.code.size())] = name->text;
  }
  emit(out);
}

// The address of a variable in the frame is a sum: frame + offset (+ the window, as a generic address).
bool FunctionDecoder::local_address(const ptx::Name& name, Address window, Instruction& out) {
  const PlacedVariable* variable = find_variable(name.text);
  if (!variable || variable->space != Space::Local || bytes_of(out.type) != 8) return false;
  out.op = Op::Add;
  out.space = Space::None;
  out.type = out.source_type = Type::U64;
  out.src[out.src_count++] = state_.kernel.frame;
  out.src[out.src_count++] = state_.pool.literal(window + variable->offset + static_cast<uint64_t>(name.offset), 8);
  return true;
}

// The same in 32 bits: the frame lies within the first 4 GB of local memory. That of a kernel lies at its start.
bool FunctionDecoder::short_local_address(const ptx::Name& name, Address window, Instruction out) {
  const PlacedVariable* variable = find_variable(name.text);
  if (!variable || variable->space != Space::Local || bytes_of(out.type) != 4) return false;
  const uint64_t offset = window + variable->offset + static_cast<uint64_t>(name.offset);
  const Operand literal = state_.pool.literal(offset & UINT32_MAX, 4);
  out.type = out.source_type = Type::U32;
  out.space = Space::None;
  out.src_count = 1;
  if (function_.is_entry) {
    out.op = Op::Mov;
    out.src[0] = literal;
    emit(out);
    return true;
  }
  out.op = Op::Cvt;
  out.source_type = Type::U64;
  out.src[0] = state_.kernel.frame;
  emit(out);
  if (offset == 0) return true;
  out.op = Op::Add;
  out.source_type = Type::U32;
  out.src[0] = out.dst[0];
  out.src[out.src_count++] = literal;
  emit(out);
  return true;
}

// cvta.local of a symbol; registers go the ordinary way.
bool FunctionDecoder::generic_local(const ptx::Instruction& written, Instruction out) {
  const auto* name = written.operands.size() == 2 ? std::get_if<ptx::Name>(&written.operands[1].value) : nullptr;
  if (out.op != Op::CvtaFrom || !name || !scopes_.find_register(name->text).empty()) return false;
  const PlacedVariable* variable = find_variable(name->text);
  if (!variable || variable->space != Space::Local) return false;
  out.dst[out.dst_count++] = destination(written.operands[0], bytes_of(out.type), Type::None);
  if (short_local_address(*name, kLocalWindow, out)) return true;
  local_address(*name, kLocalWindow, out);
  emit(out);
  return true;
}

void FunctionDecoder::move(const ptx::Instruction& written, Instruction out) {
  if (written.guard) guard(out, *written.guard);
  if (written.operands.size() != 2) return problem(written.place, "'mov' takes two operands");
  const ptx::Operand &to = written.operands[0], &from = written.operands[1];
  const unsigned bytes = bytes_of(out.type);
  if (const auto* parts = std::get_if<ptx::Vector>(&to.value)) {
    const auto piece = static_cast<unsigned>(parts->elements.empty() ? 0 : bytes / parts->elements.size());
    if (piece == 0 || parts->elements.size() > out.dst.size()) return problem(to.place, "too many parts");
    out.op = Op::Unpack;
    for (const ptx::Operand& part : parts->elements) out.dst[out.dst_count++] = destination(part, piece, Type::None);
    out.src[out.src_count++] = value(from, bytes, out.type);
    out.vector = static_cast<uint8_t>(parts->elements.size());
    return emit(out);
  }
  out.dst[out.dst_count++] = destination(to, bytes, out.type);
  if (const auto* parts = std::get_if<ptx::Vector>(&from.value)) {
    const auto piece = static_cast<unsigned>(parts->elements.empty() ? 0 : bytes / parts->elements.size());
    if (piece == 0 || parts->elements.size() > 8) return problem(from.place, "too many parts");
    out.op = Op::Pack;
    for (const ptx::Operand& part : parts->elements) out.src[out.src_count++] = value(part, piece, Type::None);
    out.vector = static_cast<uint8_t>(parts->elements.size());
    return emit(out);
  }
  if (const auto* name = std::get_if<ptx::Name>(&from.value); name && scopes_.find_register(name->text).empty()) {
    if (is_clock(name->text)) {
      out.op = Op::Clock;
      return emit(out);
    }
    if (const auto special = special_named(name->text)) {
      out.src[out.src_count++] = state_.special(*special);
      if (out.src[0].bytes != bytes) {  // mov.u16 from a 32-bit special register
        out.op = Op::Cvt;
        out.source_type = out.src[0].bytes == 8 ? Type::U64 : Type::U32;
        out.type = bytes == 2 ? Type::U16 : bytes == 8 ? Type::U64 : Type::U32;
      }
      return emit(out);
    }
    if (local_address(*name, 0, out)) return emit(out);
    if (short_local_address(*name, 0, out)) return;
  }
  out.src[out.src_count++] = value(from, bytes, out.type);
  emit(out);
}

}  // namespace heddle

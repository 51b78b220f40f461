#include "program/function_decoder.h"

#include <algorithm>

#include "base/error.h"
#include "program/special.h"

namespace heddle {
namespace {

uint64_t align_up(uint64_t value, uint64_t alignment) {
  return alignment < 2 ? value : (value + alignment - 1) / alignment * alignment;
}

}  // namespace

Operand DecodeState::special(Special what) {
  auto [entry, added] = specials.try_emplace(what);
  if (added)
    entry->second = {plane.row(what == Special::GridId ? 8 : 4), static_cast<uint8_t>(what == Special::GridId ? 8 : 4),
                     false};
  return entry->second;
}

Operand DecodeState::sink(unsigned bytes) {
  auto [entry, added] = sinks.try_emplace(bytes);
  if (added) entry->second = {plane.row(bytes), static_cast<uint8_t>(bytes), false};
  return entry->second;
}

uint64_t DecodeState::place_shared(const ptx::Variable& variable) {
  const uint64_t offset = align_up(kernel.static_shared, variable.alignment());
  const uint64_t end = offset + variable.bytes();
  if (end > UINT32_MAX) throw index.module().source->error(variable.place, "shared memory of more than 4 GB");
  kernel.static_shared = static_cast<uint32_t>(end);
  return offset;
}

uint32_t DecodeState::reserved_shared() {
  if (!reserved) {
    reserved = static_cast<uint32_t>(align_up(kernel.static_shared, 16));
    kernel.static_shared = *reserved + kReservedShared;
  }
  return *reserved;
}

Signature signature_of(const std::vector<ptx::Variable>& results, const std::vector<ptx::Variable>& parameters) {
  Signature signature;
  const auto place = [&](const std::vector<ptx::Variable>& variables, std::vector<Signature::Item>& items) {
    for (const ptx::Variable& variable : variables) {
      const auto offset = static_cast<uint32_t>(align_up(signature.bytes, variable.alignment()));
      const auto bytes = static_cast<uint32_t>(std::max<uint64_t>(variable.bytes(), 1));
      items.push_back({offset, bytes});
      signature.bytes = offset + bytes;
    }
  };
  place(results, signature.results);
  place(parameters, signature.parameters);
  signature.bytes = static_cast<uint32_t>(align_up(signature.bytes, 16));
  return signature;
}

FunctionDecoder::FunctionDecoder(DecodeState& state, const ptx::Function& function)
    : state_(state), function_(function), scopes_(state.plane, &state.registers) {}

void FunctionDecoder::decode() {
  Kernel& kernel = state_.kernel;
  first_loc_ = static_cast<int32_t>(kernel.locs.size());
  for (const ptx::SourceLoc& loc : function_.locs)
    kernel.locs.push_back({loc.file, loc.line, loc.column, loc.inlined_at < 0 ? -1 : first_loc_ + loc.inlined_at});
  FunctionRange range;
  range.name = function_.name;
  range.begin = static_cast<Pc>(kernel.code.size());
  if (!function_.is_entry) range.address = state_.index.address_of(function_);
  declare_parameters();
  range.signature = signature_;
  for (const ptx::Statement& each : function_.body.statements) statement(each);
  finish();
  range.end = static_cast<Pc>(kernel.code.size());
  range.frame_bytes = frame_;
  kernel.functions.push_back(range);
}

void FunctionDecoder::declare_parameters() {
  if (function_.is_entry) {
    for (const ptx::Variable& parameter : function_.parameters) {
      Kernel& kernel = state_.kernel;
      const auto offset = static_cast<uint32_t>(align_up(kernel.parameter_bytes, parameter.alignment()));
      kernel.parameters.push_back({offset, static_cast<uint32_t>(parameter.bytes()), parameter.name});
      kernel.parameter_bytes = offset + static_cast<uint32_t>(parameter.bytes());
      scopes_.declare(parameter.name, {&parameter, Space::Param, offset, false});
    }
    return;
  }
  signature_ = signature_of(function_.results, function_.parameters);
  frame_ = signature_.bytes;
  const auto declare = [&](const std::vector<ptx::Variable>& variables, const std::vector<Signature::Item>& items) {
    for (size_t i = 0; i < variables.size(); ++i) {
      if (variables[i].space == Space::Reg)
        declare_register(variables[i]);
      else
        scopes_.declare(variables[i].name, {&variables[i], Space::Local, items[i].offset, false});
    }
  };
  declare(function_.results, signature_.results);
  declare(function_.parameters, signature_.parameters);
  for (size_t i = 0; i < function_.parameters.size(); ++i)
    if (function_.parameters[i].space == Space::Reg)
      emit(register_transfer(Op::Ld, function_.parameters[i], signature_.parameters[i]));
}

// Parameters and results in .reg space travel in the frame as all do: a function begins by loading those of its
// parameters and stores those of its results before it returns.
void FunctionDecoder::declare_register(const ptx::Variable& variable) {
  if (variable.type == Type::Pred || variable.vector > 1 || variable.is_array)
    problem(variable.place, "a parameter in .reg space can only be a scalar other than a predicate; declare it .param");
  scopes_.declare(ptx::Registers{variable.place, variable.type, variable.vector, variable.name, 0});
}

Instruction FunctionDecoder::register_transfer(Op op, const ptx::Variable& variable, Signature::Item item) {
  Instruction out;
  out.op = op;
  out.flow = flow_of(op);
  out.type = out.source_type = variable.type;
  out.place = variable.place;
  out.space = Space::Local;
  out.displacement = item.offset;
  out.src[out.src_count++] = state_.kernel.frame;
  const Operand row = scopes_.find_register(variable.name)[0];
  if (op == Op::Ld)
    out.dst[out.dst_count++] = row;
  else
    out.src[out.src_count++] = row;
  return out;
}

unsigned FunctionDecoder::register_results() const {
  return static_cast<unsigned>(std::count_if(function_.results.begin(), function_.results.end(),
                                             [](const ptx::Variable& each) { return each.space == Space::Reg; }));
}

void FunctionDecoder::store_results(int32_t loc) {
  for (size_t i = 0; i < function_.results.size(); ++i) {
    if (function_.results[i].space != Space::Reg) continue;
    Instruction store = register_transfer(Op::St, function_.results[i], signature_.results[i]);
    store.loc = loc;
    emit(store);
  }
}

void FunctionDecoder::block(const ptx::Block& block) {
  scopes_.push();
  for (const ptx::Statement& each : block.statements) statement(each);
  scopes_.pop();
}

void FunctionDecoder::statement(const ptx::Statement& statement) {
  struct Visitor {
    FunctionDecoder& self;
    void operator()(const ptx::Instruction& written) {
      std::vector<Instruction>& code = self.state_.kernel.code;
      const size_t first = code.size();
      self.instruction(written);
      if (written.nounroll && first < code.size()) code[first].nounroll = true;
    }
    void operator()(const ptx::Label& label) {
      self.scopes_.declare_label(label.name, static_cast<Pc>(self.state_.kernel.code.size()));
    }
    void operator()(const ptx::Registers& registers) { self.scopes_.declare(registers); }
    void operator()(const ptx::Variable& variable) { self.variable(variable); }
    void operator()(const ptx::BranchTargets& table) { self.scopes_.declare_table(table); }
    void operator()(const ptx::Prototype& prototype) { self.scopes_.declare_prototype(prototype); }
    void operator()(const std::unique_ptr<ptx::Block>& inner) { self.block(*inner); }
  };
  std::visit(Visitor{*this}, statement);
}

void FunctionDecoder::variable(const ptx::Variable& variable) {
  switch (variable.space) {
    case Space::Local:
    case Space::Param: {
      const uint64_t offset = align_up(frame_, variable.alignment());
      if (offset + variable.bytes() > (1U << 30)) return problem(variable.place, "local memory of more than 1 GB");
      frame_ = static_cast<uint32_t>(offset + variable.bytes());
      scopes_.declare(variable.name, {&variable, Space::Local, offset, false});
      return;
    }
    case Space::Shared: {
      const bool dynamic = variable.is_extern;
      scopes_.declare(variable.name, {&variable, Space::Shared, dynamic ? 0 : state_.place_shared(variable), dynamic});
      return;
    }
    case Space::Global:
    case Space::Const:
      state_.variables.push_back(variable);
      scopes_.declare(variable.name, {&variable, variable.space, 0, false});
      return;
    case Space::Reg:
    case Space::None: return problem(variable.place, "a variable in this state space is not supported");
  }
}

void FunctionDecoder::instruction(const ptx::Instruction& written) {
  std::string why;
  const Match found = match(written.opcode, written.modifiers, why);
  if (!found.form) return problem(written.place, why);
  if (!written.unparsed.empty()) return problem(written.place, "operands of '" + written.opcode + "' not understood");
  Instruction out = begin(written, found);
  switch (out.op) {
    case Op::Bra: return branch(written, out);
    case Op::Brx: return table_branch(written, out);
    case Op::Call: return call(written, out);
    case Op::Mov: return move(written, out);
    case Op::CpBulk: return bulk_copy(written, found, out);
    case Op::SurfaceLoad:
    case Op::SurfaceStore: return surface(written, out);
    case Op::LdMatrix:
    case Op::StMatrix:
    case Op::WmmaLoad:
    case Op::WmmaStore:
    case Op::WmmaMma:
    case Op::Mma:
    case Op::MovMatrix: return tensor(written, found, out);
    default: break;
  }
  if (out.op == Op::Ret && function_.is_entry) {
    out.op = Op::Exit;
  }
  // Threads diverge only at branches: what a guard keeps some threads from is branched around, where it is control
  // or waits for others.
  if (written.guard) {
    if (out.flow == Flow::Plain)
      guard(out, *written.guard);
    else
      branch_around(written, out.has(Mod::Uni), out.op == Op::Ret ? 1 + register_results() : 1);
  }
  if (out.op == Op::Ret) store_results(out.loc);
  if (generic_local(written, out)) return;
  operands(written, found, out);
  if (is_video(out.op)) check_video(written, out);
  // Through the texture cache, where there is one.
  if (out.op == Op::Tex || out.op == Op::Gather) out.mods.set(static_cast<size_t>(Mod::Nc));
  if (out.op == Op::Ld && out.space == Space::Param) load_parameter(out);
  if (out.flow == Flow::Barrier) state_.kernel.has_barrier = true;
  emit(out);
}

Instruction FunctionDecoder::begin(const ptx::Instruction& written, const Match& match) const {
  Instruction out;
  out.op = match.form->op;
  out.flow = flow_of(out.op);
  out.type = match.type;
  out.source_type = match.source_type;
  out.second_source_type = match.second_source_type;
  out.third_source_type = match.third_source_type;
  out.video = video_of(written.opcode);
  out.mods = match.mods;
  out.place = written.place;
  out.loc = written.loc < 0 ? -1 : first_loc_ + written.loc;
  out.uniform_hint = out.has(Mod::Uni);
  out.vector = out.has(Mod::V2) ? 2 : out.has(Mod::V4) ? 4 : out.has(Mod::V8) ? 8 : 1;
  if (out.has(Mod::Global)) out.space = Space::Global;
  if (out.has(Mod::Const)) out.space = Space::Const;
  if (out.has(Mod::Shared) || out.has(Mod::SharedCta)) out.space = Space::Shared;
  if (out.has(Mod::Local)) out.space = Space::Local;
  if (out.has(Mod::Param) || out.has(Mod::ParamEntry) || out.has(Mod::ParamFunc)) out.space = Space::Param;
  return out;
}

void FunctionDecoder::guard(Instruction& out, const ptx::Guard& guard) {
  const std::vector<Operand> rows = scopes_.find_register(guard.name);
  if (rows.size() != 1 || rows[0].bytes != 0)
    return problem(guard.place, "the guard '" + guard.name + "' is not a predicate register");
  out.guard = rows[0].at;
  out.guard_negated = guard.negated;
}

void FunctionDecoder::branch_around(const ptx::Instruction& written, bool uniform, unsigned count) {
  Instruction around;
  around.op = Op::Bra;
  around.flow = Flow::Branch;
  around.place = written.place;
  around.loc = written.loc < 0 ? -1 : first_loc_ + written.loc;
  around.uniform_hint = uniform;
  guard(around, *written.guard);
  around.guard_negated = !around.guard_negated;
  around.target = static_cast<Pc>(state_.kernel.code.size() + 1 + count);
  emit(around);
}

// Labels and frame sizes are known now; a function that runs off its end returns.
void FunctionDecoder::finish() {
  Kernel& kernel = state_.kernel;
  const Pc end = static_cast<Pc>(kernel.code.size());
  Instruction last;
  last.op = function_.is_entry ? Op::Exit : Op::Ret;
  last.flow = Flow::Branch;
  last.place = function_.place;
  const bool label_at_end = std::any_of(fixups_.begin(), fixups_.end(), [&](const Fixup& fixup) {
    return scopes_.find_label(fixup.label, fixup.scope) == end;
  });
  const Pc begin = kernel.functions.empty() ? 0 : kernel.functions.back().end;
  const auto goes_to_end = [&](const Instruction& each) { return each.op == Op::Bra && each.target == end; };
  const auto falls_through = [&] {
    const Instruction& tail = kernel.code.back();
    return !(tail.op == Op::Ret || tail.op == Op::Exit || tail.op == Op::Brx ||
             (tail.op == Op::Bra && !tail.guarded())) ||
           std::any_of(kernel.code.begin() + begin, kernel.code.end(), goes_to_end);  // around a guarded last one
  };
  if (begin == end || label_at_end || falls_through()) {
    if (last.op == Op::Ret) store_results(-1);
    emit(last);
  }
  for (const Fixup& fixup : fixups_) {
    const auto pc = scopes_.find_label(fixup.label, fixup.scope);
    if (!pc) {
      problem(fixup.place, "unknown label '" + fixup.label + "'");
      continue;
    }
    Instruction& at = kernel.code[fixup.at];
    (fixup.entry < 0 ? at.target : kernel.tables[at.table][static_cast<size_t>(fixup.entry)]) = *pc;
  }
  frame_ = static_cast<uint32_t>(align_up(frame_, 16));
  for (size_t site : call_sites_) kernel.calls[site].frame_bytes = frame_;
}

}  // namespace heddle

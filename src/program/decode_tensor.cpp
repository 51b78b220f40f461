// Instructions on matrices. Products stay what they are. Those that reach memory become what an assembler would make of
// them: accesses of each thread for itself, which are instructions as others are, and an exchange among the lanes of
// the warp where threads bring data that others want.
#include <fmt/format.h>

#include "base/text.h"
#include "program/code_maker.h"
#include "program/fragment.h"
#include "program/function_decoder.h"

namespace heddle {

void FunctionDecoder::tensor(const ptx::Instruction& written, const Match& match, const Instruction& out) {
  const size_t problems = state_.problems.size();
  const std::vector<Instruction> code = tensor_code(written, match, out);
  if (state_.problems.size() > problems) return;
  if (written.guard) branch_around(written, false, static_cast<unsigned>(code.size()));
  for (const Instruction& each : code) emit(each);
}

std::vector<Instruction> FunctionDecoder::tensor_code(const ptx::Instruction& written, const Match& match,
                                                      const Instruction& out) {
  const size_t operands = written.operands.size(), most = split(match.form->operands, ' ').size();
  if (operands > most || operands + (match.form->operands.ends_with('?') ? 1 : 0) < most) {
    problem(written.place, fmt::format("'{}' does not take {} operands", written.opcode, operands));
    return {};
  }
  switch (out.op) {
    case Op::LdMatrix: return load_matrices(written, out);
    case Op::StMatrix: return store_matrices(written, out);
    case Op::WmmaLoad:
    case Op::WmmaStore: return wmma_access(written, out);
    case Op::WmmaMma: return wmma_product(written, out);
    case Op::MovMatrix: {
      Instruction move = out;
      move.dst[move.dst_count++] = destination(written.operands[0], 4, Type::None);
      move.src[move.src_count++] = value(written.operands[1], 4, Type::None);
      move.src[move.src_count++] = all_lanes();
      return {move};
    }
    default: return matrix_product(written, out);
  }
}

// {%r0, %r1}, or one register without braces.
std::vector<Operand> FunctionDecoder::fragment(const ptx::Operand& written, unsigned registers, unsigned bytes,
                                               bool is_destination) {
  std::vector<Operand> result;
  const auto add = [&](const ptx::Operand& each) {
    result.push_back(is_destination ? destination(each, bytes, Type::None) : value(each, bytes, Type::None));
  };
  const auto* elements = std::get_if<ptx::Vector>(&written.value);
  const size_t given = elements ? elements->elements.size() : 1;
  if (given != registers) {
    problem(written.place, fmt::format("{} registers are expected here, not {}", registers, given));
    return std::vector<Operand>(registers);
  }
  if (!elements) add(written);
  if (elements)
    for (const ptx::Operand& each : elements->elements) add(each);
  return result;
}

std::vector<Instruction> FunctionDecoder::matrix_product(const ptx::Instruction& written, Instruction out) {
  const TensorShape shape = tensor_shape(out.mods);
  const unsigned times = is_quad_pairs(out) ? kQuadPairs : 1;
  const auto part = [&](size_t operand, Part which, Type type) {
    const unsigned registers = fragment_registers(which, {shape.m, shape.n, shape.k * times}, type);
    const unsigned all = which == Part::C ? registers * times : registers;
    return fragment(written.operands[operand], all, type == Type::F64 ? 8 : 4, operand == 0);
  };
  for (const Operand& each : part(0, Part::C, out.type)) out.dst[out.dst_count++] = each;
  for (const Operand& each : part(1, Part::A, out.source_type)) out.src[out.src_count++] = each;
  for (const Operand& each : part(2, Part::B, out.second_source_type)) out.src[out.src_count++] = each;
  for (const Operand& each : part(3, Part::C, out.third_source_type)) out.src[out.src_count++] = each;
  out.src[out.src_count++] = all_lanes();
  return {out};
}

namespace {

unsigned matrices_of(const Instruction& i) { return i.has(Mod::X1) ? 1 : i.has(Mod::X2) ? 2 : 4; }

// Lanes of which each has a row of a matrix.
Instruction rows_only(CodeMaker& maker, const Operand& lane, unsigned matrices, const Operand& rows) {
  Instruction compare = maker.make(Op::Setp, Type::U32, {lane, rows});
  compare.mods.set(static_cast<size_t>(Mod::Lt));
  compare.dst[compare.dst_count++] = maker.fresh(0);
  require(matrices < 4, "all lanes have rows");
  return compare;
}

}  // namespace

// Each lane loads the row whose address it has; then they exchange.
std::vector<Instruction> FunctionDecoder::load_matrices(const ptx::Instruction& written, const Instruction& out) {
  CodeMaker maker(state_, out);
  const unsigned matrices = matrices_of(out);
  const std::vector<Operand> to = fragment(written.operands[0], matrices, 4, true);
  Instruction load = maker.make(Op::Ld, Type::B32, {});
  load.space = Space::Shared;
  if (!out.has(Mod::Shared) && !out.has(Mod::SharedCta)) load.space = Space::None;
  load.vector = 4;
  address(written.operands[1], load, false);
  Instruction exchange = maker.make(Op::RowsToFragments, Type::B16, {});
  exchange.mods = out.mods;
  for (unsigned i = 0; i < 4; ++i) {
    const Operand word = matrices == 4 ? to[i] : maker.fresh(4);
    load.dst[load.dst_count++] = word;
    exchange.src[exchange.src_count++] = word;
  }
  for (const Operand& each : to) exchange.dst[exchange.dst_count++] = each;
  exchange.src[exchange.src_count++] = all_lanes();
  if (matrices == 4) return {load, exchange};
  const Instruction with_rows =
      rows_only(maker, state_.special(Special::LaneId), matrices, state_.pool.literal(8 * matrices, 4));
  load.guard = with_rows.dst[0].at;
  return {with_rows, load, exchange};
}

std::vector<Instruction> FunctionDecoder::store_matrices(const ptx::Instruction& written, const Instruction& out) {
  CodeMaker maker(state_, out);
  const unsigned matrices = matrices_of(out);
  Instruction exchange = maker.make(Op::FragmentsToRows, Type::B16, {});
  exchange.mods = out.mods;
  for (const Operand& each : fragment(written.operands[1], matrices, 4, false))
    exchange.src[exchange.src_count++] = each;
  exchange.src[exchange.src_count++] = all_lanes();
  Instruction store = maker.make(Op::St, Type::B32, {});
  store.space = out.has(Mod::Shared) || out.has(Mod::SharedCta) ? Space::Shared : Space::None;
  store.vector = 4;
  address(written.operands[0], store, false);
  for (unsigned i = 0; i < 4; ++i) {
    const Operand word = maker.fresh(4);
    exchange.dst[exchange.dst_count++] = word;
    store.src[store.src_count++] = word;
  }
  if (matrices == 4) return {exchange, store};
  const Instruction with_rows =
      rows_only(maker, state_.special(Special::LaneId), matrices, state_.pool.literal(8 * matrices, 4));
  store.guard = with_rows.dst[0].at;
  return {exchange, with_rows, store};
}

}  // namespace heddle

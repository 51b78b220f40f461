// Operands: what a written name, number, address or vector becomes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "program/decode.h"
#include "program/function_decoder.h"
#include "program/special.h"

namespace heddle {
namespace {

bool implicit(std::string_view token) { return token == "C" || token == "=C"; }
bool optional(std::string_view token) { return token.ends_with('?') && !token.starts_with('='); }

// The tokens that the written operands fill: optional ones leave from the right until the numbers agree.
std::vector<std::string_view> fitting_tokens(const Match& match, size_t written) {
  std::vector<std::string_view> tokens = split(match.form->operands, ' ');
  const auto needed = [&] {
    return static_cast<size_t>(std::count_if(tokens.begin(), tokens.end(), [](auto t) { return !implicit(t); }));
  };
  for (size_t i = tokens.size(); i-- > 0 && needed() > written;)
    if (optional(tokens[i])) tokens.erase(tokens.begin() + static_cast<ptrdiff_t>(i));
  return needed() == written ? tokens : std::vector<std::string_view>{};
}

}  // namespace

void FunctionDecoder::operands(const ptx::Instruction& written, const Match& match, Instruction& out) {
  const auto tokens = fitting_tokens(match, written.operands.size());
  if (tokens.empty() && !written.operands.empty())
    return problem(written.place,
                   "'" + written.opcode + "' does not take " + std::to_string(written.operands.size()) + " operands");
  if (tokens.empty() && !match.form->operands.empty() && !split(match.form->operands, ' ').empty() &&
      fitting_tokens(match, 0).empty() && match.form->operands != "x?")
    return problem(written.place, "'" + written.opcode + "' needs operands");
  widths_may_differ_ = out.op == Op::Ld || out.op == Op::St || out.op == Op::Cvt;
  size_t next = 0;
  for (std::string_view token : tokens) {
    if (token == "=C") {
      out.dst[out.dst_count++] = state_.carry;
    } else if (token == "C") {
      out.src[out.src_count++] = state_.carry;
    } else {
      operand(token, written.operands[next++], out);
    }
  }
  widths_may_differ_ = false;
}

void FunctionDecoder::operand(std::string_view token, const ptx::Operand& written, Instruction& out) {
  const bool is_destination = token.front() == '=';
  if (is_destination) token.remove_prefix(1);
  const bool pair = token.find('|') != std::string_view::npos;
  const auto* both = std::get_if<ptx::Pair>(&written.value);
  if (both && !pair) return problem(written.place, "a pair of destinations is not allowed here");
  if (pair && !both && !token.ends_with('?')) return problem(written.place, "a pair 'd|p' is expected here");

  const auto width = [&](char letter, Type& type) -> unsigned {
    switch (letter) {
      case 't': type = out.type; return bytes_of(out.type);
      case 's': type = out.source_type; return bytes_of(out.source_type);
      case 'w': type = Type::None; return 2 * bytes_of(out.type);
      case 'p': type = Type::Pred; return 0;
      case 'P': type = Type::None; return pointer_bytes(written);
      default: type = Type::None; return static_cast<unsigned>(letter - '0');
    }
  };
  Type type = Type::None;
  switch (token.front()) {
    case 'A': return address(written, out, out.src_count > 0);
    case 'X': return image(written, out);
    case 'G': return gradient(written, out);
    case 'V':
      vector(both ? both->both[0] : written, out, is_destination);
      if (both) out.dst[out.dst_count++] = destination(both->both[1], 0, Type::Pred);
      return;
    case 'v': return video_operand(written, out, is_destination);
    case 'x': return;
    default: break;
  }
  const unsigned bytes = width(token.front(), type);
  if (!is_destination) {
    out.src[out.src_count++] = value(written, bytes, type);
    return;
  }
  out.dst[out.dst_count++] = destination(both ? both->both[0] : written, bytes, type);
  if (both) {
    const unsigned second = width(token[2], type);
    out.dst[out.dst_count++] = destination(both->both[1], second, type);
  }
}

// A register that holds an address is as wide as addresses are.
unsigned FunctionDecoder::pointer_bytes(const ptx::Operand& written) {
  const auto* name = std::get_if<ptx::Name>(&written.value);
  const std::vector<Operand> rows = name ? scopes_.find_register(name->text) : std::vector<Operand>{};
  return rows.size() == 1 && rows[0].bytes == 4 ? 4 : 8;
}

bool FunctionDecoder::check_width(const Operand& operand, unsigned bytes, Type type, ptx::Place place,
                                  std::string_view name) {
  const bool is_predicate = operand.bytes == 0;
  const bool wants_predicate = type == Type::Pred || bytes == 0;
  const bool fits = is_predicate == wants_predicate &&
                    (operand.bytes == bytes || (operand.bytes > bytes && (widths_may_differ_ || bytes == 1)));
  if (fits) return true;
  const auto describe = [](unsigned width) {
    return width == 0 ? std::string("a predicate") : fmt::format("{} bits wide", width * 8);
  };
  problem(place, fmt::format("'{}' is {}, but the instruction needs {}", name, describe(operand.bytes),
                             wants_predicate ? std::string("a predicate") : fmt::format("{} bits", bytes * 8)));
  return false;
}

Operand FunctionDecoder::destination(const ptx::Operand& written, unsigned bytes, Type type) {
  if (std::holds_alternative<ptx::Sink>(written.value))
    return state_.sink(type == Type::Pred ? 0 : std::max(2U, bytes));
  const auto* name = std::get_if<ptx::Name>(&written.value);
  const std::vector<Operand> rows = name ? scopes_.find_register(name->text) : std::vector<Operand>{};
  if (rows.size() != 1) {
    problem(written.place, name ? "unknown register '" + name->text + "'" : std::string("a register is expected here"));
    return {};
  }
  check_width(rows[0], bytes, type, written.place, name->text);
  return rows[0];
}

Operand FunctionDecoder::value(const ptx::Operand& written, unsigned bytes, Type type) {
  if (const auto* number = std::get_if<ptx::Immediate>(&written.value)) {
    Operand result = immediate(*number, bytes, type);
    result.negated = written.negated;
    return result;
  }
  if (const auto* name = std::get_if<ptx::Name>(&written.value)) {
    Operand result = named(written, *name, bytes, type);
    result.negated = written.negated;
    return result;
  }
  problem(written.place, "a register or a number is expected here");
  return {};
}

Operand FunctionDecoder::immediate(const ptx::Immediate& number, unsigned bytes, Type type) {
  using Kind = ptx::Immediate::Kind;
  if (type == Type::Pred) return state_.pool.literal(number.bits != 0 ? 0xffffffffU : 0, 0);
  uint64_t bits = number.bits;
  const bool floating = number.kind != Kind::Integer;
  if (floating) {
    const double wide = number.kind == Kind::F32Bits
                            ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)))
                            : std::bit_cast<double>(bits);
    // A literal of the other width is converted; one of the same width keeps its bits (NaN payloads).
    if (bytes == 4 && number.kind != Kind::F32Bits) bits = std::bit_cast<uint32_t>(static_cast<float>(wide));
    if (bytes == 8 && number.kind == Kind::F32Bits) bits = std::bit_cast<uint64_t>(wide);
  } else if (type == Type::F32) {
    bits = std::bit_cast<uint32_t>(static_cast<float>(static_cast<int64_t>(bits)));
  } else if (type == Type::F64) {
    bits = std::bit_cast<uint64_t>(static_cast<double>(static_cast<int64_t>(bits)));
  }
  const unsigned width = std::max(2U, bytes);
  if (width < 8) bits &= (uint64_t{1} << (8 * width)) - 1;
  return state_.pool.literal(bits, width);
}

const PlacedVariable* FunctionDecoder::find_variable(std::string_view name) {
  if (const PlacedVariable* local = scopes_.find_variable(name)) return local;
  if (const auto known = state_.shared.find(name); known != state_.shared.end()) return &known->second;
  const ptx::Variable* variable = state_.index.variable(name);
  if (!variable) return nullptr;
  const bool shared = variable->space == Space::Shared;
  PlacedVariable placed{variable, variable->space, 0, shared && variable->is_extern};
  if (shared && !placed.dynamic_shared) placed.offset = state_.place_shared(*variable);
  return &state_.shared.emplace(std::string(name), placed).first->second;
}

// A name as a value: a register, a special register, or an address.
Operand FunctionDecoder::named(const ptx::Operand& written, const ptx::Name& name, unsigned bytes, Type type) {
  if (const std::vector<Operand> rows = scopes_.find_register(name.text); rows.size() == 1) {
    check_width(rows[0], bytes, type, written.place, name.text);
    return rows[0];
  }
  if (const auto special = special_named(name.text)) return state_.special(*special);
  if (const auto place = reserved_place(name.text))
    return state_.pool.literal((name.text.ends_with("cap") ? 0 : state_.reserved_shared()) + *place, bytes);
  if (const ptx::Function* function = state_.index.function(name.text); function && function->has_body)
    return state_.pool.literal(state_.index.address_of(*function), bytes);
  const PlacedVariable* variable = find_variable(name.text);
  if (!variable) {
    problem(written.place, "unknown name '" + name.text + "'");
    return {};
  }
  switch (variable->space) {
    case Space::Global:
    case Space::Const: return state_.pool.symbol(name.text, name.offset, bytes);
    case Space::Shared:
      if (variable->dynamic_shared) return state_.pool.deferred(bytes, name.offset);
      return state_.pool.literal(variable->offset + static_cast<uint64_t>(name.offset), bytes);
    case Space::Param:
      return state_.pool.parameter_address(variable->offset + static_cast<uint64_t>(name.offset), bytes);
    case Space::Local:
    case Space::Reg:
    case Space::None: break;
  }
  problem(written.place, "the address of '" + name.text + "' can be taken by mov only");
  return {};
}

void FunctionDecoder::address(const ptx::Operand& written, Instruction& out, bool second) {
  const auto* address = std::get_if<ptx::AddressOf>(&written.value);
  if (!address) return problem(written.place, "an address in brackets is expected here");
  if (!address->coordinates.empty() && out.op != Op::Tex && out.op != Op::Gather && out.op != Op::SurfaceAddress)
    return problem(written.place, "coordinates are for textures");
  int64_t& displacement = second ? out.displacement2 : out.displacement;
  displacement = address->offset;
  Operand& base = out.src[out.src_count++];
  if (address->base.empty()) {
    base = state_.pool.literal(0, 8);
    return;
  }
  if (const std::vector<Operand> rows = scopes_.find_register(address->base); rows.size() == 1) {
    base = rows[0];
    if (base.bytes != 4 && base.bytes != 8) problem(written.place, "'" + address->base + "' is no address register");
    // Parameters of a kernel lie in global memory, those of a function in its frame.
    if (out.space == Space::Param) out.space = function_.is_entry ? Space::Global : Space::Local;
    note_address(base, out.space);
    return;
  }
  const PlacedVariable* variable = find_variable(address->base);
  if (!variable) return problem(written.place, "unknown name '" + address->base + "'");
  switch (variable->space) {
    case Space::Local:
      base = state_.kernel.frame;
      out.space = Space::Local;
      displacement += static_cast<int64_t>(variable->offset);
      return;
    case Space::Param:
      base = state_.pool.parameter_address(0);
      displacement += static_cast<int64_t>(variable->offset);
      return;
    case Space::Shared:
      base = variable->dynamic_shared ? state_.pool.deferred(8, 0) : state_.pool.literal(variable->offset, 8);
      out.space = Space::Shared;
      return;
    case Space::Global:
    case Space::Const: base = state_.pool.symbol(address->base, 0, 8); return;
    case Space::Reg:
    case Space::None: return problem(written.place, "'" + address->base + "' has no address");
  }
}

// A text that does not say how wide addresses are shows it where global memory is reached.
void FunctionDecoder::note_address(const Operand& base, Space space) {
  const bool window = space == Space::Shared || space == Space::Local;
  if (state_.index.module().address_size == 0 && base.bytes == 4 && !window) state_.kernel.pointer_bytes = 4;
}

void FunctionDecoder::vector(const ptx::Operand& written, Instruction& out, bool is_destination) {
  const unsigned bytes = bytes_of(out.type);
  const auto add = [&](const ptx::Operand& element) {
    if (is_destination)
      out.dst[out.dst_count++] = destination(element, bytes, out.type);
    else
      out.src[out.src_count++] = value(element, bytes, out.type);
  };
  if (const auto* elements = std::get_if<ptx::Vector>(&written.value)) {
    if (elements->elements.size() != out.vector)
      return problem(written.place, "a vector of " + std::to_string(out.vector) + " is expected here");
    for (const ptx::Operand& element : elements->elements) add(element);
    return;
  }
  const auto* name = std::get_if<ptx::Name>(&written.value);
  const std::vector<Operand> rows = name && out.vector > 1 ? scopes_.find_register(name->text) : std::vector<Operand>{};
  if (out.vector > 1 && rows.size() != out.vector)
    return problem(written.place, "a vector of " + std::to_string(out.vector) + " is expected here");
  if (out.vector == 1) return add(written);
  for (const Operand& row : rows) {
    if (is_destination)
      out.dst[out.dst_count++] = row;
    else
      out.src[out.src_count++] = row;
  }
}

// [to], [from], bytes, [mbarrier]: the copy, and behind it what the mbarrier is told.
void FunctionDecoder::bulk_copy(const ptx::Instruction& written, const Match&, Instruction out) {
  const bool counted = out.has(Mod::CompleteBytes);
  const size_t least = counted ? 4 : 3, given = written.operands.size();
  if (given != least + (out.has(Mod::CacheHint) ? 1 : 0))
    return problem(written.place, fmt::format("'cp' does not take {} operands", given));
  if (written.guard) guard(out, *written.guard);
  Instruction told = out;
  address(written.operands[0], out, false);
  address(written.operands[1], out, true);
  out.src[out.src_count++] = value(written.operands[2], 4, Type::U32);
  emit(out);
  if (!counted) return;
  told.op = Op::MbarTx;
  told.mods.reset();
  told.mods.set(static_cast<size_t>(Mod::CompleteTx));
  told.space = Space::Shared;
  address(written.operands[3], told, false);
  told.src[told.src_count++] = out.src[2];
  emit(told);
}

// ld.param of a kernel parameter at a fixed place is a move from the constant plane.
void FunctionDecoder::load_parameter(Instruction& out) {
  const bool fixed = out.src[0] == state_.pool.parameter_address(0) && out.vector == 1 && out.displacement >= 0 &&
                     out.displacement + bytes_of(out.type) <= state_.kernel.parameter_bytes && bytes_of(out.type) <= 8;
  if (!fixed) {
    out.space = Space::Global;
    return;
  }
  out.op = Op::Mov;
  out.src[0] = state_.pool.parameter(static_cast<uint32_t>(out.displacement), out.type, out.dst[0].bytes);
  out.space = Space::None;
  out.displacement = 0;
}

}  // namespace heddle

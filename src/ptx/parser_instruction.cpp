// Instructions: guard, opcode, modifiers, operands; and `call`, whose operands have a shape of their own.
#include <fmt/format.h>

#include <utility>

#include "ptx/parser.h"

namespace heddle::ptx {

// @p or @!p, and the instruction it guards.
void Parser::parse_guarded(Block& block) {
  Guard guard;
  guard.place = token_.place;
  advance();
  guard.negated = accept('!');
  guard.name = expect_name("a predicate register");
  if (token_.kind != TokenKind::Word) unexpected("an instruction");
  const Token opcode = token_;
  advance();
  Instruction instruction = parse_instruction(opcode);
  instruction.guard = std::move(guard);
  block.statements.emplace_back(std::move(instruction));
}

// The opcode has been taken.
Instruction Parser::parse_instruction(const Token& opcode) {
  Instruction instruction;
  instruction.place = opcode.place;
  instruction.opcode = opcode.text;
  instruction.loc = loc_;
  instruction.nounroll = std::exchange(nounroll_, false);
  parse_modifiers(instruction);
  if (accept(';')) return instruction;
  const Position start = position();
  try {
    parse_operands(instruction);
  } catch (const Unexpected&) {
    restore(start);
    if (take_operands_as_text(instruction)) return instruction;
    throw;
  }
  if (!accept(';')) missing("',' or ';'");
  return instruction;
}

void Parser::parse_modifiers(Instruction& instruction) {
  constexpr size_t usual = 16;
  std::string_view found[usual];
  size_t count = 0;
  for (; token_.kind == TokenKind::Dotted && count < usual; advance()) found[count++] = token_.name();
  instruction.modifiers.assign(found, found + count);
  for (; token_.kind == TokenKind::Dotted; advance()) instruction.modifiers.emplace_back(token_.name());
}

void Parser::parse_operands(Instruction& instruction) {
  if (instruction.opcode == "call") {
    instruction.call = parse_call();
  } else {
    instruction.operands.reserve(4);
    do {
      instruction.operands.push_back(instruction.opcode == "vmad" ? parse_signed_operand() : parse_operand());
    } while (accept(','));
  }
  // An operator behind a complete operand, as in a[2], is an operand of an unknown shape; any other token
  // begins the next statement and the ';' is missing.
  const bool unknown_shape = token_.kind == TokenKind::Symbol && token_.place.line == previous_.place.line &&
                             !token_.is(';') && !token_.is('}') && !token_.is('@');
  if (unknown_shape) unexpected("',' or ';'");
}

// Keeps everything up to the ';' as text. Says no where the instruction's end is not plain to see: brackets
// that do not match, or a line that begins like the next statement.
bool Parser::take_operands_as_text(Instruction& instruction) {
  const Token first = token_;
  std::string closers;
  while (!token_.is(';')) {
    const bool same_line = token_.place.line == previous_.place.line;
    const bool is_first = token_.text.data() == first.text.data();
    const bool continues = same_line || is_first || previous_.is(',') || !closers.empty();
    if (token_.kind == TokenKind::End || !continues) return false;
    if (token_.is('{')) closers += '}';
    if (token_.is('[')) closers += ']';
    if (token_.is('(')) closers += ')';
    if (token_.is('}') || token_.is(']') || token_.is(')')) {
      if (closers.empty() || !token_.is(closers.back())) return false;
      closers.pop_back();
    }
    advance();
  }
  if (!closers.empty()) return false;
  const char* begin = first.text.data();
  instruction.operands.clear();
  instruction.call.reset();
  instruction.unparsed.assign(begin, static_cast<size_t>(previous_.end() - begin));
  advance();
  return true;
}

// call f;   call f, (a, b);   call (r), f, (a, b);   call (r), %rd1, (a), prototype;   call %rd1, targets;
std::unique_ptr<Call> Parser::parse_call() {
  auto call = std::make_unique<Call>();
  if (token_.is('(')) {
    call->results = parse_call_list();
    expect(',');
  }
  call->target = parse_plain_name();
  if (!accept(',')) return call;
  if (token_.is('(')) {
    call->arguments = parse_call_list();
    if (!accept(',')) return call;
  }
  call->prototype = expect_word("the name of a .callprototype or .calltargets");
  return call;
}

std::vector<Operand> Parser::parse_call_list() {
  std::vector<Operand> list;
  expect('(');
  if (accept(')')) return list;
  do {
    list.push_back(parse_operand());
  } while (accept(','));
  expect(')');
  return list;
}

}  // namespace heddle::ptx

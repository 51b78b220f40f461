// The body of a function: scopes, labels, registers and what belongs to labels.
#include <fmt/format.h>

#include "ptx/parser.h"

namespace heddle::ptx {

Block Parser::parse_block() {
  Nesting nesting(*this);
  const Token opening = token_;
  expect('{');
  Block block;
  while (!accept('}')) {
    if (token_.kind == TokenKind::End) fail(opening.place, "expected '}' to close this, found end of file");
    parse_statement(block);
  }
  return block;
}

void Parser::parse_statement(Block& block) {
  if (token_.kind == TokenKind::Word) {
    const Token name = token_;
    advance();
    if (accept(':')) return parse_labelled(block, name);
    block.statements.emplace_back(parse_instruction(name));
  } else if (token_.is('@')) {
    parse_guarded(block);
  } else if (token_.kind == TokenKind::Dotted) {
    parse_body_directive(block);
  } else if (token_.is('{')) {
    block.statements.emplace_back(std::make_unique<Block>(parse_block()));
  } else {
    unexpected("an instruction, a label, a directive or '}'");
  }
}

void Parser::parse_body_directive(Block& block) {
  if (at_directive(".loc")) return parse_loc();
  if (at_directive(".reg")) {
    for (Registers& registers : parse_registers()) block.statements.emplace_back(std::move(registers));
    return;
  }
  if (at_directive(".pragma")) return parse_pragma();
  if (at_directive(".file")) return parse_file();
  const Linkage linkage = parse_linkage();
  if (!at_space()) unexpected(".reg, .local, .shared, .param, .global, .const, .loc or .pragma");
  for (Variable& variable : parse_variables(linkage)) block.statements.emplace_back(std::move(variable));
}

// .reg .b32 %a, %r<10>;
std::vector<Registers> Parser::parse_registers() {
  const Variable head = parse_declaration_head();
  std::vector<Registers> all;
  do {
    Registers registers;
    registers.place = token_.place;
    registers.type = head.type;
    registers.vector = head.vector;
    registers.name = expect_word("the name of a register");
    if (token_.is('<')) {
      registers.count = parse_count();
      if (registers.count == 0) continue;  // %r<0> defines nothing
    }
    all.push_back(std::move(registers));
  } while (accept(','));
  expect(';');
  return all;
}

// Behind `name :`.
void Parser::parse_labelled(Block& block, const Token& name) {
  if (at_directive(".branchtargets") || at_directive(".calltargets")) {
    advance();
    block.statements.emplace_back(BranchTargets{name.place, std::string(name.text), parse_targets()});
  } else if (at_directive(".callprototype")) {
    Prototype prototype = parse_prototype();
    prototype.place = name.place;
    prototype.name = name.text;
    block.statements.emplace_back(std::move(prototype));
  } else {
    block.statements.emplace_back(Label{name.place, std::string(name.text)});
  }
}

std::vector<std::string> Parser::parse_targets() {
  std::vector<std::string> targets;
  do {
    targets.emplace_back(expect_word("the name of a target"));
  } while (accept(','));
  expect(';');
  return targets;
}

// .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _) .noreturn;
Prototype Parser::parse_prototype() {
  advance();
  Prototype prototype;
  if (token_.is('(')) prototype.results = parse_parameters();
  expect_word("'_', the name of any function");
  if (token_.is('(')) prototype.parameters = parse_parameters();
  Function directives;
  parse_function_directives(directives);
  prototype.noreturn = directives.noreturn;
  expect(';');
  return prototype;
}

}  // namespace heddle::ptx

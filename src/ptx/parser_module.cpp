// The top level of a module: its head, files, debug sections, variables and functions.
#include <fmt/format.h>

#include <charconv>

#include "ptx/parser.h"

namespace heddle::ptx {

Module Parser::parse_module() {
  module_.source = source_;
  if (token_.kind == TokenKind::End) unexpected("a PTX module that begins with .version");
  while (token_.kind != TokenKind::End) parse_module_directive();
  return std::move(module_);
}

void Parser::parse_module_directive() {
  struct Row {
    std::string_view name;
    void (Parser::*parse)();
  };
  static constexpr Row rows[] = {
      {".version", &Parser::parse_version},
      {".target", &Parser::parse_target},
      {".address_size", &Parser::parse_address_size},
      {".file", &Parser::parse_file},
      {".section", &Parser::parse_section},
      {".alias", &Parser::parse_alias},
      {".pragma", &Parser::parse_pragma},
      {".loc", &Parser::parse_loc},
  };
  if (token_.kind != TokenKind::Dotted) unexpected("a directive such as .entry, .func or .global");
  for (const Row& row : rows)
    if (token_.text == row.name) return (this->*row.parse)();

  const Linkage linkage = parse_linkage();
  if (at_directive(".entry") || at_directive(".func")) return parse_function(linkage);
  if (at_directive(".reg")) {
    for (Registers& registers : parse_registers()) module_.registers.push_back(std::move(registers));
    return;
  }
  if (!at_space() || at_directive(".param")) {
    unexpected(
        ".entry, .func, .global, .const, .shared, .version, .target, .address_size, .file, .section, "
        ".alias or .pragma");
  }
  for (Variable& variable : parse_variables(linkage)) module_.variables.push_back(std::move(variable));
}

// .version 9.0
void Parser::parse_version() {
  advance();
  const std::string_view text = token_.text;
  uint32_t major = 0, minor = 0;
  const char* const dot = std::from_chars(text.data(), token_.end(), major).ptr;
  const bool has_dot = token_.kind == TokenKind::Number && dot != token_.end() && *dot == '.';
  const char* const end = has_dot ? std::from_chars(dot + 1, token_.end(), minor).ptr : nullptr;
  if (end != token_.end() || major > 99 || minor > 9) unexpected("a version such as 9.0");
  module_.version = major * 10 + minor;
  advance();
}

// .target sm_75, debug
void Parser::parse_target() {
  advance();
  module_.target = expect_word("a target such as sm_75");
  while (accept(',')) expect_word("an option of the target such as debug");
}

void Parser::parse_address_size() {
  advance();
  const Token at = token_;
  module_.address_size = expect_u32("32 or 64");
  if (module_.address_size != 32 && module_.address_size != 64)
    fail(at.place, fmt::format("expected 32 or 64, found {}", describe(at)));
}

// .file 1 "name.cu"    .file 1 "name.cu", 1640995200, 1234
void Parser::parse_file() {
  advance();
  SourceFile file;
  file.index = expect_u32("the number of a file");
  file.name = expect_string();
  while (accept(',')) parse_unsigned_constant("the time or the size of the file");
  module_.files.push_back(std::move(file));
}

// .section .debug_info { … }: for debuggers, skipped.
void Parser::parse_section() {
  advance();
  if (token_.kind != TokenKind::Dotted) unexpected("the name of a section such as .debug_info");
  advance();
  if (!token_.is('{')) missing("'{'");
  skip_balanced();
}

void Parser::parse_alias() {
  advance();
  Alias alias;
  alias.place = token_.place;
  alias.name = expect_word("the name of a function");
  expect(',');
  alias.target = expect_word("the name of a function");
  expect(';');
  module_.aliases.push_back(std::move(alias));
}

// .pragma "nounroll";  Advice to ptxas, kept where it is about one loop.
void Parser::parse_pragma() {
  advance();
  do {
    if (expect_string() == "nounroll" && function_) nounroll_ = true;
  } while (accept(','));
  expect(';');
}

}  // namespace heddle::ptx

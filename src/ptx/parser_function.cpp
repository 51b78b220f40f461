// .entry and .func: linkage, results, parameters, performance directives, and .loc inside bodies.
#include <fmt/format.h>

#include <algorithm>

#include "ptx/parser.h"

namespace heddle::ptx {

void Parser::parse_function(const Linkage& linkage) {
  Function function;
  function.is_entry = at_directive(".entry");
  function.is_extern = linkage.is_extern;
  function.is_visible = linkage.is_visible;
  function.is_weak = linkage.is_weak;
  advance();
  if (at_directive(".attribute")) parse_attribute_list();
  if (!function.is_entry && token_.is('(')) function.results = parse_parameters();
  function.place = token_.place;
  const std::string_view name = expect_word("the name of a function");
  function.name = name;
  if (token_.is('(')) function.parameters = parse_parameters();
  parse_function_directives(function);
  if (token_.is('{')) {
    if (!defined_.insert(name).second) fail(function.place, fmt::format("function '{}' is defined twice", name));
    function.has_body = true;
    function_ = &function;
    loc_ = -1;
    loc_of_place_.clear();
    function.body = parse_block();
    function_ = nullptr;
  } else if (!accept(';') && !(at_declaration() && !function.is_entry)) {
    missing("'{' or ';'");
  }
  module_.functions.push_back(std::move(function));
}

// (.param .b32 a, .param .align 8 .b8 b[24], .param .u64 .ptr .global .align 8 c)
std::vector<Variable> Parser::parse_parameters() {
  std::vector<Variable> parameters;
  expect('(');
  if (accept(')')) return parameters;
  do {
    if (!at_directive(".param") && !at_directive(".reg")) unexpected(".param or .reg");
    Variable parameter = parse_declaration_head();
    parameter.place = token_.place;
    if (!token_.is(',') && !token_.is(')')) parameter.name = expect_word("the name of a parameter");
    parse_dimensions(parameter);
    parameters.push_back(std::move(parameter));
  } while (accept(','));
  expect(')');
  return parameters;
}

// Where the next declaration begins: compilers of 2010 wrote no ';' behind the prototype of a function.
bool Parser::at_declaration() const {
  static constexpr std::string_view begins[] = {".visible", ".extern", ".weak",  ".common", ".entry", ".func",
                                                ".global",  ".shared", ".const", ".local",  ".reg",   ".tex",
                                                ".file",    ".loc",    ".alias", ".section"};
  return token_.kind == TokenKind::Dotted && std::ranges::find(begins, token_.text) != std::end(begins);
}

void Parser::parse_function_directives(Function& function) {
  while (token_.kind == TokenKind::Dotted && !at_declaration()) {
    if (at_directive(".pragma")) {
      parse_pragma();
    } else if (at_directive(".attribute")) {
      parse_attribute_list();
    } else if (accept_directive(".noreturn")) {
      function.noreturn = true;
    } else if (!parse_performance_directive(function)) {
      unexpected("a directive of a function such as .maxntid, '{' or ';'");
    }
  }
}

bool Parser::parse_performance_directive(Function& function) {
  if (accept_directive(".maxntid")) {
    parse_extents(function.maxntid);
  } else if (accept_directive(".reqntid")) {
    parse_extents(function.reqntid);
  } else if (accept_directive(".minnctapersm")) {
    function.minnctapersm = expect_u32("a number of blocks");
  } else if (accept_directive(".maxnreg")) {
    function.maxnreg = expect_u32("a number of registers");
  } else if (accept_directive(".reqnctapercluster")) {
    uint32_t ignored[3];
    parse_extents(ignored);
  } else if (accept_directive(".maxnctapersm") || accept_directive(".maxclusterrank") ||
             accept_directive(".abi_preserve") || accept_directive(".abi_preserve_control")) {
    expect_u32("a number");
  } else {
    return accept_directive(".explicitcluster") || accept_directive(".blocksareclusters");
  }
  return true;
}

// 128   or   16, 8   or   16, 8, 2; what is absent is 1
void Parser::parse_extents(uint32_t (&extents)[3]) {
  extents[0] = expect_u32("a number of threads");
  extents[1] = accept(',') ? expect_u32("a number of threads") : 1;
  extents[2] = accept(',') ? expect_u32("a number of threads") : 1;
}

// .loc 1 12 3    .loc 1 12 3, function_name $L__info_string0+4, inlined_at 1 40 5
void Parser::parse_loc() {
  advance();
  const auto numbers = [this] {
    SourceLoc loc;
    loc.file = expect_u32("the number of a file");
    loc.line = expect_u32("a line");
    loc.column = expect_u32("a column");
    return loc;
  };
  SourceLoc loc = numbers();
  while (accept(',')) {
    if (token_.is_word("function_name")) {
      advance();
      if (token_.kind != TokenKind::Word && token_.kind != TokenKind::Dotted) unexpected("a label");
      advance();
      parse_offset();
    } else if (token_.is_word("inlined_at")) {
      advance();
      const SourceLoc call_site = numbers();
      if (function_ != nullptr) loc.inlined_at = find_call_site(call_site);
    } else {
      unexpected("function_name or inlined_at");
    }
  }
  if (function_ == nullptr) return;
  loc_ = static_cast<int32_t>(function_->locs.size());
  function_->locs.push_back(loc);
  loc_of_place_[loc] = loc_;
}

// The call site of nested inlining is itself inlined: the latest .loc with that place knows by whom.
int32_t Parser::find_call_site(const SourceLoc& call_site) {
  const auto [found, is_new] = loc_of_place_.try_emplace(call_site, static_cast<int32_t>(function_->locs.size()));
  if (is_new) function_->locs.push_back(call_site);
  return found->second;
}

}  // namespace heddle::ptx

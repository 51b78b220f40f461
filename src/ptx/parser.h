// Recursive descent over the tokens of one module, with one token of look-ahead.
//
// The grammar is split by theme over parser_*.cpp; the class is one because all themes share the token and
// the function being read. A parser is made, parse_module() is called once, and it is thrown away.
//
// Errors: every syntax error is an Error at the offending token. An instruction whose operands have a shape
// this parser does not know (textures, tensor maps) is kept with its operands as text when its end can be
// found, so that the other kernels of the module still load.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/lexer.h"
#include "ptx/module.h"

namespace heddle::ptx {

// A token other than the grammar allows here. Within operands it may be forgiven, see above.
class Unexpected : public Error {
 public:
  explicit Unexpected(const Error& error) : Error(error) {}
};

class Parser {
 public:
  explicit Parser(std::shared_ptr<const Source> source);
  Module parse_module();

 private:
  // Where the parser stands; restoring one goes back.
  struct Position {
    Lexer lexer;
    Token token;
    Token previous;
  };

  // Counts the nesting of the text for as long as it lives; too much is an Error.
  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // What stands before a declaration: .visible .extern .weak .common
  struct Linkage {
    bool is_extern = false, is_visible = false, is_weak = false, is_common = false;
  };

  // A place in the source language, by whom inlined or not.
  struct HashPlace {
    size_t operator()(const SourceLoc& loc) const {
      return (uint64_t{loc.line} << 32 | loc.column) * 0x9E3779B97F4A7C15 ^ loc.file;
    }
  };
  struct SamePlace {
    bool operator()(const SourceLoc& a, const SourceLoc& b) const {
      return a.file == b.file && a.line == b.line && a.column == b.column;
    }
  };

  // ---- tokens (parser.cpp)
  void advance();
  Position position() const { return {lexer_, token_, previous_}; }
  void restore(const Position& position);
  bool accept(char c);
  void expect(char c);
  bool at_directive(std::string_view name) const;  // with its dot
  bool accept_directive(std::string_view name);
  std::string_view expect_word(const char* what);
  std::string_view expect_name(const char* what);  // a word and the dotted names that touch it: %tid.x
  std::string_view expect_string();
  uint32_t expect_u32(const char* what);
  [[noreturn]] void unexpected(const std::string& expected) const;
  [[noreturn]] void missing(const std::string& expected) const;
  [[noreturn]] void fail(Place place, const std::string& message) const;
  void skip_balanced();  // from an opening bracket to behind its partner
  Linkage parse_linkage();

  // ---- module level (parser_module.cpp)
  void parse_module_directive();
  void parse_version();
  void parse_target();
  void parse_address_size();
  void parse_file();
  void parse_section();
  void parse_alias();
  void parse_pragma();

  // ---- functions (parser_function.cpp)
  void parse_function(const Linkage& linkage);
  std::vector<Variable> parse_parameters();
  bool at_declaration() const;
  void parse_function_directives(Function& function);
  bool parse_performance_directive(Function& function);
  void parse_extents(uint32_t (&extents)[3]);
  void parse_loc();
  int32_t find_call_site(const SourceLoc& call_site);

  // ---- declarations (parser_declaration.cpp, parser_initialiser.cpp)
  bool at_space() const;
  Variable parse_declaration_head();  // .global .align 4 .v2 .u32
  bool parse_declaration_attribute(Variable& variable);
  void parse_pointer_attribute();
  bool parse_attribute_list();                                    // whether .managed is among them
  std::vector<Variable> parse_variables(const Linkage& linkage);  // up to and with the ';'
  void parse_declarator(Variable variable, std::vector<Variable>& variables);
  uint32_t parse_count();  // the <10> of %r<10>
  void parse_dimensions(Variable& variable);
  void check_size(const Variable& variable) const;
  void parse_initialiser(Variable& variable);
  void parse_initialiser_list(Variable& variable, const std::vector<uint64_t>& strides, size_t level, uint64_t first);
  Variable::Value parse_initial_value();
  void parse_symbol_value(Variable::Value& value);

  // ---- statements (parser_statement.cpp)
  Block parse_block();
  void parse_statement(Block& block);
  void parse_body_directive(Block& block);
  std::vector<Registers> parse_registers();
  void parse_labelled(Block& block, const Token& name);
  std::vector<std::string> parse_targets();
  Prototype parse_prototype();

  // ---- instructions and operands (parser_instruction.cpp, parser_operand.cpp)
  void parse_guarded(Block& block);
  Instruction parse_instruction(const Token& opcode);
  void parse_modifiers(Instruction& instruction);
  void parse_operands(Instruction& instruction);
  bool take_operands_as_text(Instruction& instruction);
  std::unique_ptr<Call> parse_call();
  std::vector<Operand> parse_call_list();
  Operand parse_operand();
  Operand parse_signed_operand();
  Operand parse_negated();
  Operand parse_name_or_pair();
  Operand parse_plain_name();
  Operand parse_address();
  Operand parse_vector();
  int64_t parse_offset();

  // ---- constants (parser_constant.cpp)
  bool at_constant() const;
  Immediate parse_constant();
  Immediate parse_binary(int min_precedence);
  Immediate parse_unary();
  Immediate parse_primary();
  Immediate parse_parenthesised();
  uint64_t parse_unsigned_constant(const char* what);

  std::shared_ptr<const Source> source_;
  Lexer lexer_;
  Token token_;     // the next one, not taken yet
  Token previous_;  // the last one taken
  uint32_t depth_ = 0;
  uint32_t numbered_ = 0;  // variables made from name<n> so far

  Module module_;
  std::unordered_set<std::string_view> defined_;
  Function* function_ = nullptr;                                               // whose body is being read
  int32_t loc_ = -1;                                                           // the .loc in force
  bool nounroll_ = false;                                                      // for the next instruction
  std::unordered_map<SourceLoc, int32_t, HashPlace, SamePlace> loc_of_place_;  // see find_call_site()
};

}  // namespace heddle::ptx

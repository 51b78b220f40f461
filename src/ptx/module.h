// What the parser makes of PTX text: names and structure, no meaning yet. `program` gives it meaning.
//
// Every node carries its Place, so that later errors can point at the source line (see source.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ptx/source.h"
#include "ptx/type.h"

namespace heddle::ptx {

enum class Space : uint8_t { None, Reg, Global, Const, Shared, Local, Param };

// ---- operands -------------------------------------------------------------------------------------

struct Immediate {
  enum class Kind : uint8_t { Integer, F32Bits, F64Bits, Decimal } kind = Kind::Integer;
  // Integer: the value in two's complement. F32Bits / F64Bits: 0f…, 0d… . Decimal (1.5, 1e308): F64 bits.
  uint64_t bits = 0;
  bool is_unsigned = false;  // U suffix, or a literal that needs 64 unsigned bits
};

struct Operand;

struct Name {  // a register, special register (%tid.x), symbol, label or function: told apart later
  std::string text;
  int64_t offset = 0;  // symbol+8 outside brackets
};
struct AddressOf {  // [base+offset]; base is a register, a symbol, or empty for an absolute address
  std::string base;
  int64_t offset = 0;
  std::vector<Operand> coordinates;  // [texture, {x, y}]
};
struct Vector {  // {a, b, _}
  std::vector<Operand> elements;
};
struct Sink {};               // _
struct Pair {                 // d|p
  std::vector<Operand> both;  // two
};
struct Operand {
  Place place;
  bool negated = false;  // !p
  std::variant<Name, Immediate, AddressOf, Vector, Sink, Pair> value;
  bool minus = false;  // -a, of vmad
};

// ---- statements -----------------------------------------------------------------------------------

struct Guard {
  std::string name;
  bool negated = false;
  Place place;
};

// Where the source language's line is, from .loc; function index -1 when not inlined.
struct SourceLoc {
  uint32_t file = 0, line = 0, column = 0;
  int32_t inlined_at = -1;  // index into Function::locs of the call site
};

struct Call {                      // the operands of `call`, which have a shape of their own
  std::vector<Operand> results;    // .param or register names
  Operand target;                  // function name or register
  std::vector<Operand> arguments;  // .param or register names, or immediates
  std::string prototype;           // .callprototype or .calltargets label, or empty
};

struct Instruction {
  Place place;
  std::optional<Guard> guard;
  std::string opcode;                  // "add"
  std::vector<std::string> modifiers;  // "rn", "ftz", "f32" in order; "L1::no_allocate" is one
  std::vector<Operand> operands;
  std::unique_ptr<Call> call;  // for opcode "call" only
  std::string unparsed;        // operands of a shape the parser does not know, as text; or empty
  int32_t loc = -1;            // index into Function::locs
  bool nounroll = false;       // .pragma "nounroll" stands in front of it
};

struct Variable {
  Place place;
  Space space = Space::None;
  Type type = Type::None;
  std::string name;
  uint32_t vector = 1;               // .v2, .v4
  uint32_t align = 0;                // 0: natural
  std::vector<uint64_t> dimensions;  // [2][4]; a [] of an extern array is 0
  bool is_array = false;
  bool is_extern = false, is_visible = false, is_weak = false, is_common = false, is_managed = false;
  std::string opaque;    // "texref", "samplerref" or "surfref" (type is then B64), or empty
  struct Value {         // one scalar initialiser, in row-major order
    uint64_t index = 0;  // element index
    Immediate number;
    std::string symbol;            // address of a symbol, + number.bits
    bool generic = false;          // generic(symbol)
    uint64_t mask = ~uint64_t{0};  // 0xFF(symbol): which byte of the address (mask()), applied then shifted down
  };
  std::vector<Value> initialiser;
  uint64_t count() const;  // elements, vector included
  uint64_t bytes() const { return count() * bytes_of(type); }
  uint32_t alignment() const;  // align, or natural
};

struct Registers {  // .reg .b32 %r<10>;  a single register has count 0 and its full name
  Place place;
  Type type = Type::None;
  uint32_t vector = 1;
  std::string name;
  uint32_t count = 0;  // %r<10> defines %r0 … %r9
};

struct Label {
  Place place;
  std::string name;
};

struct BranchTargets {  // name: .branchtargets L1, L2;   name: .calltargets f, g;
  Place place;
  std::string name;
  std::vector<std::string> targets;
};

struct Prototype {  // name: .callprototype (.param .b32 _) _ (.param .b32 _, …);
  Place place;
  std::string name;
  std::vector<Variable> results, parameters;
  bool noreturn = false;
};

struct Block;  // { … } opens a scope
using Statement =
    std::variant<Instruction, Label, Registers, Variable, BranchTargets, Prototype, std::unique_ptr<Block>>;
struct Block {
  std::vector<Statement> statements;
};

// ---- top level ------------------------------------------------------------------------------------

struct Function {
  Place place;
  std::string name;
  bool is_entry = false, has_body = false, noreturn = false;
  bool is_extern = false, is_visible = false, is_weak = false;
  std::vector<Variable> results, parameters;
  Block body;
  std::vector<SourceLoc> locs;
  // Performance directives; 0 where absent.
  uint32_t maxntid[3] = {0, 0, 0}, reqntid[3] = {0, 0, 0}, minnctapersm = 0, maxnreg = 0;
};

struct SourceFile {
  uint32_t index = 0;
  std::string name;
};

struct Alias {  // .alias name, target;
  Place place;
  std::string name, target;
};

struct Module {
  std::shared_ptr<const Source> source;
  uint32_t version = 0;       // 90 for 9.0
  std::string target;         // "sm_75"
  uint32_t address_size = 0;  // 32 or 64; 0: the text does not say
  std::vector<SourceFile> files;
  std::vector<Variable> variables;
  std::vector<Registers> registers;  // of all functions: compilers of 2009 handed parameters over in them
  std::vector<Alias> aliases;
  std::vector<Function> functions;                    // declarations too; a definition follows its declaration
  const Function* find(std::string_view name) const;  // the definition if there is one
};

// Throws Error (ExitCode::BadProgram) with file:line:column, the line and a caret.
Module parse(std::shared_ptr<const Source> source);

}  // namespace heddle::ptx

// A kernel ready to run: decoded code of the kernel and of every function it reaches, in one address order,
// with all that mechanisms and machines ask about it.
//
// Life cycle: decode() (decode.h) fills code, layout and call sites; analyse() (analysis.h) fills the analyses.
// After that a Kernel never changes; it is shared by all cores and launches.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/instruction.h"
#include "program/machine_cost.h"
#include "program/register_uses.h"

namespace heddle {

// A row of the constant plane.
struct ConstantRow {
  enum class Kind : uint8_t {
    Literal,       // bits
    Parameter,     // the kernel parameter bytes at `bits`, read as `type`
    ParamAddress,  // address of the parameter bytes, plus bits
    Symbol,        // address of a module variable, plus bits
  } kind = Kind::Literal;
  uint8_t bytes = 4;  // width of the row; 0 a predicate word
  Type type = Type::None;
  uint64_t bits = 0;
  std::string symbol;
  uint32_t offset = 0;  // in the constant plane
};

// Values that a row of threads gets when its block starts.
enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  SmId,
  NsmId,
  GridId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  EnvReg1,
  EnvReg2,
  Zero,
  One,
  DynamicShared,
  TotalShared,
};
struct SpecialRegister {
  Special what;
  Operand at;
};

struct Parameter {
  uint32_t offset = 0, bytes = 0;
  std::string name;
};

// Parameters and results of a device function lie at the start of its frame, in this order.
struct Signature {
  struct Item {
    uint32_t offset, bytes;
  };
  std::vector<Item> results, parameters;
  uint32_t bytes = 0;
};

struct CallSite {
  enum class Builtin : uint8_t { None, Printf, AssertFail, Malloc, Free };
  struct Item {            // one argument or result on the caller's side
    bool in_frame = true;  // a .param variable at frame + offset, else a register or constant
    uint32_t offset = 0;
    Operand reg;
    uint32_t bytes = 0;
  };
  Builtin builtin = Builtin::None;
  bool indirect = false;  // the target is the instruction's src[0]
  Signature signature;
  std::vector<Item> arguments, results;
  uint32_t frame_bytes = 0;    // how far the callee's frame lies above the caller's
  std::vector<Operand> saved;  // live across a call inside a recursive cycle: saved and restored
};

struct FunctionRange {
  std::string name;
  Pc begin = 0, end = 0;
  Signature signature;
  uint32_t frame_bytes = 0;
  uint64_t address = 0;  // as a function pointer
  bool recursive = false;
};

struct BasicBlock {
  Pc begin = 0, end = 0;  // end is one past the last
  uint32_t function = 0;
  std::vector<uint32_t> successors;  // Brx: one per distinct target; calls fall through
  std::vector<uint32_t> predecessors;
  int32_t dominator = -1;       // immediate; -1 for a function's first block
  int32_t post_dominator = -1;  // immediate; -1 is the function's end
};

struct SourceLine {
  uint32_t file = 0, line = 0, column = 0;
  int32_t inlined_at = -1;  // index into Kernel::locs
};

// A load or store of shared memory, one of several in a straight line with their address in one register, which nobody
// writes to between them.
struct SharedBase {
  static constexpr unsigned kSlots = 4;
  Pc head = kNoPc;   // the first of them
  uint8_t slot = 0;  // neighbours in a line have different ones
};

// What the address of an access may have been made of (address_roots.cpp).
struct AddressRoots {
  uint64_t rows = 0;    // pointers that the kernel was given, and those of variables: of Kernel::roots
  bool others = false;  // perhaps something else: a pointer from memory, or of local memory
  bool mixed = false;   // to one of the rows something was added of which it is not known whether it is a pointer
  bool operator==(const AddressRoots&) const = default;
};

struct Structure;  // structure.h

struct Kernel {
  std::string name;
  std::shared_ptr<const ptx::Source> source;
  std::vector<Instruction> code;
  std::vector<FunctionRange> functions;  // [0] is the kernel itself
  std::vector<std::vector<Pc>> tables;   // branch tables
  std::vector<CallSite> calls;
  std::vector<ConstantRow> constants;
  std::vector<SpecialRegister> specials;
  std::vector<Parameter> parameters;
  std::vector<SourceLine> locs;
  std::vector<std::string> files;  // by the index of .file

  uint32_t plane_bytes = 0;  // registers of one row of 32 threads
  uint32_t constant_bytes = 0;
  Operand frame;  // hidden register: the thread's frame in local memory
  uint32_t parameter_bytes = 0;
  uint8_t pointer_bytes = 8;   // 4 in a module with addresses of 32 bits
  uint32_t static_shared = 0;  // bytes; dynamic shared memory starts at dynamic_shared
  uint32_t dynamic_shared = 0;
  uint32_t max_threads = 0;      // .maxntid, 0 where absent
  Dim3 required_block{0, 0, 0};  // .reqntid

  // Analyses, by PC or block.
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> block_of;        // by PC
  std::vector<uint32_t> block_order;     // by block: its place in a relaxed topological order, loop bodies before exits
  std::vector<bool> may_wait;            // by block: a barrier or warp-wide instruction can be reached from its start
  std::vector<Pc> reconvergence;         // by PC of a branch; kNoPc: the function's end
  std::vector<Pc> likely_convergence;    // by PC of a branch; kNoPc: none
  std::vector<bool> uniform;             // by PC of a branch: proven to go one way for the whole block
  std::vector<uint32_t> spin_loops;      // headers of loops that wait for others; not those that all leave or none
  std::vector<SharedBase> shared_bases;  // by PC; of others the head is kNoPc
  std::vector<AddressRoots> address_roots;   // by PC, of what reaches global memory
  std::vector<uint32_t> roots;               // of addresses: rows of `constants`
  std::shared_ptr<const RegisterUses> uses;  // of registers that share places (register_packing.h)
  // Registers that somebody may read before it has written to them: zero for a thread that starts. Not known: all.
  std::optional<std::vector<Operand>> read_first;
  std::vector<MachineCost> costs;  // by PC; empty: every instruction is one slot on unit_of it
  unsigned registers = 1;          // 32-bit registers per thread, as an allocator may be expected to assign
  bool recursive = false, has_calls = false, has_indirect = false, has_barrier = false;
  std::shared_ptr<const Structure> structure;  // nested regions, for mechanisms whose ISA has nothing else

  // May the threads of a block diverge at this branch?
  bool may_diverge(Pc branch) const { return blocks[block_of[branch]].successors.size() > 1 && !uniform[branch]; }
  const FunctionRange& function_at(Pc pc) const;
  std::string where(Pc pc) const;  // "file.ptx:12:5 (kernel.cu:7)"
  std::string text(Pc pc) const;   // the PTX line
};

}  // namespace heddle

// Decodes the body of one function into the kernel under construction.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/isa.h"
#include "program/program.h"
#include "program/reach.h"
#include "program/scope.h"

namespace heddle {

// What the functions of one kernel share while it is decoded.
struct DecodeState {
  const ModuleIndex& index;
  Kernel& kernel;
  std::vector<ptx::Variable>& variables;
  std::vector<Problem>& problems;
  PlaneLayout plane;
  ConstantPool pool;
  std::map<Special, Operand> specials;
  std::map<unsigned, Operand> sinks;                          // by width
  Operand carry;                                              // the CC register
  std::map<std::string, PlacedVariable, std::less<>> shared;  // module-level variables in use
  std::map<Pc, std::string> calls_to;                         // direct calls, resolved when all are decoded
  Scopes registers{plane};                                    // of the module, which its functions share
  std::optional<uint32_t> reserved{};                         // reserved_shared(), if it is used

  Operand special(Special what);
  Operand sink(unsigned bytes);
  uint64_t place_shared(const ptx::Variable& variable);  // offset in shared memory
  uint32_t reserved_shared();                            // the same, of what the system keeps for itself
};

Signature signature_of(const std::vector<ptx::Variable>& results, const std::vector<ptx::Variable>& parameters);

class FunctionDecoder {
 public:
  FunctionDecoder(DecodeState& state, const ptx::Function& function);
  void decode();

 private:
  struct Fixup {  // a branch whose label may come later
    Pc at;
    std::string label;
    unsigned scope;
    ptx::Place place;
    int32_t entry;  // index in the branch table, or -1
  };
  // Statements.
  void declare_parameters();
  void declare_register(const ptx::Variable& variable);
  Instruction register_transfer(Op op, const ptx::Variable& variable, Signature::Item item);
  unsigned register_results() const;
  void store_results(int32_t loc);
  void block(const ptx::Block& block);
  void statement(const ptx::Statement& statement);
  void variable(const ptx::Variable& variable);
  void instruction(const ptx::Instruction& written);
  void finish();
  void problem(ptx::Place place, const std::string& message) { state_.problems.push_back({place, message}); }

  // One instruction (operands.cpp, control.cpp).
  void emit(const Instruction& instruction) { state_.kernel.code.push_back(instruction); }
  Instruction begin(const ptx::Instruction& written, const Match& match) const;
  void guard(Instruction& out, const ptx::Guard& guard);
  void branch_around(const ptx::Instruction& written, bool uniform, unsigned count = 1);
  void move(const ptx::Instruction& written, Instruction out);
  void load_parameter(Instruction& out);
  bool local_address(const ptx::Name& name, Address window, Instruction& out);
  bool short_local_address(const ptx::Name& name, Address window, Instruction out);
  bool generic_local(const ptx::Instruction& written, Instruction out);
  void operands(const ptx::Instruction& written, const Match& match, Instruction& out);
  void operand(std::string_view token, const ptx::Operand& written, Instruction& out);
  void address(const ptx::Operand& written, Instruction& out, bool second);
  void note_address(const Operand& base, Space space);

  // Textures and surfaces (decode_image.cpp).
  void image(const ptx::Operand& written, Instruction& out);
  void gradient(const ptx::Operand& written, Instruction& out);
  void surface(const ptx::Instruction& written, const Instruction& out);

  void bulk_copy(const ptx::Instruction& written, const Match& match, Instruction out);

  // Matrices (decode_tensor.cpp).
  void tensor(const ptx::Instruction& written, const Match& match, const Instruction& out);
  std::vector<Instruction> tensor_code(const ptx::Instruction& written, const Match& match, const Instruction& out);
  std::vector<Instruction> matrix_product(const ptx::Instruction& written, Instruction out);
  std::vector<Instruction> wmma_product(const ptx::Instruction& written, const Instruction& out);
  std::vector<Instruction> wmma_access(const ptx::Instruction& written, const Instruction& out);
  std::vector<Instruction> load_matrices(const ptx::Instruction& written, const Instruction& out);
  std::vector<Instruction> store_matrices(const ptx::Instruction& written, const Instruction& out);
  std::vector<Operand> fragment(const ptx::Operand& written, unsigned registers, unsigned bytes, bool destination);
  Operand all_lanes() { return state_.pool.literal(0xFFFFFFFF, 4); }
  void video_operand(const ptx::Operand& written, Instruction& out, bool destination);
  void check_video(const ptx::Instruction& written, const Instruction& out);
  void vector(const ptx::Operand& written, Instruction& out, bool destination);
  Operand value(const ptx::Operand& written, unsigned bytes, Type type);
  Operand destination(const ptx::Operand& written, unsigned bytes, Type type);
  Operand immediate(const ptx::Immediate& number, unsigned bytes, Type type);
  Operand named(const ptx::Operand& written, const ptx::Name& name, unsigned bytes, Type type);
  unsigned pointer_bytes(const ptx::Operand& written);
  const PlacedVariable* find_variable(std::string_view name);
  bool check_width(const Operand& operand, unsigned bytes, Type type, ptx::Place place, std::string_view name);

  void branch(const ptx::Instruction& written, Instruction out);
  void table_branch(const ptx::Instruction& written, Instruction out);
  void call(const ptx::Instruction& written, Instruction out);
  bool builtin(const std::string& name, const ptx::Instruction& written, CallSite& site);
  CallSite::Item call_item(const ptx::Operand& written, uint32_t bytes);

  DecodeState& state_;
  const ptx::Function& function_;
  Scopes scopes_;
  Signature signature_;
  uint32_t frame_ = 0;  // bytes used so far
  std::vector<Fixup> fixups_;
  std::vector<size_t> call_sites_;
  int32_t first_loc_ = 0;
  bool widths_may_differ_ = false;  // ld, st, cvt
};

}  // namespace heddle

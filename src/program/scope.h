// What names mean inside a function: registers, variables, labels and tables, innermost scope first.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/planes.h"

namespace heddle {

// A variable with the place it was given.
struct PlacedVariable {
  const ptx::Variable* declaration = nullptr;
  Space space = Space::None;  // Local for everything in the frame
  uint64_t offset = 0;        // in the frame, in shared memory, or among the kernel's parameters
  bool dynamic_shared = false;
};

class Scopes {
 public:
  // Registers that are not found here are looked for in `outer`.
  explicit Scopes(PlaneLayout& plane, Scopes* outer = nullptr) : plane_(plane), outer_(outer) {}

  unsigned push();  // a new scope inside the current one; its number
  void pop() { current_ = scopes_[current_].parent; }
  unsigned current() const { return current_; }

  void declare(const ptx::Registers& registers);
  void declare(const std::string& name, PlacedVariable variable) { scopes_[current_].variables[name] = variable; }
  void declare_label(const std::string& name, Pc pc) { scopes_[current_].labels[name] = pc; }
  void declare_table(const ptx::BranchTargets& table) { scopes_[current_].tables[table.name] = &table; }
  void declare_prototype(const ptx::Prototype& prototype) { scopes_[current_].prototypes[prototype.name] = &prototype; }

  // Registers get their row when they are first used. More than one operand: a vector register.
  std::vector<Operand> find_register(std::string_view name);
  const PlacedVariable* find_variable(std::string_view name) const;
  std::optional<Pc> find_label(std::string_view name, unsigned from) const;
  const ptx::BranchTargets* find_table(std::string_view name) const;
  const ptx::Prototype* find_prototype(std::string_view name) const;

 private:
  struct Family {  // %r<10>, or one register
    unsigned bytes = 0, vector = 1;
    uint32_t count = 0;  // 0: a single register
    std::unordered_map<uint32_t, std::vector<Operand>> rows;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  template <class T>
  using Names = std::unordered_map<std::string, T, Hash, std::equal_to<>>;
  struct Scope {
    unsigned parent = 0;
    Names<Family> registers, ranges;
    Names<PlacedVariable> variables;
    Names<Pc> labels;
    Names<const ptx::BranchTargets*> tables;
    Names<const ptx::Prototype*> prototypes;
  };
  const std::vector<Operand>& rows(Family& family, uint32_t index);
  template <class T>
  const T* find(Names<T> Scope::*member, std::string_view name, unsigned from) const;

  PlaneLayout& plane_;
  Scopes* outer_;
  std::vector<Scope> scopes_{1};
  unsigned current_ = 0;
};

}  // namespace heddle

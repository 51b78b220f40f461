// A module looked at as a whole, once: what names mean in it, and who calls whom.
#pragma once

#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace heddle {

class ModuleIndex {
 public:
  explicit ModuleIndex(const ptx::Module& module);

  const ptx::Module& module() const { return module_; }
  const ptx::Variable* variable(std::string_view name) const;  // at module level, or null
  const ptx::Function* function(std::string_view name) const;  // the definition, else a declaration, or null
  uint64_t address_of(const ptx::Function& function) const;    // as a function pointer

  struct Reached {
    const ptx::Function* function;
    bool recursive;  // lies on a cycle of calls
  };
  // The kernel, then the functions it reaches in the order of their definition. An indirect call may reach every
  // function whose address is taken anywhere in the module.
  std::vector<Reached> reached_from(const ptx::Function& entry) const;

 private:
  void find_addresses_taken();
  void find_calls();
  std::vector<bool> closure(const std::set<size_t>& roots) const;

  const ptx::Module& module_;
  std::unordered_map<std::string_view, size_t> functions_;
  std::unordered_map<std::string_view, const ptx::Variable*> variables_;
  std::set<size_t> address_taken_;
  std::vector<std::set<size_t>> calls_;  // by function
};

}  // namespace heddle

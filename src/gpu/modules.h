// The modules a GPU has loaded: where their variables lie, and the kernels they have.
//
// Modules are strangers to each other, as those of a CUDA program are: a name may stand in several. A module that only
// declares a variable uses the one that another has loaded before.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exec/global_memory.h"
#include "gpu/device.h"
#include "program/program.h"

namespace heddle {

class Modules {
 public:
  Modules(Device& device, GlobalMemory& memory) : device_(device), memory_(memory) {}

  // The module's number. Variables that `placed` names lie where it says, in memory that is there already.
  size_t load(std::shared_ptr<const Program> program, const std::map<std::string, Address>& placed);
  void reset_variables(size_t module);  // to what its text says

  std::shared_ptr<const Kernel> kernel(size_t module, std::string_view name) const;
  size_t with_kernel(std::string_view name) const;
  Address symbol(size_t module, std::string_view name) const;  // its own, or what others export
  Address symbol(std::string_view name) const;                 // of all modules; of one name, the last
  bool have_constants() const { return !constants_.empty(); }
  bool is_constant(Address address) const;

 private:
  struct Module {
    std::shared_ptr<const Program> program;
    std::map<std::string, Address, std::less<>> symbols;
  };
  void place_variables(Module& module, const std::map<std::string, Address>& placed);
  void initialise(const Module& module, const ptx::Variable& variable);
  Address symbol_of(const Module& module, std::string_view name) const;

  Device& device_;
  GlobalMemory& memory_;
  std::vector<Module> modules_;
  std::map<std::string, Address, std::less<>> symbols_;
  std::vector<std::pair<Address, Address>> constants_;  // extents of .const variables
};

}  // namespace heddle

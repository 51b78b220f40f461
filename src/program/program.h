// A module made ready: its kernels, its variables, and what is wrong with which kernel.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "program/kernel.h"
#include "program/machine/code_options.h"

namespace heddle {

// Something a kernel needs that heddle does not have, or that PTX forbids.
struct Problem {
  ptx::Place place;
  std::string message;
};

class Program {
 public:
  // Parses and decodes. Syntax errors throw; problems inside a kernel keep that kernel, and no other, from running.
  static std::shared_ptr<const Program> load(std::shared_ptr<const ptx::Source> source);
  // The same program with the machine code of its kernels.
  std::shared_ptr<const Program> as_machine_code(const CodeOptions& options) const;

  // The same program, to be run: registers of its kernels share places.
  std::shared_ptr<const Program> packed() const;

  const ptx::Module& module() const { return *module_; }
  const std::vector<ptx::Variable>& variables() const { return variables_; }  // .global and .const
  // Function pointers by name, for initialisers.
  const std::map<std::string, uint64_t, std::less<>>& function_addresses() const { return function_addresses_; }
  bool short_addresses() const { return short_addresses_; }  // of 32 bits
  std::vector<std::string> kernel_names() const;
  // Throws Error: unknown name (lists the kernels), or the kernel's problems.
  std::shared_ptr<const Kernel> kernel(std::string_view name) const;
  // All problems, each once, with the kernels it affects; empty if there are none.
  std::string problems() const;

 private:
  struct Entry {
    std::string name;
    std::shared_ptr<const Kernel> kernel;
    std::vector<Problem> problems;
  };
  std::shared_ptr<const ptx::Module> module_;
  std::vector<ptx::Variable> variables_;
  std::vector<Entry> entries_;
  std::map<std::string, uint64_t, std::less<>> function_addresses_;
  bool short_addresses_ = false;
};

}  // namespace heddle

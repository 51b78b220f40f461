// Which functions a kernel can reach, and which of them can call themselves.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace heddle {

struct CallGraph {
  std::vector<const ptx::Function*> functions;  // [0] the kernel, then definitions in module order
  std::vector<bool> recursive;                  // lies on a cycle
  // Functions an indirect call may reach: those whose address is taken anywhere in the module.
  std::set<std::string, std::less<>> address_taken;
};

CallGraph call_graph(const ptx::Module& module, const ptx::Function& entry);

// Calls f(instruction) for each instruction of the block, nested scopes included.
template <class F>
void for_each_instruction(const ptx::Block& block, F&& f) {
  for (const ptx::Statement& statement : block.statements) {
    if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) f(*instruction);
    if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) for_each_instruction(**inner, f);
  }
}

}  // namespace heddle

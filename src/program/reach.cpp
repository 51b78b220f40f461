#include "program/reach.h"

#include "base/address_map.h"

namespace heddle {
namespace {

// Calls f(instruction) for each instruction of the block, nested scopes included.
template <class F>
void for_each_instruction(const ptx::Block& block, F&& f) {
  for (const ptx::Statement& statement : block.statements) {
    if (const auto* instruction = std::get_if<ptx::Instruction>(&statement)) f(*instruction);
    if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) for_each_instruction(**inner, f);
  }
}

}  // namespace

ModuleIndex::ModuleIndex(const ptx::Module& module) : module_(module), calls_(module.functions.size()) {
  for (size_t i = 0; i < module.functions.size(); ++i) {
    auto [entry, added] = functions_.try_emplace(module.functions[i].name, i);
    if (!added && module.functions[i].has_body) entry->second = i;
  }
  for (const ptx::Variable& variable : module.variables) variables_.emplace(variable.name, &variable);
  find_addresses_taken();
  find_calls();
}

const ptx::Variable* ModuleIndex::variable(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : found->second;
}

const ptx::Function* ModuleIndex::function(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &module_.functions[found->second];
}

uint64_t ModuleIndex::address_of(const ptx::Function& function) const {
  return kFunctionBase + 16 * static_cast<uint64_t>(&function - module_.functions.data());
}

void ModuleIndex::find_addresses_taken() {
  const auto take = [&](std::string_view name) {
    const auto found = functions_.find(name);
    if (found != functions_.end() && module_.functions[found->second].has_body) address_taken_.insert(found->second);
  };
  for (const ptx::Variable& variable : module_.variables)
    for (const auto& value : variable.initialiser)
      if (!value.symbol.empty()) take(value.symbol);
  for (const ptx::Function& function : module_.functions)
    for_each_instruction(function.body, [&](const ptx::Instruction& instruction) {
      if (instruction.opcode != "mov" || instruction.operands.size() != 2) return;
      if (const auto* name = std::get_if<ptx::Name>(&instruction.operands[1].value)) take(name->text);
    });
}

void ModuleIndex::find_calls() {
  for (size_t i = 0; i < module_.functions.size(); ++i)
    for_each_instruction(module_.functions[i].body, [&](const ptx::Instruction& instruction) {
      const auto* name = instruction.call ? std::get_if<ptx::Name>(&instruction.call->target.value) : nullptr;
      if (!name) return;
      if (const auto direct = functions_.find(name->text); direct != functions_.end())
        calls_[i].insert(direct->second);
      else
        calls_[i].insert(address_taken_.begin(), address_taken_.end());
    });
}

std::vector<bool> ModuleIndex::closure(const std::set<size_t>& roots) const {
  std::vector<bool> seen(calls_.size());
  std::vector<size_t> work(roots.begin(), roots.end());
  while (!work.empty()) {
    const size_t at = work.back();
    work.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    work.insert(work.end(), calls_[at].begin(), calls_[at].end());
  }
  return seen;
}

std::vector<ModuleIndex::Reached> ModuleIndex::reached_from(const ptx::Function& entry) const {
  std::vector<Reached> result{{&entry, false}};
  const auto root = static_cast<size_t>(&entry - module_.functions.data());
  if (calls_[root].empty()) return result;
  const std::vector<bool> reached = closure({root});
  for (size_t i = 0; i < module_.functions.size(); ++i)
    if (i != root && reached[i] && module_.functions[i].has_body)
      result.push_back({&module_.functions[i], closure(calls_[i])[i]});
  return result;
}

}  // namespace heddle

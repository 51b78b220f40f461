#include "program/reach.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

namespace heddle {
namespace {

using FunctionSet = std::unordered_map<std::string_view, size_t>;

FunctionSet defined_functions(const ptx::Module& module) {
  FunctionSet set;
  for (size_t i = 0; i < module.functions.size(); ++i)
    if (module.functions[i].has_body) set.emplace(module.functions[i].name, i);
  return set;
}

std::set<std::string, std::less<>> addresses_taken(const ptx::Module& module, const FunctionSet& defined) {
  std::set<std::string, std::less<>> taken;
  const auto take = [&](const std::string& name) {
    if (defined.contains(name)) taken.insert(name);
  };
  for (const ptx::Variable& variable : module.variables)
    for (const auto& value : variable.initialiser) take(value.symbol);
  for (const ptx::Function& function : module.functions)
    for_each_instruction(function.body, [&](const ptx::Instruction& instruction) {
      for (const ptx::Operand& operand : instruction.operands)
        if (const auto* name = std::get_if<ptx::Name>(&operand.value)) take(name->text);
    });
  return taken;
}

const std::string* callee_name(const ptx::Call& call) {
  const auto* name = std::get_if<ptx::Name>(&call.target.value);
  return name ? &name->text : nullptr;
}

// Edges of the call graph, by index into module.functions.
std::vector<std::set<size_t>> call_edges(const ptx::Module& module, const FunctionSet& defined,
                                         const std::set<std::string, std::less<>>& taken) {
  std::vector<std::set<size_t>> edges(module.functions.size());
  for (size_t i = 0; i < module.functions.size(); ++i) {
    for_each_instruction(module.functions[i].body, [&](const ptx::Instruction& instruction) {
      if (!instruction.call) return;
      const std::string* name = callee_name(*instruction.call);
      if (!name) return;
      if (const auto direct = defined.find(*name); direct != defined.end()) {
        edges[i].insert(direct->second);
      } else if (!module.find(*name)) {  // a register: an indirect call
        for (const std::string& target : taken) edges[i].insert(defined.at(target));
      }
    });
  }
  return edges;
}

std::vector<bool> reachable_from(const std::vector<std::set<size_t>>& edges, const std::set<size_t>& roots) {
  std::vector<bool> seen(edges.size());
  std::vector<size_t> work(roots.begin(), roots.end());
  while (!work.empty()) {
    const size_t at = work.back();
    work.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    work.insert(work.end(), edges[at].begin(), edges[at].end());
  }
  return seen;
}

}  // namespace

CallGraph call_graph(const ptx::Module& module, const ptx::Function& entry) {
  const FunctionSet defined = defined_functions(module);
  CallGraph graph;
  graph.address_taken = addresses_taken(module, defined);
  const auto edges = call_edges(module, defined, graph.address_taken);
  const size_t root = static_cast<size_t>(&entry - module.functions.data());
  const std::vector<bool> reached = reachable_from(edges, {root});
  graph.functions.push_back(&entry);
  graph.recursive.push_back(false);
  for (size_t i = 0; i < module.functions.size(); ++i) {
    if (i == root || !reached[i] || !module.functions[i].has_body) continue;
    graph.functions.push_back(&module.functions[i]);
    graph.recursive.push_back(reachable_from(edges, edges[i])[i]);
  }
  return graph;
}

}  // namespace heddle

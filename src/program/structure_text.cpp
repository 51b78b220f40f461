#include <fmt/format.h>

#include "program/disassembly.h"
#include "program/structure.h"

namespace heddle {
namespace {

using Item = Structure::Item;
using Kind = Structure::Region::Kind;

std::string_view word_for(Item::Kind item, Kind region) {
  const bool begins = item == Item::Kind::Begin;
  switch (region) {
    case Kind::Function: return begins ? "function" : "endfunction";
    case Kind::If: return begins ? "if" : "endif";
    case Kind::Exit: return begins ? "loop-exit" : "end-loop-exit";
    case Kind::Loop: return begins ? "loop" : "endloop";
  }
  return "";
}

std::string way(const Kernel& kernel, const Structure::Edge& edge) {
  const uint32_t block = kernel.block_of[edge.target];
  if (edge.levels == 0) return fmt::format("B{}: go on", block);
  const Structure& structure = *kernel.structure;
  const bool again = structure.region_of(structure.items[edge.waits_at]).kind == Kind::Loop;
  return fmt::format("B{}: {} {}", block, again ? "continue" : "leave", edge.levels);
}

}  // namespace

std::string structure_text(const Kernel& kernel) {
  const Structure& structure = *kernel.structure;
  std::string text = fmt::format("kernel {}, structured\n", kernel.name);
  if (!structure.problem.empty()) return text + fmt::format("  {}\n", structure.problem);
  text += fmt::format("  {} instructions, {} before (x {:.2f})\n", structure.instructions,
                      structure.instructions_before, structure.growth());
  for (const Item& item : structure.items) {
    const Structure::Region& region = structure.region_of(item);
    const std::string indent(2 * (region.depth + (item.kind == Item::Kind::Block ? 1 : 0)), ' ');
    if (item.kind != Item::Kind::Block) {
      text += fmt::format("{}{}\n", indent, word_for(item.kind, region.kind));
      continue;
    }
    const BasicBlock& block = kernel.blocks[item.block];
    text += fmt::format("{}B{}: {} to {}", indent, item.block, block.begin, block.end - 1);
    for (const Structure::Edge& edge : item.edges) text += fmt::format(", {}", way(kernel, edge));
    text += fmt::format("  // {}\n", instruction_text(kernel, block.end - 1));
  }
  return text;
}

}  // namespace heddle

#include "report/view/kernel_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/kernel_name.h"
#include "program/disassembly.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

// The label that stands between the instruction before and this one in the PTX; "" if there is none.
std::string label_before(const Kernel& kernel, Pc pc) {
  const uint32_t line = kernel.code[pc].place.line;
  const uint32_t above = pc > kernel.function_at(pc).begin ? kernel.code[pc - 1].place.line : line;
  std::string label;
  for (uint32_t number = above; number <= line; ++number) {
    const std::string_view text = kernel.source->line(number);
    const size_t start = text.find_first_not_of(" \t"), colon = text.find(':');
    if (start == std::string_view::npos || colon == std::string_view::npos) continue;
    const std::string_view name = text.substr(start, colon - start);
    const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
    });
    if (is_name) label = name;
  }
  return label;
}

Json blocks_json(const Kernel& kernel) {
  Json blocks = Json::array();
  for (const BasicBlock& block : kernel.blocks) blocks.push_back({block.begin, label_before(kernel, block.begin)});
  return blocks;
}

Json functions_json(const Kernel& kernel) {
  Json functions = Json::array();
  for (const FunctionRange& function : kernel.functions)
    functions.push_back({function.begin, readable_name(function.name)});
  return functions;
}

}  // namespace

size_t KernelList::place_of(const Kernel& kernel) {
  const auto [entry, fresh] = places_.try_emplace({kernel.name, std::string(kernel.source->text())}, kernels_.size());
  if (fresh) kernels_.push_back(kernel_json(kernel));
  return entry->second;
}

int KernelList::source_place(const std::string& file) {
  const auto [entry, fresh] = source_places_.try_emplace(file, static_cast<int>(sources_.size()));
  if (fresh) sources_.push_back({{"file", file}, {"lines", texts_.lines(file)}});
  return entry->second;
}

std::pair<int, uint32_t> KernelList::line_of(const Kernel& kernel, Pc pc) {
  for (int32_t loc = kernel.code[pc].loc; loc >= 0; loc = kernel.locs[static_cast<size_t>(loc)].inlined_at) {
    const SourceLine& line = kernel.locs[static_cast<size_t>(loc)];
    if (line.line > 0 && line.file < kernel.files.size() && texts_.has(kernel.files[line.file]))
      return {source_place(kernel.files[line.file]), line.line};
  }
  return {-1, 0};
}

Json KernelList::kernel_json(const Kernel& kernel) {
  Json code = Json::array(), lines = Json::array(), files = Json::array(), ptx_lines = Json::array();
  bool known = false;
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    auto [source, line] = line_of(kernel, pc);
    known = known || source >= 0;
    // What the compiler added belongs to the line before.
    const bool added = source < 0 && pc > kernel.function_at(pc).begin;
    code.push_back(instruction_text(kernel, pc));
    files.push_back(added ? files.back() : Json(source));
    lines.push_back(added ? lines.back() : Json(line));
    ptx_lines.push_back(kernel.code[pc].place.line);
  }
  if (!known) {  // the PTX is the source
    texts_.add(kernel.source->name(), kernel.source->text());
    for (Json& file : files) file = source_place(kernel.source->name());
    lines = ptx_lines;
  }
  return {{"name", readable_name(kernel.name)},
          {"file", kernel.source->name()},
          {"code", code},
          {"source", files},
          {"line", lines},
          {"blocks", blocks_json(kernel)},
          {"functions", functions_json(kernel)}};
}

}  // namespace heddle

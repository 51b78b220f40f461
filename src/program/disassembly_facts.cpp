#include <fmt/format.h>

#include <algorithm>

#include "program/analysis.h"
#include "program/disassembly.h"

namespace heddle {
namespace {

// From the guard in front of the opcode, if there is one, to the semicolon; at most a few lines.
std::string_view written(const ptx::Source& source, ptx::Place place) {
  const std::string_view text = source.text(), line = source.line(place.line);
  if (place.line == 0 || place.column == 0 || place.column > line.size()) return {};
  const auto line_start = static_cast<size_t>(line.data() - text.data());
  size_t begin = line_start + place.column - 1;
  const size_t at = text.rfind('@', begin);
  const bool guarded = at != std::string_view::npos && at >= line_start &&
                       text.substr(at, begin - at).find_first_of(";:{}") == std::string_view::npos;
  if (guarded) begin = at;
  const size_t end = text.find(';', begin);
  constexpr size_t longest = 400;
  if (end == std::string_view::npos || end - begin > longest) return line;
  return text.substr(begin, end - begin + 1);
}

std::string on_one_line(std::string_view text) {
  std::string result;
  for (char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

std::string block_list(const std::vector<uint32_t>& blocks) {
  std::string text;
  for (uint32_t block : blocks) text += fmt::format("{}B{}", text.empty() ? "" : " ", block);
  return text.empty() ? "none" : text;
}

std::vector<uint32_t> latches_of(const Kernel& kernel, uint32_t header) {
  std::vector<uint32_t> latches;
  for (uint32_t from : kernel.blocks[header].predecessors)
    if (dominates(kernel, header, from)) latches.push_back(from);
  return latches;
}

std::string targets_of(const Kernel& kernel, Pc pc) {
  const Instruction& instruction = kernel.code[pc];
  if (instruction.op == Op::Bra) return fmt::format("-> {}", instruction.target);
  if (instruction.op == Op::Call) {
    const CallSite& site = kernel.calls[instruction.table];
    if (site.indirect) return "-> a function pointer";
    return fmt::format("-> {} ({})", instruction.target, kernel.function_at(instruction.target).name);
  }
  std::string text = "-> ";
  const std::vector<Pc>& table = kernel.tables[instruction.table];
  for (size_t i = 0; i < table.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", table[i]);
  return text;
}

}  // namespace

std::string instruction_text(const Kernel& kernel, Pc pc) {
  const Instruction& instruction = kernel.code[pc];
  const std::string text = on_one_line(written(*kernel.source, instruction.place));
  // A guarded call, return or barrier is decoded as a branch around it.
  const bool around = instruction.op == Op::Bra && text.find("bra") == std::string::npos;
  return around ? fmt::format("(around) {}", text) : text;
}

std::string source_place(const Kernel& kernel, Pc pc) {
  const int32_t loc = kernel.code[pc].loc;
  if (loc < 0) return "";
  const SourceLine& line = kernel.locs[static_cast<size_t>(loc)];
  if (line.file >= kernel.files.size() || kernel.files[line.file].empty()) return "";
  return fmt::format("{}:{}", kernel.files[line.file], line.line);
}

std::vector<std::string> kernel_facts(const Kernel& kernel) {
  std::vector<std::string> facts;
  facts.push_back(fmt::format("parameters {} bytes", kernel.parameter_bytes));
  for (const Parameter& parameter : kernel.parameters)
    facts.push_back(fmt::format("  at {:3}  {:4} bytes  {}", parameter.offset, parameter.bytes, parameter.name));
  facts.push_back(fmt::format("shared memory {} bytes, dynamic from {}", kernel.static_shared, kernel.dynamic_shared));
  facts.push_back(fmt::format("local memory {} bytes of frame per thread", kernel.functions[0].frame_bytes));
  facts.push_back(fmt::format("registers {} of 32 bits per thread, estimated", kernel.registers));
  if (kernel.max_threads > 0) facts.push_back(fmt::format("at most {} threads a block (.maxntid)", kernel.max_threads));
  if (kernel.required_block.x > 0)
    facts.push_back(fmt::format("blocks of {}x{}x{} only (.reqntid)", kernel.required_block.x, kernel.required_block.y,
                                kernel.required_block.z));
  const auto yes_no = [](bool value) { return value ? "yes" : "no"; };
  facts.push_back(fmt::format("calls {}, recursion {}, indirect calls {}, barriers {}", yes_no(kernel.has_calls),
                              yes_no(kernel.recursive), yes_no(kernel.has_indirect), yes_no(kernel.has_barrier)));
  facts.push_back(fmt::format("{} instructions in {} basic blocks, {} functions", kernel.code.size(),
                              kernel.blocks.size(), kernel.functions.size() - 1));
  return facts;
}

std::string function_facts(const FunctionRange& function) {
  const auto bytes = [](const std::vector<Signature::Item>& items) {
    std::string text;
    for (const Signature::Item& item : items) text += fmt::format("{}{}", text.empty() ? "" : "+", item.bytes);
    return text.empty() ? std::string("0") : text;
  };
  return fmt::format("parameters {} bytes, results {} bytes, frame {} bytes{}", bytes(function.signature.parameters),
                     bytes(function.signature.results), function.frame_bytes, function.recursive ? ", recursive" : "");
}

std::vector<std::string> block_facts(const Kernel& kernel, uint32_t index) {
  const BasicBlock& block = kernel.blocks[index];
  const auto name = [](int32_t other, const char* none) {
    return other < 0 ? std::string(none) : fmt::format("B{}", other);
  };
  std::vector<std::string> facts{fmt::format("from {}", block_list(block.predecessors)),
                                 fmt::format("to {}", block_list(block.successors)),
                                 fmt::format("dominator {}", name(block.dominator, "none")),
                                 fmt::format("post-dominator {}", name(block.post_dominator, "the end"))};
  if (const auto latches = latches_of(kernel, index); !latches.empty())
    facts.push_back(fmt::format("loop, back from {}", block_list(latches)));
  return facts;
}

std::string branch_facts(const Kernel& kernel, Pc pc) {
  const Instruction& instruction = kernel.code[pc];
  if (instruction.op != Op::Bra && instruction.op != Op::Brx && instruction.op != Op::Call) return "";
  std::string text = targets_of(kernel, pc);
  if (instruction.op == Op::Call || kernel.blocks[kernel.block_of[pc]].successors.size() < 2) return text;
  const Pc meet = kernel.reconvergence[pc], likely = kernel.likely_convergence[pc];
  text += meet == kNoPc ? ", reconverges at the end" : fmt::format(", reconverges at {}", meet);
  if (likely != kNoPc) text += fmt::format(", likely at {}", likely);
  if (kernel.uniform[pc]) text += ", proven uniform";
  return text;
}

}  // namespace heddle

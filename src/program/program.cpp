#include "program/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "program/analysis.h"
#include "program/decode.h"
#include "program/machine/machine_code.h"
#include "program/register_packing.h"

namespace heddle {

std::shared_ptr<const Program> Program::load(std::shared_ptr<const ptx::Source> source) {
  auto program = std::make_shared<Program>();
  program->module_ = std::make_shared<ptx::Module>(ptx::parse(std::move(source)));
  for (const ptx::Variable& variable : program->module_->variables)
    if (variable.space == Space::Global || variable.space == Space::Const) program->variables_.push_back(variable);
  const ModuleIndex index(*program->module_);
  for (const ptx::Function& function : program->module_->functions) {
    if (!function.is_entry || !function.has_body) continue;
    Entry entry;
    entry.name = function.name;
    auto kernel = std::make_shared<Kernel>(decode(index, function, program->variables_, entry.problems));
    program->short_addresses_ |= kernel->pointer_bytes == 4;
    if (entry.problems.empty()) {
      analyse(*kernel);
      entry.kernel = std::move(kernel);
    }
    program->entries_.push_back(std::move(entry));
  }
  for (const ptx::Function& function : program->module_->functions)
    if (function.has_body) program->function_addresses_[function.name] = index.address_of(function);
  return program;
}

std::shared_ptr<const Program> Program::as_machine_code(const CodeOptions& options) const {
  auto made = std::make_shared<Program>(*this);
  for (Entry& entry : made->entries_)
    if (entry.kernel) entry.kernel = std::make_shared<Kernel>(machine_code(*entry.kernel, options));
  return made;
}

std::shared_ptr<const Program> Program::packed() const {
  auto made = std::make_shared<Program>(*this);
  for (Entry& entry : made->entries_) {
    if (!entry.kernel) continue;
    auto kernel = std::make_shared<Kernel>(*entry.kernel);
    pack_registers(*kernel);
    entry.kernel = std::move(kernel);
  }
  return made;
}

std::vector<std::string> Program::kernel_names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return names;
}

std::shared_ptr<const Kernel> Program::kernel(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.name != name) continue;
    if (entry.kernel) return entry.kernel;
    std::string message = fmt::format("kernel '{}' cannot run:", entry.name);
    for (const Problem& problem : entry.problems)
      message += fmt::format("\n{}", module_->source->describe(problem.place, problem.message));
    throw Error(ExitCode::BadProgram, message);
  }
  std::vector<std::string_view> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  throw Error(ExitCode::BadProgram, fmt::format("{}: no kernel '{}'{} (kernels: {})", module_->source->name(), name,
                                                did_you_mean(name, names), joined(names)));
}

std::string Program::problems() const {
  struct Found {
    const Problem* problem;
    std::vector<std::string_view> kernels;
  };
  std::map<std::tuple<uint32_t, uint32_t, std::string_view>, Found> all;
  for (const Entry& entry : entries_)
    for (const Problem& problem : entry.problems) {
      Found& found = all[{problem.place.line, problem.place.column, problem.message}];
      found.problem = &problem;
      if (found.kernels.empty() || found.kernels.back() != entry.name) found.kernels.push_back(entry.name);
    }
  std::string text;
  for (const auto& [key, found] : all)
    text += fmt::format("{}\n  affects: {}\n", module_->source->describe(found.problem->place, found.problem->message),
                        joined(found.kernels));
  return text;
}

const FunctionRange& Kernel::function_at(Pc pc) const {
  for (const FunctionRange& range : functions)
    if (pc >= range.begin && pc < range.end) return range;
  return functions.front();
}

std::string Kernel::where(Pc pc) const {
  const Instruction& instruction = code[pc];
  std::string text = source->at(instruction.place);
  if (instruction.loc < 0) return text;
  const SourceLine& line = locs[static_cast<size_t>(instruction.loc)];
  if (line.file >= files.size() || files[line.file].empty()) return text;
  return fmt::format("{} ({}:{})", text, files[line.file], line.line);
}

std::string Kernel::text(Pc pc) const {
  std::string_view line = source->line(code[pc].place.line);
  const size_t begin = line.find_first_not_of(" \t");
  std::string result;
  for (char c : begin == std::string_view::npos ? std::string_view{} : line.substr(begin)) {
    if (c == '\r') continue;
    if (c == '\t') c = ' ';
    if (c == ' ' && !result.empty() && result.back() == ' ') continue;
    result += c;
  }
  return result;
}

}  // namespace heddle

#include "program/decode.h"

#include <algorithm>
#include <map>

#include "program/function_decoder.h"

namespace heddle {
namespace {

void resolve_calls(DecodeState& state) {
  std::map<std::string_view, Pc> begins;
  for (const FunctionRange& range : state.kernel.functions) begins.emplace(range.name, range.begin);
  for (const auto& [pc, name] : state.calls_to) {
    require(begins.contains(name), "a called function was not decoded");
    state.kernel.code[pc].target = begins[name];
  }
}

void describe_launch(Kernel& kernel, const ptx::Function& entry) {
  kernel.max_threads = entry.maxntid[0] * std::max(1U, entry.maxntid[1]) * std::max(1U, entry.maxntid[2]);
  if (entry.reqntid[0] != 0)
    kernel.required_block = {entry.reqntid[0], std::max(1U, entry.reqntid[1]), std::max(1U, entry.reqntid[2])};
}

void collect_files(Kernel& kernel, const ptx::Module& module) {
  for (const ptx::SourceFile& file : module.files) {
    if (file.index > 100'000) continue;
    if (kernel.files.size() <= file.index) kernel.files.resize(file.index + 1);
    kernel.files[file.index] = file.name;
  }
}

}  // namespace

Kernel decode(const ModuleIndex& index, const ptx::Function& entry, std::vector<ptx::Variable>& variables,
              std::vector<Problem>& problems) {
  const ptx::Module& module = index.module();
  Kernel kernel;
  kernel.name = entry.name;
  kernel.source = module.source;
  collect_files(kernel, module);
  describe_launch(kernel, entry);
  if (module.address_size == 32) kernel.pointer_bytes = 4;
  DecodeState state{index, kernel, variables, problems, {}, {}, {}, {}, {}, {}, {}};
  for (const ptx::Registers& each : module.registers) state.registers.declare(each);
  state.carry = {state.plane.row(0), 0, false};
  kernel.frame = {state.plane.row(8), 8, false};
  for (const ModuleIndex::Reached& reached : index.reached_from(entry)) {
    FunctionDecoder(state, *reached.function).decode();
    kernel.functions.back().recursive = reached.recursive;
    kernel.recursive = kernel.recursive || reached.recursive;
  }
  if (problems.empty()) resolve_calls(state);
  // Dynamic shared memory begins where the static ends, aligned for any type.
  kernel.dynamic_shared = (kernel.static_shared + 15) / 16 * 16;
  state.pool.resolve_deferred(kernel.dynamic_shared);
  for (const auto& [what, at] : state.specials) kernel.specials.push_back({what, at});
  kernel.constants = state.pool.take_rows();
  kernel.constant_bytes = state.pool.size();
  kernel.plane_bytes = state.plane.size();
  return kernel;
}

}  // namespace heddle

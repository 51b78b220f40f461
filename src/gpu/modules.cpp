#include "gpu/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "exec/texture_descriptor.h"

namespace heddle {
namespace {

// A texture reference is a texture object that the host fills in.
uint64_t room_of(const ptx::Variable& variable) {
  return variable.opaque == "texref" ? sizeof(TextureDescriptor) : variable.bytes();
}

// A number as its type has it: decimal ones are written as double precision.
uint64_t bits_of(const ptx::Immediate& number, unsigned bytes) {
  if (number.kind != ptx::Immediate::Kind::Decimal || bytes != 4) return number.bits;
  return std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(number.bits)));
}

}  // namespace

size_t Modules::load(std::shared_ptr<const Program> program, const std::map<std::string, Address>& placed) {
  modules_.push_back({std::move(program), {}});
  place_variables(modules_.back(), placed);
  return modules_.size() - 1;
}

void Modules::place_variables(Module& module, const std::map<std::string, Address>& placed) {
  for (const ptx::Variable& variable : module.program->variables()) {
    if (variable.is_extern && symbols_.contains(variable.name)) continue;
    const auto known = placed.find(variable.name);
    if (known != placed.end()) memory_.check(known->second, room_of(variable), "variable");
    const Address address = known != placed.end() ? known->second : device_.allocate(room_of(variable), variable.name);
    module.symbols[variable.name] = symbols_[variable.name] = address;
    if (variable.space == Space::Const) constants_.emplace_back(address, address + variable.bytes());
  }
  for (const ptx::Variable& variable : module.program->variables()) initialise(module, variable);
}

void Modules::reset_variables(size_t module) {
  const Module& known = modules_.at(module);
  for (const ptx::Variable& variable : known.program->variables()) {
    const auto own = known.symbols.find(variable.name);
    if (own == known.symbols.end()) continue;
    std::memset(memory_.host(own->second), 0, room_of(variable));
    initialise(known, variable);
  }
}

void Modules::initialise(const Module& module, const ptx::Variable& variable) {
  const auto& functions = module.program->function_addresses();
  const unsigned bytes = bytes_of(variable.type);
  for (const ptx::Variable::Value& value : variable.initialiser) {
    uint64_t bits = bits_of(value.number, bytes);
    if (!value.symbol.empty()) {
      // What a class leaves to those derived from it: there is nothing to call.
      if (value.symbol == "__cxa_pure_virtual") continue;
      const auto function = functions.find(value.symbol);
      bits += function != functions.end() ? function->second : symbol_of(module, value.symbol);
      if (value.mask != ~uint64_t{0}) bits = (bits & value.mask) >> std::countr_zero(value.mask);
    }
    std::memcpy(memory_.host(symbol_of(module, variable.name) + value.index * bytes), &bits, std::min(bytes, 8U));
  }
}

Address Modules::symbol_of(const Module& module, std::string_view name) const {
  const auto own = module.symbols.find(name);
  return own != module.symbols.end() ? own->second : symbol(name);
}

Address Modules::symbol(size_t module, std::string_view name) const { return symbol_of(modules_.at(module), name); }

Address Modules::symbol(std::string_view name) const {
  const auto found = symbols_.find(name);
  if (found != symbols_.end()) return found->second;
  throw Error(ExitCode::BadProgram, fmt::format("no variable '{}' in the loaded modules", name));
}

bool Modules::is_constant(Address address) const {
  return std::ranges::any_of(constants_, [&](const auto& e) { return address >= e.first && address < e.second; });
}

size_t Modules::with_kernel(std::string_view name) const {
  for (size_t module = 0; module < modules_.size(); ++module) {
    const auto names = modules_[module].program->kernel_names();
    if (modules_.size() == 1 || std::find(names.begin(), names.end(), name) != names.end()) return module;
  }
  throw Error(ExitCode::BadProgram, fmt::format("no kernel '{}' in the loaded modules", name));
}

std::shared_ptr<const Kernel> Modules::kernel(size_t module, std::string_view name) const {
  return modules_.at(module).program->kernel(name);
}

}  // namespace heddle

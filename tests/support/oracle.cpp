#include "support/oracle.h"

#include <bit>
#include <cstring>

#include "base/error.h"
#include "support/oracle_launch.h"

namespace heddle::oracle {

void OracleDevice::load(std::string_view name, std::string_view ptx) {
  const auto program = Program::load(std::make_shared<ptx::Source>(std::string(name), std::string(ptx)));
  for (const ptx::Variable& variable : program->variables()) {
    symbols_[variable.name] = memory_.allocate(variable.bytes(), variable.name);
    if (variable.space == Space::Const) constants_.push_back({symbols_[variable.name], variable.bytes()});
  }
  for (const ptx::Variable& variable : program->variables()) initialise(*program, variable);
  programs_.push_back(program);
}

void OracleDevice::initialise(const Program& program, const ptx::Variable& variable) {
  const unsigned bytes = bytes_of(variable.type);
  for (const ptx::Variable::Value& value : variable.initialiser) {
    uint64_t bits = value.number.bits;
    if (value.number.kind == ptx::Immediate::Kind::Decimal && bytes == 4)
      bits = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    if (const auto function = program.function_addresses().find(value.symbol);
        function != program.function_addresses().end())
      bits += function->second;
    else if (!value.symbol.empty())
      bits += symbol(value.symbol);
    if (!value.symbol.empty() && value.mask != ~uint64_t{0}) bits = (bits & value.mask) >> std::countr_zero(value.mask);
    write(symbols_[variable.name] + value.index * bytes, &bits, bytes);
  }
}

void OracleDevice::write(Address to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  memory_.check(to, bytes, "copy to the oracle");
  std::memcpy(memory_.host(to), from, bytes);
}

void OracleDevice::read(void* to, Address from, size_t bytes) {
  if (bytes == 0) return;
  memory_.check(from, bytes, "copy from the oracle");
  std::memcpy(to, memory_.host(from), bytes);
}

Address OracleDevice::symbol(std::string_view name) {
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) throw Error(ExitCode::BadProgram, "the oracle knows no variable " + std::string(name));
  return found->second;
}

Address OracleDevice::copy_parameters(const Kernel& kernel, const Arguments& arguments) {
  if (arguments.values().size() != kernel.parameters.size())
    throw Error(ExitCode::BadLaunch, "wrong number of arguments");
  const Address address = memory_.allocate(std::max(1U, kernel.parameter_bytes), "parameters of " + kernel.name);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (arguments.values()[i].size() != kernel.parameters[i].bytes)
      throw Error(ExitCode::BadLaunch, "wrong size of an argument");
    write(address + kernel.parameters[i].offset, arguments.values()[i].data(), kernel.parameters[i].bytes);
  }
  return address;
}

void OracleDevice::launch(std::string_view name, const LaunchShape& shape, const Arguments& arguments) {
  std::shared_ptr<const Kernel> kernel;
  for (const auto& program : programs_)
    for (const std::string& known : program->kernel_names())
      if (known == name) kernel = program->kernel(name);
  if (!kernel) throw Error(ExitCode::BadProgram, "the oracle knows no kernel " + std::string(name));
  Launch::Surroundings around{memory_, symbols_, constants_, copy_parameters(*kernel, arguments), 0, ++launches_};
  if (shape.cooperative) around.workspace = memory_.allocate(64, "workspace of the cooperative launch");
  Launch launch(*kernel, shape, around);
  launch.run();
  threads_ += launch.threads();
  thread_instructions_ += launch.thread_instructions();
  branches_ = launch.branches();
  memory_.free(around.parameters);
  if (shape.cooperative) memory_.free(around.workspace);
}

}  // namespace heddle::oracle

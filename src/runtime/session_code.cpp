// What a program asks of its code: modules, kernels, symbols.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "runtime/fat_binary.h"
#include "runtime/machine_facts.h"
#include "runtime/ptx_linker.h"
#include "runtime/session.h"

namespace heddle::runtime {
namespace {

std::vector<FatBinaryEntry> ptx_in(std::string_view image) { return ptx_of(read_image(image)); }

using Units = std::vector<std::vector<FatBinaryEntry>>;

// Those without PTX are left out: NVIDIA's device runtime is linked to every program, and may have machine code only.
Units units_with_ptx(const std::vector<std::string_view>& binaries) {
  Units units;
  for (const std::string_view each : binaries) {
    const std::vector<FatBinaryEntry> entries = read_image(each);
    if (std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.is_ptx; }))
      units.push_back(ptx_of(entries));
  }
  if (units.empty()) ptx_in(binaries.front());  // says so
  return units;
}

// One text for each architecture of the smallest unit, which is the program's own: with the others' text of the same
// architecture, or else their newest.
std::vector<FatBinaryEntry> linked_ptx(const std::vector<std::string_view>& binaries) {
  const Units units = units_with_ptx(binaries);
  const auto size = [](const std::vector<FatBinaryEntry>& unit) { return unit.front().text.size(); };
  std::vector<FatBinaryEntry> result =
      *std::min_element(units.begin(), units.end(), [&](const auto& a, const auto& b) { return size(a) < size(b); });
  for (FatBinaryEntry& entry : result) {
    std::vector<std::string> texts;
    for (const auto& unit : units) {
      const auto same = std::find_if(unit.begin(), unit.end(), [&](const FatBinaryEntry& each) {
        return each.architecture == entry.architecture;
      });
      texts.push_back(same == unit.end() ? unit.front().text : same->text);
    }
    entry.text = link_ptx(texts);
  }
  return result;
}

std::map<std::string, Address> take_places(MessageReader& message) {
  std::map<std::string, Address> placed;
  for (auto count = message.take<uint32_t>(); count > 0; --count) {
    const std::string name(message.take_text());
    placed[name] = message.take<uint64_t>();
  }
  return placed;
}

std::vector<std::string_view> take_texts(MessageReader& message) {
  std::vector<std::string_view> texts(message.take_count());
  for (std::string_view& each : texts) each = message.take_text();
  return texts;
}

}  // namespace

// Of several texts the first that can run whole; else the first.
std::shared_ptr<const Program> Session::best_program(const std::vector<FatBinaryEntry>& entries, uint32_t& architecture,
                                                     uint32_t& language) {
  const std::string base = std::filesystem::path(program_).filename().string();
  const std::string name =
      modules_.empty() ? fmt::format("{}.ptx", base) : fmt::format("{}.{}.ptx", base, modules_.size() + 1);
  std::shared_ptr<const Program> best;
  std::string problems;
  for (const FatBinaryEntry& entry : entries) {
    auto program = Program::load(std::make_shared<ptx::Source>(name, entry.text));
    std::string its_problems = program->problems();
    if (best && !its_problems.empty()) continue;
    best = std::move(program);
    problems = std::move(its_problems);
    architecture = entry.architecture;
    language = entry.language_major * 10 + entry.language_minor;
    if (problems.empty()) break;
  }
  if (!problems.empty() && hooks_.warn) hooks_.warn("some kernels of this program cannot run\n" + problems);
  if (hooks_.loaded) hooks_.loaded(name, std::string(best->module().source->text()));
  return best;
}

bool Session::load(MessageReader& message) {
  try {
    LoadedModule module{};
    const std::string_view binary = message.take_text();
    const std::vector<std::string_view> linked = take_texts(message);
    const std::map<std::string, Address> placed = take_places(message);
    const std::vector<FatBinaryEntry> entries = linked.empty() ? ptx_in(binary) : linked_ptx(linked);
    module.program = best_program(entries, module.architecture, module.language);
    module.number = gpu_.load(module.program, placed);
    modules_.push_back(std::move(module));
    return answer(CudaError::Success, MessageWriter().add(static_cast<uint32_t>(modules_.size() - 1)));
  } catch (const Error& error) {
    return refuse_code(error);
  }
}

bool Session::refuse_code(const Error& error) {
  CudaError code = CudaError::InvalidPtx;
  if (dynamic_cast<const NoPtx*>(&error)) code = CudaError::NoKernelImageForDevice;
  if (dynamic_cast<const NoCode*>(&error)) code = CudaError::InvalidKernelImage;
  if (!failure_) failure_ = error;
  hooks_.complain(error.what());
  return answer(code, MessageWriter().add_text(error.what()));
}

bool Session::link(MessageReader& message) {
  const std::vector<std::string_view> texts = take_texts(message);
  if (texts.empty()) throw BadMessage("nothing to link");
  try {
    return answer(CudaError::Success, MessageWriter().add_text(linked_ptx(texts).front().text));
  } catch (const Error& error) {
    return refuse_code(error);
  }
}

bool Session::list_kernels(MessageReader& message) {
  const auto names = numbered(modules_, message.take<uint32_t>()).program->kernel_names();
  MessageWriter reply;
  reply.add(static_cast<uint32_t>(names.size()));
  for (const auto& name : names) reply.add_text(name);
  return answer(CudaError::Success, reply);
}

bool Session::find_kernel(MessageReader& message) {
  const LoadedModule& module = numbered(modules_, message.take<uint32_t>());
  const std::string name(message.take_text());
  const auto names = module.program->kernel_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) return answer(CudaError::InvalidDeviceFunction, {});
  try {
    const auto kernel = gpu_.kernel(module.number, name);
    kernels_.push_back({module.number, kernel});
    MessageWriter reply;
    reply.add(static_cast<uint32_t>(kernels_.size() - 1));
    KernelFacts facts = facts_of(*kernel, gpu_.config());
    facts.architecture = module.architecture;
    facts.language = module.language;
    reply.add(facts).add(static_cast<uint32_t>(kernel->parameters.size()));
    for (const Parameter& parameter : kernel->parameters) reply.add(parameter.offset).add(parameter.bytes);
    return answer(CudaError::Success, reply);
  } catch (const Error& error) {
    if (!failure_) failure_ = error;
    hooks_.complain(error.what());
    return answer(CudaError::InvalidPtx, {});
  }
}

bool Session::find_symbol(MessageReader& message) {
  const LoadedModule& module = numbered(modules_, message.take<uint32_t>());
  const std::string_view name = message.take_text();
  for (const ptx::Variable& variable : module.program->variables())
    if (variable.name == name) {
      const Address address = gpu_.symbol(module.number, name);
      return answer(CudaError::Success, MessageWriter().add(address).add(gpu_.memory().extent_at(address).bytes));
    }
  return answer(CudaError::InvalidSymbol, {});
}

}  // namespace heddle::runtime

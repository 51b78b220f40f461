#include "run/program_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace heddle {
namespace {

// A program starts with the ELF mark, a script with "#!".
bool is_program(const std::string& path) {
  char start[4] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  const std::string_view text(start, sizeof start);
  return text == "\177ELF" || text.starts_with("#!");
}

// Files that are no PTX, each with its own advice.
void refuse_others(const std::string& path) {
  const auto refuse = [&](const std::string& what) { throw Error(ExitCode::Usage, what); };
  std::error_code ignored;
  if (is_cuda_source(path))
    refuse(fmt::format("'{0}' is CUDA source: compile it (heddle cc {0} -o app), then heddle exec -- ./app", path));
  if (!std::filesystem::exists(path, ignored)) refuse(fmt::format("cannot read '{}': No such file or directory", path));
  if (std::filesystem::is_directory(path, ignored)) refuse(fmt::format("'{}' is a folder, no PTX file", path));
  if (is_program(path))
    refuse(
        fmt::format("'{0}' is a program: heddle exec -- {0} runs it (and with --keep-ptx DIR writes its PTX, whose "
                    "kernels can be run and profiled one by one)",
                    path));
}

}  // namespace

bool is_cuda_source(const std::string& name) { return name.ends_with(".cu"); }

bool is_cuda(const std::string& name) {
  const auto known = workloads::all();
  if (std::any_of(known.begin(), known.end(), [&](const auto& workload) { return workload.name == name; }))
    return false;
  std::error_code ignored;
  return is_cuda_source(name) || (std::filesystem::is_regular_file(name, ignored) && is_program(name));
}

const workloads::Workload* workload_or_file(const std::string& name) {
  const auto known = workloads::all();
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& workload) { return workload.name == name; });
  if (found != known.end()) return &*found;
  std::error_code ignored;
  const bool is_file = name.ends_with(".ptx") || name.ends_with(".cu") || name.find('/') != std::string::npos ||
                       std::filesystem::exists(name, ignored);
  if (!is_file) return &workloads::find(name);  // which says what is near
  refuse_others(name);
  return nullptr;
}

namespace {

std::shared_ptr<const Program> load_source(std::shared_ptr<const ptx::Source> source,
                                           const std::function<void(const std::string&)>& warn) {
  auto program = Program::load(std::move(source));
  if (const std::string problems = program->problems(); warn && !problems.empty())
    warn(fmt::format("some kernels of this module cannot run\n{}", problems));
  return program;
}

}  // namespace

std::shared_ptr<const Program> load_file(const std::string& path, const std::function<void(const std::string&)>& warn) {
  return load_source(ptx::Source::from_file(path), warn);
}

std::shared_ptr<const Program> load_file(const RunSpec& spec, const std::function<void(const std::string&)>& warn) {
  if (spec.text.empty()) return load_file(spec.program, warn);
  return load_source(std::make_shared<ptx::Source>(spec.program, spec.text), warn);
}

std::shared_ptr<const Program> load_workload(const workloads::Workload& workload, workloads::Compiler compiler) {
  return Program::load(
      std::make_shared<ptx::Source>(workloads::ptx_file(workload.name, compiler), std::string(workload.ptx(compiler))));
}

}  // namespace heddle

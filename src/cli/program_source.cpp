#include "cli/program_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/message.h"

namespace heddle::cli {

const workloads::Workload* workload_or_file(const std::string& name) {
  const auto known = workloads::all();
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& workload) { return workload.name == name; });
  if (found != known.end()) return &*found;
  std::error_code ignored;
  if (name.ends_with(".ptx") || name.find('/') != std::string::npos || std::filesystem::exists(name, ignored))
    return nullptr;
  return &workloads::find(name);
}

std::shared_ptr<const Program> load_file(const std::string& path, bool quiet) {
  auto program = Program::load(ptx::Source::from_file(path));
  if (const std::string problems = program->problems(); !quiet && !problems.empty())
    print_warning(fmt::format("some kernels of this module cannot run\n{}", problems));
  return program;
}

std::shared_ptr<const Program> load_workload(const workloads::Workload& workload, workloads::Compiler compiler) {
  return Program::load(
      std::make_shared<ptx::Source>(workloads::ptx_file(workload.name, compiler), std::string(workload.ptx(compiler))));
}

}  // namespace heddle::cli

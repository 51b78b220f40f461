// FILE.ptx or WORKLOAD, as run and disasm take it.
#pragma once

#include <memory>
#include <string>

#include "program/program.h"
#include "workloads/workload.h"

namespace heddle::cli {

// The workload of that name, or null if the text names a file. Error (Usage) if it is neither.
const workloads::Workload* workload_or_file(const std::string& name);

// The loaded module; kernels that cannot run are named on standard error unless quiet.
std::shared_ptr<const Program> load_file(const std::string& path, bool quiet);
std::shared_ptr<const Program> load_workload(const workloads::Workload& workload, workloads::Compiler compiler);

}  // namespace heddle::cli

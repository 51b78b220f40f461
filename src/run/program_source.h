// A workload or FILE.ptx, as run, profile and disasm take it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "program/program.h"
#include "run/run_spec.h"
#include "workloads/workload.h"

namespace heddle {

// The workload of that name, or null if the text names a PTX file that is there. Error (Usage) if it is neither, with
// the way to run what it is.
const workloads::Workload* workload_or_file(const std::string& name);

// A CUDA program or its source (FILE.cu), which `heddle exec` runs and `heddle cc` compiles.
bool is_cuda(const std::string& name);
bool is_cuda_source(const std::string& name);

// The loaded module; kernels that cannot run are told to `warn`, if there is one.
std::shared_ptr<const Program> load_file(const std::string& path, const std::function<void(const std::string&)>& warn);
std::shared_ptr<const Program> load_file(const RunSpec& spec, const std::function<void(const std::string&)>& warn);
std::shared_ptr<const Program> load_workload(const workloads::Workload& workload, workloads::Compiler compiler);

}  // namespace heddle

// Workloads under a mechanism, with all that two runs can be compared by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/gpu.h"
#include "observe/steps.h"
#include "workloads/workload.h"

namespace heddle::scripted {

struct WorkloadShape {
  std::vector<std::string> set{};  // "warp_size=4"
  std::string lanes = "none";
  Tracer tracer{};
  bool scores = false;
  std::string_view machine = "";  // a preset with its clock; "": emulation
};
struct WorkloadRun {
  bool passed = false;
  std::string detail;
  KernelStats total;
  std::vector<std::byte> memory;  // every allocation at the end, in order (but see in_any_order)
};
// Those that end under every mechanism.
std::vector<workloads::Workload> workloads_that_end();
// All of these; with sanitizers every fifth.
std::vector<workloads::Workload> selected_workloads();
WorkloadRun run_workload(const workloads::Workload& workload, std::string_view mechanism, const WorkloadShape& shape);

}  // namespace heddle::scripted

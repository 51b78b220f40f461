// What a run leaves to tell: values only, printed by run_table and run_json.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/config.h"
#include "gpu/gpu.h"
#include "stats/kernel_stats.h"
#include "workloads/workload.h"

namespace heddle {

// A branch record with its place in words.
struct BranchPlace {
  std::string kernel;
  BranchRecord record;
  std::string place;   // "kernel.ptx:52"
  std::string source;  // "kernel.cu:9", or empty without .loc
  std::string text;    // the instruction
  bool choice;         // it may go several ways
};

struct LaunchResult {
  KernelStats stats;
  std::vector<BranchPlace> branches;
  std::shared_ptr<const Kernel> kernel;  // where counts by PC were asked for
};

struct Failure {
  ExitCode code;
  std::string message;
};

struct RunResult {
  std::string program;   // the workload's name, or the path of the PTX file
  std::string size;      // of a workload
  std::string compiler;  // that made the PTX of a workload
  std::string preset;    // as it was given; empty if nobody says
  bool timed = false;    // cycle level, else emulation
  Cycle sample = 0;      // cycles of an interval of the time series; 0: none
  Config config;
  std::string mechanism, schedule, lanes;
  std::optional<workloads::Check> check;
  std::vector<LaunchResult> launches;
  LaunchResult total;  // branches summed by kernel and PC
  double seconds = 0;  // inside launches
  std::optional<Failure> failure;
  bool taint = false;   // it was followed what branches depend on
  bool scores = false;  // decisions at branches were scored

  unsigned warp_size() const { return static_cast<unsigned>(config.integer("warp_size")); }
  bool passed() const { return !failure && (!check || check->passed); }
  // What was timed; zeros where nothing was.
  TimingStats timing() const { return total.stats.timing.value_or(TimingStats{}); }
  // Active threads per issue slot.
  double active_per_slot() const { return total.stats.simd_efficiency(warp_size()) * warp_size(); }
};

// Runs `body` on the GPU and collects what was measured, also when it ends in an Error.
RunResult measure(Gpu& gpu, std::string program, const std::function<std::optional<workloads::Check>()>& body);

// More launches, of another process of the same program.
void add_process(RunResult& result, RunResult more);

// The same for a workload on a GPU of its own.
RunResult run_workload(const workloads::Workload& workload, workloads::Size size, Config config, GpuOptions options,
                       workloads::Compiler compiler = workloads::Compiler::Nvcc);

std::string_view name_of(workloads::Size size);

}  // namespace heddle

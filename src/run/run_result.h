// What a run leaves to tell: values only, printed by the report room.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/config.h"
#include "gpu/gpu.h"
#include "run/run_spec.h"
#include "stats/kernel_stats.h"
#include "workloads/workload.h"

namespace heddle {

// What is said where there are no source lines to show.
inline constexpr std::string_view kNoLines =
    "(the PTX has no source lines: nvcc -lineinfo puts them in, heddle cc does by itself)\n";

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
  RunSpec spec;
  Config config;                  // the whole machine
  std::vector<Key> keys;          // those of its keys that the run reads
  std::string schedule;           // who was asked, if anyone was
  std::optional<int> ended_with;  // of a CUDA program: its exit code
  std::optional<workloads::Check> check;
  std::vector<LaunchResult> launches;
  LaunchResult total;  // branches summed by kernel and PC
  double seconds = 0;  // inside launches
  std::optional<Failure> failure;
  check::Findings findings;

  size_t timed_launches() const {  // themselves: all, but for --sample-launches
    return static_cast<size_t>(
        std::count_if(launches.begin(), launches.end(), [](const LaunchResult& each) { return !each.stats.timed_as; }));
  }
  unsigned warp_size() const { return static_cast<unsigned>(config.integer("warp_size")); }
  bool passed() const { return !failure && (!check || check->passed); }
  // What was timed; zeros where nothing was.
  TimingStats timing() const { return total.stats.timing.value_or(TimingStats{}); }
  // Active threads per issue slot.
  double active_per_slot() const { return total.stats.simd_efficiency(warp_size()) * warp_size(); }
};

// Runs `body` on the GPU and collects what was measured, also when it ends in an Error. Of a run with `kernel` (of a
// workload or a program) the launches of that kernel.
RunResult measure(Gpu& gpu, RunSpec spec, const std::function<std::optional<workloads::Check>()>& body);

// More launches, of another process of the same program.
void add_process(RunResult& result, RunResult more);

}  // namespace heddle

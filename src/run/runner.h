// Runs what a RunSpec describes.
//
// Life cycle: check_runs() once for all runs of a command, before anything is run and any file is opened; then
// execute() for each, from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gpu/key_owners.h"
#include "run/kernel_argument.h"
#include "run/run_result.h"
#include "run/run_spec.h"

namespace heddle {

// What a run has to do with whoever waits for it.
struct RunHooks {
  std::atomic<bool>* stop = nullptr;   // set: give up, keep what was measured
  LaunchProgress* progress = nullptr;  // of the launch under way
  std::function<void(const std::string&)> warn{}, complain{};
  std::function<void(const std::string& name, const std::string& ptx)> loaded{};  // a module of a CUDA program
  bool silent = false;  // what a CUDA program prints goes nowhere
  int output = -1;      // what it prints goes to this open file; -1: where ours goes
  std::function<void(std::span<const std::byte>)> fetched{};  // what a CUDA program copies from the GPU
  std::function<void(const Gpu&)> finished{};                 // of others: the GPU at the end
  ArgumentSource* arguments = nullptr;                        // of a PTX file: instead of those the spec has in words
  std::string* printed = nullptr;  // likewise: where what kernels print goes; null: standard output
  Observers observers{};           // beside those that the run itself asks for
};

void check_names(const RunSpec& spec);  // Error (Usage) for a mechanism, lane map, … that does not exist

// Names that do not exist, values that contradict each other or the program, settings that no run reads: Error (Usage).
// The runs have their settings in common.
void check_runs(std::span<const RunSpec> runs);

RunResult execute(const RunSpec& spec, const RunHooks& hooks = {});

// Of a run that did not end well: a mechanism that cannot run a workload is part of what was asked, and so is one under
// which threads wait for each other for ever where it promises nothing else. Everything else that goes wrong is not.
bool is_answer(const RunSpec& spec, ExitCode code);

Config config_of(const RunSpec& spec);
RunParts parts_of(const RunSpec& spec);
std::vector<std::string> settings_read(const RunSpec& spec);  // those of its settings that count
// The kernel it names as the compiler has it: "" if it names none. Error if there is no such kernel.
std::string kernel_of(const RunSpec& spec);
// With that kernel; of a PTX file that names none and has one, with that. Error if there is no such kernel, or no only
// one.
RunSpec with_kernel(RunSpec spec, const Program& program);
GpuOptions gpu_options_of(const RunSpec& spec, const RunHooks& hooks);

}  // namespace heddle

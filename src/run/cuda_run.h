// A CUDA program as it is: a child process, and the processes it starts, each with a GPU of its own here.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "run/runner.h"
#include "runtime/session.h"

namespace heddle {

class CudaRun {
 public:
  // Fails here on names and values that make no sense, before anything is started.
  CudaRun(const RunSpec& spec, const RunHooks& hooks);

  // From the program's start to its end. A violent one is complained of, and is the result's failure.
  RunResult run();

 private:
  void serve(int socket);
  RunResult measured();
  void warn_of_stray_load(const std::string& text);
  void note_end(RunResult& result, int signal) const;
  void note_broken(const Failure& failure);
  void warn_of_missing_lines(const Gpu& gpu, const RunResult& result) const;
  void warn_of_unknown_kernels(const RunResult& result) const;
  runtime::SessionHooks session_hooks() const;

  const RunSpec& spec_;
  const RunHooks& hooks_;
  const Config config_;
  const GpuOptions how_;
  std::atomic<bool> never_ = false, given_up_ = false, warned_ = false;
  const std::atomic<bool>& stop_;  // somebody else's
  bool interrupted_ = false;       // by a person, before the program had ended
  std::mutex mutex_;
  std::optional<RunResult> all_;   // of all processes
  std::optional<Failure> broken_;  // some process found nobody to serve it
};

}  // namespace heddle

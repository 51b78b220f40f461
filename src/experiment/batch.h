// Many runs: each once, whoever asks for it; those that are in the store are taken from there, the others are run on
// the cores of the host and kept as soon as they end.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "experiment/shard.h"
#include "run/identity.h"
#include "run/run_spec.h"
#include "run/runs_under_way.h"
#include "run/store.h"

namespace heddle {

class Batch {
 public:
  struct Run {
    RunSpec spec;
    RunIdentity identity;
    std::optional<Record> record;
  };

  explicit Batch(const Store& store) : store_(store) {}

  // Its number: runs of equal identity are one. Error (Usage) for a run that cannot be.
  size_t need(RunSpec spec);

  // Runs what is missing, of a part of the runs, on so many threads (0: one per core), until all is done or *stop.
  void run(unsigned jobs, std::atomic<bool>* stop, const Shard& shard = {});

  const std::vector<Run>& runs() const { return runs_; }
  std::vector<std::string> problems() const;               // runs that ended in an error which is no answer
  const std::string& lacking() const { return lacking_; }  // why this machine could not make one; "": none

  // For a person who waits; may be called while it runs.
  std::string progress() const { return under_way_.text(); }
  size_t count() const { return runs_.size(); }
  size_t found() const { return found_; }  // in the store, before anything was run
  size_t missing() const;
  bool complete() const { return missing() == 0; }
  bool complete(const Shard& shard) const;
  void look_again();  // for what others have kept

 private:
  void perform(Run& run, std::atomic<bool>* stop);
  static std::string kind_of(const RunSpec& spec);

  const Store& store_;
  std::vector<Run> runs_;
  std::map<std::string, size_t> by_key_;
  size_t found_ = 0;
  RunsUnderWay under_way_;

  mutable std::mutex mutex_;
  std::string failure_;  // the store could not be written
  std::string lacking_;
};

}  // namespace heddle

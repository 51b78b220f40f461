// The runs that a set of claims needs: each once, whoever asks for it; those that are in the store are taken from
// there, the others are run on the cores of the host and kept as soon as they end.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/measure.h"
#include "run/identity.h"
#include "run/store.h"

namespace heddle {

class Campaign {
 public:
  Campaign(const Store& store, bool quick) : store_(store), quick_(quick) {}

  void need(const Experiment& experiment, const Claim& claim, const Variant* variant = nullptr);
  void need(const Experiment& experiment, const HeadToHead& head_to_head);

  // Runs what is missing on so many threads (0: one per core), until all is done or *stop.
  void run(unsigned jobs, std::atomic<bool>* stop);

  Records records_of(const Experiment& experiment, const Variant* variant = nullptr) const;
  std::vector<std::string> problems() const;  // runs that ended in an error which is no answer

  // For a person who waits; may be called while it runs.
  std::string progress() const;
  size_t count() const { return runs_.size(); }
  size_t found() const { return found_; }  // in the store, before anything was run
  size_t missing() const;
  bool complete() const { return missing() == 0; }

 private:
  struct Run {
    RunSpec spec;
    RunIdentity identity;
    std::optional<Record> record;
  };

  void need(const Experiment& experiment, const Variant* variant, const std::string& run, const std::string& workload);
  void perform(Run& run, std::atomic<bool>* stop);
  double seconds_left() const;
  static std::string kind_of(const RunSpec& spec);

  const Store& store_;
  const bool quick_;
  std::vector<Run> runs_;
  std::map<std::string, size_t> by_key_;   // key -> run
  std::map<std::string, size_t> by_name_;  // "experiment variant run workload" -> run
  size_t found_ = 0;
  unsigned jobs_ = 1;

  mutable std::mutex mutex_;
  size_t done_ = 0;
  std::string failure_;                                       // the store could not be written
  std::map<std::string, std::pair<double, unsigned>> spent_;  // seconds and runs, by kind
  std::set<const Run*> waiting_;                              // still to be run
};

}  // namespace heddle

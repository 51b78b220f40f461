// The runs that a set of claims needs, by the names the claims have for them.
#pragma once

#include <map>
#include <string>

#include "experiment/batch.h"
#include "experiment/experiment.h"
#include "experiment/measure.h"

namespace heddle {

class Campaign {
 public:
  Campaign(const Store& store, bool quick) : batch_(store), quick_(quick) {}

  void need(const Experiment& experiment, const Claim& claim, const Variant* variant = nullptr);
  void need(const Experiment& experiment, const HeadToHead& head_to_head);

  Batch& batch() { return batch_; }
  const Batch& batch() const { return batch_; }
  Records records_of(const Experiment& experiment, const Variant* variant = nullptr) const;

 private:
  void need(const Experiment& experiment, const Variant* variant, const std::string& run, const std::string& workload);

  Batch batch_;
  const bool quick_;
  std::map<std::string, size_t> by_name_;  // "experiment variant run workload" -> number of the run
};

}  // namespace heddle

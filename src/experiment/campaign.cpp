#include "experiment/campaign.h"

#include <fmt/format.h>

namespace heddle {
namespace {

std::string name_of_run(const Experiment& experiment, const Variant* variant, const std::string& run,
                        const std::string& workload) {
  return fmt::format("{}\n{}\n{}\n{}", experiment.name, variant ? variant->name : "", run, workload);
}

}  // namespace

void Campaign::need(const Experiment& experiment, const Claim& claim, const Variant* variant) {
  for (const Part& part : claim.parts)
    for (const std::string& run : part.runs())
      for (const std::string& workload : part.on) need(experiment, variant, run, workload);
}

// Run by run, so that soon there is an estimate for every workload.
void Campaign::need(const Experiment& experiment, const HeadToHead& head_to_head) {
  for (const std::string& run : head_to_head.runs)
    for (const std::string& workload : head_to_head.workloads) need(experiment, nullptr, run, workload);
}

void Campaign::need(const Experiment& experiment, const Variant* variant, const std::string& run,
                    const std::string& workload) {
  const std::string name = name_of_run(experiment, variant, run, workload);
  if (by_name_.contains(name)) return;
  by_name_[name] = batch_.need(experiment.spec(run, workload, quick_, variant));
}

Records Campaign::records_of(const Experiment& experiment, const Variant* variant) const {
  return [this, &experiment, variant](const std::string& run, const std::string& workload) -> const Record* {
    const auto found = by_name_.find(name_of_run(experiment, variant, run, workload));
    if (found == by_name_.end()) return nullptr;
    const std::optional<Record>& record = batch_.runs()[found->second].record;
    return record ? &*record : nullptr;
  };
}

}  // namespace heddle

// The claims of an experiment once more, with one thing changed: the compiler, the machine, or an input. What changes
// with it is its share in the result.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "run/run_spec.h"

namespace heddle {

struct Claim;

struct Variant {
  std::string name;
  std::string compiler, preset;                        // "": as in the experiment
  std::vector<std::string> settings;                   // on top of the runs' own
  std::map<std::string, std::string> instead;          // workload: the one that runs in its place
  std::vector<std::string> claims;                     // by id; none: all, which makes it a column of its own
  std::vector<std::string> on;                         // of their workloads these alone; none: all
  std::vector<std::shared_ptr<const Claim>> narrowed;  // the claims on these workloads

  bool column() const { return claims.empty(); }
  bool about(std::string_view claim) const;
  // What it asks: the claim, or what is left of it on its workloads.
  const Claim& asked(const Claim& claim) const;
  void change(RunSpec& spec) const;
};

}  // namespace heddle

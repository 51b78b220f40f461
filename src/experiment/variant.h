// The claims of an experiment once more, with one thing changed: the compiler, the machine, or an input. What changes
// with it is its share in the result.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "run/run_spec.h"

namespace heddle {

struct Variant {
  std::string name;
  std::string compiler, preset;                // "": as in the experiment
  std::vector<std::string> settings;           // on top of the runs' own
  std::map<std::string, std::string> instead;  // workload: the one that runs in its place
  std::vector<std::string> claims;             // by id; none: all, which makes it a column of its own

  bool column() const { return claims.empty(); }
  bool about(std::string_view claim) const;
  void change(RunSpec& spec) const;
};

}  // namespace heddle

// The names of kernels in one table: two kernels that differ in their parameters alone are shown with them; long ones
// lose their namespaces, and are cut then.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "run/run_result.h"

namespace heddle {

class KernelNames {
 public:
  explicit KernelNames(const std::vector<LaunchResult>& launches);
  std::string of(const std::string& kernel) const;

 private:
  std::map<std::string, unsigned> kernels_;  // how many have this readable name
};

}  // namespace heddle

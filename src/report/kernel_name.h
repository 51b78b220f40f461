// Kernels' names for people: what the compiler has mangled, `_Z4scanIfEvPT_i`, reads `scan<float>`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/run_result.h"

namespace heddle {

// With template arguments, without return type, parameters and unnamed namespaces. A name that is not mangled as C++
// does it stays what it is.
std::string readable_name(const std::string& kernel);
std::string name_with_parameters(const std::string& kernel);

// The names in one table: two kernels that differ in their parameters alone are shown with them; long ones lose their
// namespaces, and are cut then.
class KernelNames {
 public:
  explicit KernelNames(const std::vector<LaunchResult>& launches);
  std::string of(const std::string& kernel) const;

 private:
  std::map<std::string, unsigned> kernels_;  // how many have this readable name
};

}  // namespace heddle

#include "report/kernel_names.h"

#include <set>

#include "base/kernel_name.h"

namespace heddle {
namespace {

constexpr size_t kLongest = 72;

// Namespaces go first, then the end.
std::string fitted(std::string name) {
  if (name.size() > kLongest)
    if (const size_t last = name.rfind("::", name.find_first_of("<(")); last != std::string::npos)
      name.erase(0, last + 2);
  return name.size() <= kLongest ? name : name.substr(0, kLongest - 1) + "…";
}

}  // namespace

KernelNames::KernelNames(const std::vector<LaunchResult>& launches) {
  std::set<std::string> seen;
  for (const LaunchResult& launch : launches)
    if (seen.insert(launch.stats.kernel).second) ++kernels_[readable_name(launch.stats.kernel)];
}

std::string KernelNames::of(const std::string& kernel) const {
  std::string name = readable_name(kernel);
  const auto found = kernels_.find(name);
  if (found != kernels_.end() && found->second > 1) name = name_with_parameters(kernel);
  return fitted(std::move(name));
}

}  // namespace heddle

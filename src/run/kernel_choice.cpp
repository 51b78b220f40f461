#include "run/kernel_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/kernel_name.h"
#include "base/nearest.h"

namespace heddle {

std::string listed(std::span<const std::string> kernels) {
  std::string text;
  for (const std::string& kernel : kernels) {
    const std::string name = name_with_parameters(kernel);
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name, name == kernel ? "" : fmt::format(" ({})", kernel));
  }
  return text;
}

bool means(std::string_view name, const std::string& kernel) {
  if (name == kernel || name == name_with_parameters(kernel) || name == readable_name(kernel)) return true;
  const std::string readable = readable_name(kernel);  // slow, of a template slow<int>
  return name == std::string_view(readable).substr(0, readable.find('<'));
}

std::string kernel_named(std::string_view name, std::span<const std::string> kernels, std::string_view program) {
  std::vector<std::string> meant;
  std::vector<std::string> readable;
  for (const std::string& kernel : kernels) {
    if (kernel == name) return kernel;
    if (means(name, kernel)) meant.push_back(kernel);
    readable.push_back(readable_name(kernel));
  }
  if (meant.size() == 1) return meant[0];
  if (meant.size() > 1)
    throw Error(ExitCode::Usage, fmt::format("'{}' may be any of {} kernels of {}; choose one: {}", name, meant.size(),
                                             program, listed(meant)));
  const std::vector<std::string_view> names(readable.begin(), readable.end());
  throw Error(ExitCode::BadProgram, fmt::format("{}: no kernel '{}'{} (kernels: {})", program, name,
                                                did_you_mean(name, names), listed(kernels)));
}

bool shown(const RunSpec& spec, const std::string& kernel) { return spec.kernel.empty() || means(spec.kernel, kernel); }

}  // namespace heddle

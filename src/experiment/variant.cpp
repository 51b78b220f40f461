#include "experiment/variant.h"

#include <algorithm>

namespace heddle {

bool Variant::about(std::string_view claim) const {
  return claims.empty() || std::find(claims.begin(), claims.end(), claim) != claims.end();
}

void Variant::change(RunSpec& spec) const {
  if (!compiler.empty()) spec.compiler = compiler;
  if (!preset.empty()) spec.preset = preset;
  spec.settings.insert(spec.settings.end(), settings.begin(), settings.end());
  if (const auto other = instead.find(spec.program); other != instead.end()) spec.program = other->second;
}

}  // namespace heddle

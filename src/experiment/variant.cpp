#include "experiment/variant.h"

#include <algorithm>

#include "experiment/experiment.h"

namespace heddle {

bool Variant::about(std::string_view claim) const {
  return claims.empty() || std::find(claims.begin(), claims.end(), claim) != claims.end();
}

const Claim& Variant::asked(const Claim& claim) const {
  for (const std::shared_ptr<const Claim>& each : narrowed)
    if (each->id == claim.id) return *each;
  return claim;
}

void Variant::change(RunSpec& spec) const {
  if (!compiler.empty()) spec.compiler = compiler;
  if (!preset.empty()) spec.preset = preset;
  spec.settings.insert(spec.settings.end(), settings.begin(), settings.end());
  if (const auto other = instead.find(spec.program); other != instead.end()) spec.program = other->second;
}

}  // namespace heddle

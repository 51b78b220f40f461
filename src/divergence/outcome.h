// What a control instruction did to one group of threads.
#pragma once

#include <span>

#include "divergence/warp.h"
#include "exec/context.h"

namespace heddle {

// Targets are distinct and ascending; `who` are bits of the group.
struct Outcome {
  enum class Kind : uint8_t { Branch, Indirect, Call, Return, Exit };
  Kind kind = Kind::Branch;
  Group group;
  std::span<const Target> targets;  // empty for Exit
  LaneMask on_data{};               // taint: whose choice depends on data; empty where nobody follows that
};

// Do threads of an instruction that these groups executed go to different places?
inline bool diverges(std::span<const Outcome> outcomes) {
  for (const Outcome& outcome : outcomes)
    if (outcome.targets.size() > 1 || outcome.targets[0].pc != outcomes[0].targets[0].pc) return true;
  return false;
}

}  // namespace heddle

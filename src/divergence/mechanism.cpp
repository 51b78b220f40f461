#include "divergence/mechanism.h"

namespace heddle {

unsigned Mechanism::expand(WarpId warp, const Instruction&, std::span<Group> groups) {
  groups[0] = host_.warp(warp).group;
  return 1;
}

void Mechanism::release(WarpId id) {
  host_.set_state(id, WarpState::Ready);
  Warp& warp = host_.warp(id);
  if (++warp.pc == warp.ask_at) arrive(id);
}

}  // namespace heddle

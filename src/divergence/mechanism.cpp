#include "divergence/mechanism.h"

namespace heddle {

unsigned Mechanism::expand(WarpId warp, const Instruction&, std::span<Group> groups) {
  groups[0] = host_.warp(warp).group;
  return 1;
}

void Mechanism::release(WarpId id) {
  Warp& warp = host_.warp(id);
  warp.state = WarpState::Ready;
  if (++warp.pc == warp.ask_at) arrive(id);
}

}  // namespace heddle

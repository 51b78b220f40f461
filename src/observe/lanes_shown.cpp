#include "observe/lanes_shown.h"

namespace heddle {

std::vector<int> threads_by_lane(const Host& host, BlockId block, const Group& group) {
  const BlockShape& shape = host.block(block);
  std::vector<int> at_home(host.warp_size(), -1), in_order;
  if (group.kind == Group::Kind::Phantom) return at_home;
  bool collision = false;
  for_each_lane(group.mask, [&](unsigned i) {
    const Hw thread = group.thread(i);
    int& lane = at_home[host.home_lane(block, thread)];
    collision = collision || lane >= 0;
    lane = thread - shape.first;
    in_order.push_back(lane);
  });
  in_order.resize(host.warp_size(), -1);
  return collision ? in_order : at_home;
}

}  // namespace heddle

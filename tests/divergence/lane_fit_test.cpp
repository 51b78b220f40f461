// Whose threads fit beside those of another warp, against its definition.
#include "divergence/support/lane_fit.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "support/scripted.h"

namespace heddle {
namespace {

// Most threads, the lowest warp, and of its splits the highest.
WarpId beside_by_definition(const Host& host, WarpId id, const WarpSet& ready) {
  const Warp& first = host.warp(id);
  WarpId best = kNoWarp;
  const auto worth = [&](WarpId each) {
    const Warp& warp = host.warp(each);
    return std::tuple(warp.group.count, -static_cast<int>(warp.parent), static_cast<int>(each));
  };
  ready.for_each([&](WarpId other) {
    const Warp& warp = host.warp(other);
    if (warp.key != 0 || warp.parent == first.parent || !(warp.group.mask & first.group.mask).empty()) return;
    if (best == kNoWarp || worth(other) > worth(best)) best = other;
  });
  return best;
}

class LaneFitCrowd {
 public:
  explicit LaneFitCrowd(unsigned seed) : random_(seed) {
    host.start_block(BlockId(0), {Hw(0), 1024, 0});
    for (unsigned row = 0; row < kRow; ++row) host.open(BlockId(0), 0, Group::rows(row, mask()));
  }
  unsigned pick(unsigned below) { return random_() % below; }
  LaneMask mask() {  // few have all lanes
    uint32_t bits = random_();
    for (unsigned n = pick(3); n > 0; --n) bits &= random_();
    return LaneMask(bits | 1U << pick(32));
  }
  void change(LaneFit& fit) {
    const auto id = static_cast<WarpId>(pick(static_cast<unsigned>(host.size())));
    if (host.warp(id).state == WarpState::Free) return;
    switch (pick(6)) {
      case 0: fit.regroups(host.open_split(id, 0, Group::rows(host.warp(id).group.row, mask()))); break;
      case 1:
        if (host.warp(id).parent != id) host.close(id);
        break;
      case 2: host.set_key(id, pick(2)); break;
      case 3:
        host.warp(id).group = Group::rows(host.warp(id).group.row, mask());
        fit.regroups(id);
        break;
      default: host.set_state(id, pick(3) > 0 ? WarpState::Ready : WarpState::Held); break;
    }
  }

 private:
  const scripted::Listing listing_{"A: exit"};
  std::mt19937 random_;

 public:
  Host host{listing_.kernel(), 32};
};

TEST(LaneFit, IsTheWarpWithMostThreadsInLanesThatAreFree) {
  for (const bool timed : {false, true}) {
    LaneFitCrowd crowd(7);
    crowd.host.timed = timed;
    LaneFit fit(crowd.host);
    unsigned found = 0;
    for (unsigned i = 0; i < 6000; ++i, ++crowd.host.now) {
      for (unsigned n = crowd.pick(3); n > 0; --n) crowd.change(fit);
      const WarpSet& ready = crowd.host.ready();
      if (ready.empty()) continue;
      const WarpId id = ready.next_round(crowd.pick(static_cast<unsigned>(crowd.host.size())));
      const WarpId expected = beside_by_definition(crowd.host, id, ready);
      ASSERT_EQ(fit.beside(id, ready), expected);
      found += expected != kNoWarp ? 1 : 0;
      if (expected == kNoWarp) continue;
      WarpSet others = ready;  // it could not go after all
      others.erase(expected);
      ASSERT_EQ(fit.beside(id, others), beside_by_definition(crowd.host, id, others));
    }
    EXPECT_GT(found, 1000U);
  }
}

}  // namespace
}  // namespace heddle

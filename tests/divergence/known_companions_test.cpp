// Companions that are known of a static warp, and until when.
#include "divergence/support/known_companions.h"

#include <gtest/gtest.h>

#include "support/scripted.h"

namespace heddle {
namespace {

struct KnownCompanionsBench {
  KnownCompanionsBench() : host(listing.kernel(), 32) { host.start_block(BlockId(0), {Hw(0), 64, 0}); }
  WarpId open(unsigned row) { return host.open(BlockId(0), 0, Group::rows(row, LaneMask::first(32))); }
  WarpId open_split(WarpId of) { return host.open_split(of, 0, Group::rows(0, LaneMask::of(0))); }

  const scripted::Listing listing{"A: exit"};
  Host host;
};

TEST(KnownCompanions, are_known_until_something_of_the_static_warp_changes) {
  KnownCompanionsBench bench;
  KnownCompanions known(bench.host);
  const WarpId one = bench.open(0), other = bench.open(1), split = bench.open_split(one);
  EXPECT_FALSE(known.knows(one));
  known.note(one, split);
  bench.host.set_state(other, WarpState::Held);
  ASSERT_TRUE(known.knows(one));
  EXPECT_EQ(known.of(one), split);
  bench.host.set_state(split, WarpState::Held);
  EXPECT_FALSE(known.knows(one));
}

TEST(KnownCompanions, are_not_those_of_another_static_warp_that_had_as_many_changes) {
  KnownCompanionsBench bench;
  KnownCompanions known(bench.host);
  const WarpId one = bench.open(0), other = bench.open(1);
  const WarpId split = bench.open_split(one);
  known.note(split, one);
  bench.host.close(split);
  ASSERT_EQ(bench.open_split(other), split);
  EXPECT_FALSE(known.knows(split));
}

}  // namespace
}  // namespace heddle

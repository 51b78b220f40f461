// The order in which who goes round takes warps and their splits, against its definition.
#include "schedule/circle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "schedule/bench.h"

namespace heddle {
namespace {

// By parents, then by ids: the first from a position on, else the first of all.
WarpId next_by_definition(const Host& host, uint32_t position, const WarpSet& warps) {
  std::vector<std::pair<uint32_t, WarpId>> order;
  warps.for_each([&](WarpId id) { order.emplace_back(uint32_t{host.warp(id).parent} << 16 | id, id); });
  std::sort(order.begin(), order.end());
  const auto next = std::find_if(order.begin(), order.end(), [&](const auto& each) { return each.first >= position; });
  return next != order.end() ? next->second : order.front().second;
}

// Warps part, end and come again under ids of others; some wait.
class Crowd {
 public:
  explicit Crowd(unsigned seed) : bench_({6, 6}), random_(seed) {}
  Host& host() { return bench_.host; }
  unsigned pick(unsigned below) { return random_() % below; }

  void change() {
    const auto id = static_cast<WarpId>(pick(static_cast<unsigned>(host().size())));
    if (host().warp(id).state == WarpState::Free) return;
    switch (pick(5)) {
      case 0: host().open_split(id, 0, Group::rows(0, LaneMask::of(0))); break;
      case 1: close(id); break;
      default: host().set_state(id, pick(2) == 0 ? WarpState::Ready : WarpState::Held); break;
    }
  }

 private:
  void close(WarpId id) {
    const BlockId block = host().warp(id).block;
    host().close(id);
    if (pick(2) == 0) host().open(block, 0, Group::rows(0, LaneMask::of(0)));
  }

  Bench bench_;
  std::mt19937 random_;
};

TEST(Circle, GoesByParentsAndThenByIds) {
  Crowd crowd(5);
  Circle circle(crowd.host());
  size_t most = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    for (unsigned n = crowd.pick(3); n > 0; --n) crowd.change();
    const Host& host = crowd.host();
    most = std::max(most, host.size());
    if (host.ready().empty()) continue;
    const uint32_t position = crowd.pick(static_cast<unsigned>(host.size())) << 16 | crowd.pick(300);
    const WarpId expected = next_by_definition(host, position, host.ready());
    ASSERT_EQ(circle.next_round(position, host.ready()), expected);
    ASSERT_EQ(host.next_round(position, host.ready()), expected);
    WarpId last = expected;
    for (unsigned n = crowd.pick(4); n > 0; --n) {  // mostly those behind, as who goes round asks
      uint32_t from = crowd.pick(4) == 0 ? crowd.pick(300) << 16 : host.position_after(last);
      const auto rest = circle.rest_of_round(from, host.ready());
      for (const uint32_t position : rest.first(std::min<size_t>(rest.size(), 1 + crowd.pick(8)))) {
        last = next_by_definition(host, from, host.ready());
        ASSERT_EQ(Host::at_position(position), last);
        from = host.position_after(last);
      }
    }
  }
  EXPECT_GT(most, 64U);  // more than one word of a set
}

}  // namespace
}  // namespace heddle

// What must not compile: ids of different kinds and moments of different clocks do not mix.
#include "base/types.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace heddle {
namespace {

template <class A, class B>
concept Equal = requires(A a, B b) {
  a == b;
};
template <class A, class B>
concept Ordered = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Subtracted = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept Added = requires(A a, B b) {
  a + b;
};
template <class A, class B>
constexpr bool kMix = std::is_constructible_v<A, B> || std::is_assignable_v<A&, B> || Equal<A, B> || Ordered<A, B>;

static_assert(Equal<WarpId, WarpId> && Ordered<WarpId, WarpId>);
static_assert(!kMix<WarpId, Hw> && !kMix<Hw, WarpId> && !kMix<WarpId, BlockId> && !kMix<BlockId, Hw>);
static_assert(std::is_convertible_v<WarpId, size_t> && !std::is_convertible_v<unsigned, WarpId>);
static_assert(sizeof(WarpId) == 2 && std::is_trivially_copyable_v<WarpId>);

static_assert(Equal<CoreCycle, CoreCycle> && Ordered<CoreCycle, CoreCycle>);
static_assert(!kMix<CoreCycle, NetworkCycle> && !kMix<NetworkCycle, DramCycle> && !kMix<DramCycle, CoreCycle>);
static_assert(!Subtracted<CoreCycle, DramCycle>);
static_assert(!std::is_convertible_v<CoreCycle, uint64_t> && !std::is_convertible_v<uint64_t, CoreCycle>);
static_assert(!Added<CoreCycle, CoreCycle>, "the sum of two moments means nothing");
static_assert(std::is_same_v<decltype(CoreCycle() - CoreCycle()), uint64_t>);
static_assert(std::is_same_v<decltype(CoreCycle() + uint64_t{1}), CoreCycle>);
static_assert(sizeof(CoreCycle) == 8 && std::is_trivially_copyable_v<CoreCycle>);

TEST(Id, IndexesAndKeepsItsOrder) {
  const std::vector<unsigned> squares{0, 1, 4, 9};
  WarpId id{2};
  EXPECT_EQ(squares[id], 4U);
  EXPECT_EQ(squares[++id], 9U);
  EXPECT_LT(WarpId{9}, WarpId{10});
  EXPECT_EQ(WarpId(), WarpId{0});
}

TEST(Moment, IsCountedFromAndTo) {
  CoreCycle now{7};
  now += 3;
  EXPECT_EQ((++now).count(), 11U);
  EXPECT_EQ(now + 4, CoreCycle{15});
  EXPECT_EQ(now - 4, CoreCycle{7});
  EXPECT_EQ(now - CoreCycle{7}, 4U);
  EXPECT_EQ(now % 8, 3U);
}

TEST(Moment, NeverIsBehindAllOthers) {
  const DramCycle never = kNever;
  EXPECT_TRUE(never == kNever);
  EXPECT_FALSE(DramCycle{7} == kNever);
  EXPECT_EQ(std::min(never, DramCycle(~uint64_t{0} - 1)), DramCycle(~uint64_t{0} - 1));
}

}  // namespace
}  // namespace heddle

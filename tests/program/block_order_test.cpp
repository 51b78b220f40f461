// The relaxed topological order of blocks: every block before its successors but for back edges, loops before exits.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/random_program.h"
#include "support/scripted.h"

namespace heddle::scripted {
namespace {

// The first labels of the blocks, in their order.
std::string order_of(const char* text) {
  const Listing listing(text);
  const Kernel& kernel = listing.kernel();
  std::vector<std::string> names(kernel.blocks.size());
  for (size_t i = 0; i < kernel.blocks.size(); ++i)
    names.at(kernel.block_order[i]) = listing.name(kernel.blocks[i].begin);
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : " ") + name;
  return result;
}

TEST(BlockOrder, IsThatOfAddressesInAnIfThenElse) {
  EXPECT_EQ(order_of("A: if C\n B: br D\n C: op\n D: exit"), "A B C D");
}

TEST(BlockOrder, PutsTheElseSideBeforeTheJoinThoughItLiesBehind) {
  EXPECT_EQ(order_of("A: if D\n B: op\n C: exit\n D: br C"), "A B D C");
}

TEST(BlockOrder, PutsALoopBeforeItsExitThoughThatLiesBelow) {
  EXPECT_EQ(order_of("A: br D\n B: op\n C: exit\n D: op\n E: if B\n F: br D"), "A D F B");
}

TEST(BlockOrder, PutsInnerLoopsBeforeTheRestOfTheOuterOne) {
  // B-C is the inner loop, leaving to D; A-E the outer one, leaving to X from its head and from C.
  EXPECT_EQ(order_of("A: if X\n B: if D\n C: if B\n X: exit\n D: op\n E: br A"), "A B C D X");
}

TEST(BlockOrder, ExistsForIrreducibleLoops) {
  EXPECT_EQ(order_of("A: if C\n B: op\n C: if E\n D: br B\n E: exit"), "A C D B E");
}

TEST(BlockOrder, GoesFunctionByFunction) {
  EXPECT_EQ(order_of("A: call F\n B: exit\n F: if H\n G: op\n H: ret"), "A F G H");
}

TEST(BlockOrder, PutsWhatNobodyReachesLast) { EXPECT_EQ(order_of("A: br C\n B: op\n C: exit"), "A C B"); }

// reach[a][b]: is there a way of at least one edge from a to b?
std::vector<std::vector<bool>> reach_of(const Kernel& kernel) {
  const size_t count = kernel.blocks.size();
  std::vector<std::vector<bool>> reach(count, std::vector<bool>(count));
  for (size_t from = 0; from < count; ++from)
    for (uint32_t to : kernel.blocks[from].successors) reach[from][to] = true;
  for (size_t k = 0; k < count; ++k)
    for (size_t i = 0; i < count; ++i)
      for (size_t j = 0; j < count; ++j) reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
  return reach;
}

TEST(BlockOrder, PutsEveryLoopBeforeAllThatIsReachedFromIt) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Listing listing(random_listing(seed, 20));
    const Kernel& kernel = listing.kernel();
    const auto reach = reach_of(kernel);
    const size_t count = kernel.blocks.size();
    std::vector<uint32_t> numbers = kernel.block_order;
    std::sort(numbers.begin(), numbers.end());
    for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(numbers[i], i);
    for (size_t a = 0; a < count; ++a)
      for (size_t b = 0; b < count; ++b)
        if ((a == 0 || reach[0][a]) && reach[a][b] && !reach[b][a]) {
          ASSERT_LT(kernel.block_order[a], kernel.block_order[b]) << random_listing(seed, 20);
        }
  }
}

}  // namespace
}  // namespace heddle::scripted

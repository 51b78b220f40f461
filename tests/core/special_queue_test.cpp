// The queue in front of the special-function unit, to the cycle. A special function can leave it four cycles behind its
// issue, in a cycle in which the port issues nothing; its result is there thirteen cycles later.
#include <fmt/format.h>

#include "base/error.h"
#include "core/micro.h"

namespace heddle::test {
namespace {

Micro with_queue(const std::vector<std::string>& more = {}) {
  std::vector<std::string> set{"icache_bytes=0", "sfu_latency=17", "sfu_interval=8", "sfu_queue=4",
                               "sfu_queue_cycles=4"};
  set.insert(set.end(), more.begin(), more.end());
  return {"default", set};
}

// One that waits for itself, and n of a warp that do not: four chains, each with a turn in four cycles.
std::string special_and(unsigned n) {
  std::string text = "ex2.approx.f32 %f1, %f1;\n";
  for (unsigned i = 0; i < n; ++i) text += fmt::format("fma.rn.f32 %f{0}, %f{0}, %f8, %f9;\n", 2 + i % 4);
  return text;
}

// An H200 takes 17.4, 18.3, 22.0, 26.0, 30.0 and 34.2 cycles for these.
TEST(SpecialQueue, what_its_own_warp_issues_behind_it_keeps_a_special_function_back) {
  EXPECT_EQ(cycles_each(with_queue(), "", special_and(0)), 4 + 13);
  for (const unsigned n : {4U, 8U, 12U, 16U, 20U})
    EXPECT_EQ(cycles_each(with_queue(), "", special_and(n)), n + 1 + 13) << n;
  EXPECT_EQ(cycles_each(with_queue({"sfu_queue=0"}), "", special_and(12)), 17) << "without a queue nothing does";
}

TEST(SpecialQueue, a_cycle_between_two_is_enough) {
  // The sums wait for each other: the port issues in every fourth cycle.
  const std::string sums = "ex2.approx.f32 %f1, %f1;\n" + repeat("add.f32 %f2, %f2, %f8;\n", 4);
  EXPECT_EQ(cycles_each(with_queue(), "", sums), 17);
}

std::string independent() {
  std::string text;
  for (unsigned i = 1; i <= 12; ++i) text += fmt::format("ex2.approx.f32 %f{0}, %f{0};\n", i);
  return text;
}

// A unit that takes one in every cycle, so that it is the places that limit.
TEST(SpecialQueue, who_finds_no_place_waits_until_one_has_left) {
  const auto each = [](const char* places) {
    return cycles_each(with_queue({"sfu_interval=1", places}), "", independent()) / 12;
  };
  EXPECT_EQ(each("sfu_queue=1"), 4 + 1) << "issued, gone in the fourth cycle, and in the next there is a place";
  EXPECT_EQ(each("sfu_queue=2"), 2.5) << "two in these five cycles";
  EXPECT_EQ(each("sfu_queue=4"), 2) << "one issues, one leaves";
}

TEST(SpecialQueue, the_unit_takes_one_in_its_interval) {
  EXPECT_EQ(cycles_each(with_queue(), "", independent()), 12 * 8);
}

TEST(SpecialQueue, keys_that_contradict_each_other_are_refused) {
  EXPECT_THROW(TimedGpu(with_queue({"sfu_queue_cycles=17"})), Error);
  EXPECT_THROW(TimedGpu(with_queue({"shared_pipeline=true"})), Error);
}

}  // namespace
}  // namespace heddle::test

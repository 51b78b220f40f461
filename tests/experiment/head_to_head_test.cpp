#include "experiment/head_to_head.h"

#include <gtest/gtest.h>

#include "experiment/made_up.h"

namespace heddle {
namespace {

nlohmann::ordered_json total(double ipc, double efficiency, double stalls) {
  return {{"ipc", ipc},
          {"simd_efficiency", efficiency},
          {"idle_cycles", 25},
          {"breakdown", {{"W29-32", 75}, {"W0_Mem", 25}}},
          {"memory_stall_cycles", stalls},
          {"state_bits_per_warp", 64}};
}

TEST(HeadToHead, MeansOverWhatAllRanRightWinnersOverAll) {
  MadeUp made_up;
  made_up.add("pdom", "bfs", total(10, 0.5, 100));  // divergent
  made_up.add("tbc", "bfs", total(20, 0.8, 150));
  made_up.add("ideal", "bfs", total(40, 0.9, 100));
  made_up.add("pdom", "aes", total(10, 1, 100));  // coherent
  made_up.add("tbc", "aes", total(8, 1, 250));
  made_up.add("ideal", "aes", total(10, 1, 100));
  made_up.add("pdom", "nvrt", total(10, 0.3, 100));
  made_up.add("tbc", "nvrt", total(99, 0.9, 100), 1);  // wrong: counts nowhere
  made_up.add("ideal", "nvrt", total(20, 0.9, 100));
  const HeadToHeadResult result =
      head_to_head({{"pdom", "tbc", "ideal"}, {"bfs", "aes", "nvrt"}, {"ideal"}}, made_up.records());
  const Contender& tbc = result.contenders[1];
  EXPECT_DOUBLE_EQ(*tbc.speedup[0], 2);
  EXPECT_DOUBLE_EQ(*tbc.speedup[1], 0.8);
  EXPECT_DOUBLE_EQ(*tbc.speedup[2], 2 / (1 / 2.0 + 1 / 0.8));
  EXPECT_DOUBLE_EQ(tbc.simd_efficiency, 0.9);
  EXPECT_DOUBLE_EQ(tbc.idle, 0.25);
  EXPECT_DOUBLE_EQ(tbc.memory_stalls.value_or(0), 2);
  EXPECT_EQ(tbc.failed, 1U);
  EXPECT_EQ(result.common[0], 1U);
  EXPECT_EQ(result.common[1], 1U);
  EXPECT_EQ(result.contests[0].winner, 1U);  // ideal is faster, and a bound
  EXPECT_EQ(result.contests[1].winner, 0U);
  EXPECT_EQ(result.contests[2].winner, 0U);
  EXPECT_EQ(result.contests[2].missing[1], "FAILED");
}

}  // namespace
}  // namespace heddle

#include "experiment/verdict.h"

#include <gtest/gtest.h>

#include "experiment/made_up.h"

namespace heddle {
namespace {

constexpr Verdict H = Verdict::Holds, D = Verdict::Direction, F = Verdict::Fails, I = Verdict::Indistinct,
                  U = Verdict::Unmeasured;

Verdict ratio(double paper, double ours) {
  Part part = ipc_part({});
  part.paper[""] = paper;
  return judge(part, ours);
}

TEST(Judge, ARatioHoldsFromHalfToTwiceThePapersEffect) {
  EXPECT_EQ(ratio(1.22, 1.12), H);
  EXPECT_EQ(ratio(1.22, 1.10), D);
  EXPECT_EQ(ratio(1.22, 1.43), H);
  EXPECT_EQ(ratio(1.22, 1.60), D);
  EXPECT_EQ(ratio(1.22, 0.98), F);
  EXPECT_EQ(ratio(0.90, 0.92), H);
  EXPECT_EQ(ratio(0.90, 0.99), D);
  EXPECT_EQ(ratio(0.90, 1.01), F);
}

TEST(Judge, RunsThatDoNotDifferSayNothing) {
  EXPECT_EQ(ratio(1.22, 1.004), I);
  EXPECT_EQ(ratio(1.22, 0.996), I);
  EXPECT_EQ(ratio(1.22, 1.006), D);
}

TEST(Judge, ConditionsDecideWhereThereAre) {
  Part part = ipc_part({});
  part.holds = Condition::parse("> 1.05", "");
  EXPECT_EQ(judge(part, 1.06), H);
  EXPECT_EQ(judge(part, 1.03), D);  // the same side of 1
  EXPECT_EQ(judge(part, 1.001), I);
  EXPECT_EQ(judge(part, 0.95), F);
  part.holds = Condition::parse("0.97 .. 1.03", "");  // even is what is claimed
  EXPECT_EQ(judge(part, 1.0), H);
  EXPECT_EQ(judge(part, 1.04), F);
  part.direction = Condition::parse("0.95 .. 1.05", "");
  EXPECT_EQ(judge(part, 1.04), D);
}

TEST(Judge, AFigureThatIsNoRatioHoldsNearThePapers) {
  Part part = ipc_part({});
  part.over.clear();
  part.paper = {{"bfs", 10.0}, {"mum", 20.0}};
  EXPECT_EQ(judge(part, 11, "bfs"), H);
  EXPECT_EQ(judge(part, 12, "bfs"), D);
  EXPECT_EQ(judge(part, 13, "bfs"), F);
  EXPECT_EQ(judge(part, 18, "mum"), H);
  EXPECT_EQ(judge(part, 18, "lps"), U);  // the paper says nothing of it
  part.within = 0.5;
  EXPECT_EQ(judge(part, 15, "bfs"), H);
}

TEST(JudgeOrder, CountsThePairsThatDiffer) {
  EXPECT_EQ(judge_order({3, 2, 1}), H);
  EXPECT_EQ(judge_order({3, 3.001, 1}), H);  // a tie speaks for nobody
  EXPECT_EQ(judge_order({3, 1, 2}), D);      // two pairs right, one wrong
  EXPECT_EQ(judge_order({1, 3, 2}), F);      // one right, two wrong
  EXPECT_EQ(judge_order({2, 2.001, 2}), I);
  EXPECT_EQ(judge_order({1, 2}), F);
}

TEST(Combined, TwoThirdsMustHaveTheDirection) {
  EXPECT_EQ(combined({H, H}), H);
  EXPECT_EQ(combined({H, D}), D);
  EXPECT_EQ(combined({H, H, F}), D);
  EXPECT_EQ(combined({H, F}), F);
  EXPECT_EQ(combined({H, I}), D);
  EXPECT_EQ(combined({I, I}), I);
  EXPECT_EQ(combined({F, I}), F);
  EXPECT_EQ(combined({H, U}), H);
  EXPECT_EQ(combined({U}), U);
  EXPECT_EQ(combined({}), U);
}

TEST(JudgeClaim, PutsPartsAndOrdersTogether) {
  MadeUp made_up;
  for (const auto& [run, ipc] : {std::pair{"old", 10.0}, {"new", 12.0}, {"newer", 11.0}}) made_up.ipc(run, "bfs", ipc);
  Claim claim;
  claim.parts = {ipc_part({"bfs"}), ipc_part({"bfs"})};
  claim.parts[0].name = "new";
  claim.parts[0].paper[""] = 1.2;
  claim.parts[1].name = "newer";
  claim.parts[1].of = {"newer"};
  claim.parts[1].judged = false;
  claim.orders = {{"new", "newer"}};
  EXPECT_EQ(judge_claim(claim, made_up.records()).verdict, H);
  claim.orders = {{"newer", "new"}};
  EXPECT_EQ(judge_claim(claim, made_up.records()).verdict, F);
}

// A mean over the runs that happen to be there would look like a result.
TEST(JudgeClaim, NothingIsJudgedWhileARunIsMissing) {
  MadeUp made_up;
  for (const char* workload : {"bfs", "mum"}) made_up.ipc("old", workload, 10);
  made_up.ipc("new", "bfs", 12);
  Claim claim;
  claim.parts = {ipc_part({"bfs", "mum"})};
  claim.parts[0].paper[""] = 1.2;
  const ClaimResult result = judge_claim(claim, made_up.records());
  EXPECT_EQ(result.verdict, U);
  EXPECT_FALSE(result.parts[0].measured.figure);
  EXPECT_EQ(result.parts[0].measured.workloads[0].value, 1.2);  // what is there is shown
  made_up.ipc("new", "mum", 12);
  EXPECT_EQ(judge_claim(claim, made_up.records()).verdict, H);
  made_up.add("new", "mum", {}, 4);  // it ran, and is no answer
  EXPECT_EQ(judge_claim(claim, made_up.records()).verdict, H);
}

}  // namespace
}  // namespace heddle

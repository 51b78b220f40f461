// The structured family: masks and slots of small programs, and that all of it comes to the same masks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "observe/steps.h"
#include "program/structure.h"
#include "support/amount.h"
#include "support/random_kernel.h"
#include "support/scripted.h"
#include "workloads/workload.h"

namespace heddle::scripted::structured_test {
namespace {

constexpr std::string_view kFamily[] = {"chap", "amd", "pomp", "gma", "sandy-bridge"};

std::string trace_of(const Listing& listing, std::string_view mechanism, const Choice& choice) {
  ScriptedMachine machine(listing, mechanism, {.threads = 4, .set = {"warp_size=4"}}, choice);
  machine.run();
  return machine.trace();
}

void expect_trace(std::string_view program, const Choice& choice, std::string_view expected) {
  const Listing listing(program);
  for (std::string_view mechanism : kFamily) EXPECT_EQ(trace_of(listing, mechanism, choice), expected) << mechanism;
}

TEST(Structured, BothSidesOfAnIfRunInTheOrderOfTheCodeAndMeetAtItsEnd) {
  expect_trace(R"(
    A: if C
    B: br D
    C: op
    D: exit)",
               [](const Visit& v) { return v.thread > 1; }, "A(0,1,2,3) B(0,1,-,-) C(-,-,2,3) D(0,1,2,3)");
}

TEST(Structured, ASideThatNobodyTakesCostsNothing) {
  expect_trace(R"(
    A: if C
    B: br D
    C: op
    D: exit)",
               [](const Visit&) { return 1; }, "A(0,1,2,3) C(0,1,2,3) D(0,1,2,3)");
}

TEST(Structured, ThreadsThatLeaveALoopWaitBehindIt) {
  expect_trace(R"(
    L: op
    M: if L
    X: exit)",
               [](const Visit& v) { return v.time <= v.thread; },
               "L(0,1,2,3) M(0,1,2,3) L(-,1,2,3) M(-,1,2,3) L(-,-,2,3) M(-,-,2,3) L(-,-,-,3) M(-,-,-,3) X(0,1,2,3)");
}

TEST(Structured, ThreadsThatContinueWaitForTheOthersOfTheIteration) {
  // 0 and 1 go back from A in their first iteration, the others through B.
  expect_trace(R"(
    L: if X
    A: if L
    B: br L
    X: exit)",
               [](const Visit& v) { return v.at == "L" ? v.time == 3 : v.thread < 2 && v.time == 1; },
               "L(0,1,2,3) A(0,1,2,3) B(-,-,2,3) L(0,1,2,3) A(0,1,2,3) B(0,1,2,3) L(0,1,2,3) X(0,1,2,3)");
}

TEST(Structured, AShortCircuitIsRunOnceWherePdomRunsItTwice) {
  const char* const program = R"(
    A: if X
    B: if Y
    X: op
    Y: exit)";
  const auto choice = [](const Visit& v) { return v.at == "A" ? v.thread == 0 : v.thread > 1; };
  expect_trace(program, choice, "A(0,1,2,3) B(-,1,2,3) X(0,1,-,-) Y(0,1,2,3)");
  EXPECT_EQ(trace_of(Listing(program), "pdom", choice), "A(0,1,2,3) X(0,-,-,-) B(-,1,2,3) X(-,1,-,-) Y(0,1,2,3)");
}

TEST(Structured, ABreakOutOfTwoLoopsWaitsBehindBoth) {
  // 0 breaks out at once; 1 runs the inner loop twice; 2 and 3 run the outer loop twice.
  expect_trace(R"(
    O: op
    I: if X
    J: if I
    K: if O
    X: exit)",
               [](const Visit& v) {
                 if (v.at == "I") return v.thread == 0;
                 return v.time == 1 && (v.at == "J" ? v.thread == 1 : v.thread > 1);
               },
               "O(0,1,2,3) I(0,1,2,3) J(-,1,2,3) I(-,1,-,-) J(-,1,-,-) K(-,1,2,3) O(-,-,2,3) I(-,-,2,3) J(-,-,2,3) "
               "K(-,-,2,3) X(0,1,2,3)");
}

TEST(Structured, ACallRunsWithTheThreadsThatCalled) {
  expect_trace(R"(
    A: if C
    B: call F
    C: exit
    F: if H
    G: ret
    H: op
    I: ret)",
               [](const Visit& v) { return v.at == "A" ? v.thread == 3 : v.thread == 0; },
               "A(0,1,2,3) B(0,1,2,-) F(0,1,2,-) G(-,1,2,-) H(0,-,-,-) I(0,-,-,-) C(0,1,2,3)");
}

TEST(Structured, ThreadsThatExitInAFunctionDoNotKeepTheOthers) {
  expect_trace(R"(
    A: if C
    B: call F
    C: exit
    F: exit)",
               [](const Visit& v) { return v.thread == 3; }, "A(0,1,2,3) B(0,1,2,-) F(0,1,2,-) C(-,-,-,3)");
}

TEST(Structured, RecursionIsSynchronised) {
  const Listing listing(R"(
    A: call F
    B: exit
    F: if H
    G: call F
    H: ret)");
  const auto choice = [](const Visit& v) { return v.thread == 0 || v.time == 2; };
  for (std::string_view mechanism : {"amd", "pomp"}) {
    ScriptedMachine machine(listing, mechanism, {.threads = 2, .set = {"warp_size=4"}}, choice);
    machine.run();
    EXPECT_EQ(machine.trace(), "A(0,1,-,-) F(0,1,-,-) G(-,1,-,-) F(-,1,-,-) H(-,1,-,-) H(0,1,-,-) B(0,1,-,-)")
        << mechanism;
  }
}

std::string refusal(const Listing& listing, std::string_view mechanism) {
  try {
    ScriptedMachine(listing, mechanism, {}, [](const Visit&) { return 0; });
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Refused);
    return error.what();
  }
  return "";
}

TEST(Structured, RecursionIsRefusedByThoseThatHaveNone) {
  const Listing listing(R"(
    A: call F
    B: exit
    F: if H
    G: call F
    H: ret)");
  for (std::string_view mechanism : {"chap", "gma", "sandy-bridge"})
    EXPECT_EQ(
        refusal(listing, mechanism),
        fmt::format("mechanism '{}' cannot run kernel listing: it has no recursion, and the kernel reaches functions "
                    "that call themselves: F",
                    mechanism))
        << mechanism;
  for (std::string_view mechanism : {"amd", "pomp"}) EXPECT_EQ(refusal(listing, mechanism), "") << mechanism;
}

TEST(Structured, IndirectJumpsAndCallsAreRefused) {
  const Listing jump(R"(
    A: brx B C
    B: op
    C: exit)");
  const Listing call(R"(
    A: call F G
    B: exit
    F: ret
    G: ret)");
  for (std::string_view mechanism : kFamily) {
    EXPECT_NE(refusal(jump, mechanism).find("no indirect branches, and there is one"), std::string::npos) << mechanism;
    EXPECT_NE(refusal(call, mechanism).find("called through a pointer"), std::string::npos) << mechanism;
  }
}

TEST(Structured, ThreadsThatExitBeforeABarrierAreNotWaitedFor) {
  expect_trace(R"(
    A: if X
    B: op
    C: bar
    X: exit)",
               [](const Visit& v) { return v.thread == 1; }, "A(0,1,2,3) X(-,1,-,-) B(0,-,2,3) C(0,-,2,3) X(0,-,2,3)");
}

TEST(Structured, ThreadsThatReturnFromALoopWithABarrierAreNotWaitedFor) {
  expect_trace(R"(
    L: if R
    B: bar
    C: br L
    R: exit)",
               [](const Visit& v) { return v.time > 1 + v.thread / 2; },
               "L(0,1,2,3) B(0,1,2,3) C(0,1,2,3) L(0,1,2,3) R(0,1,-,-) B(-,-,2,3) C(-,-,2,3) L(-,-,2,3) R(-,-,2,3)");
}

TEST(Structured, ABarrierThatOnlySomeReachIsADeadlockThatIsReported) {
  const Listing listing(R"(
    A: if C
    B: bar
    C: op
    D: exit)");
  for (std::string_view mechanism : kFamily) {
    ScriptedMachine machine(listing, mechanism, {.threads = 4, .set = {"warp_size=4"}},
                            [](const Visit& v) { return v.thread == 0; });
    try {
      machine.run();
      ADD_FAILURE() << mechanism;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Deadlock);
      EXPECT_NE(std::string(error.what()).find("[walks pc 1 mask e]"), std::string::npos) << error.what();
    }
  }
}

TEST(Structured, MeetingsOfDivergedWarpsAreTheSameAsUnderPdomWhereItManages) {
  const char* const program = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 words)
{
  .reg .u64 %rd<4>;
  .reg .u32 %r<8>;
  .reg .pred %p<4>;
  ld.param.u64 %rd1, [words];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  rem.u32 %r2, %r1, 5;
SPIN:
  sub.u32 %r2, %r2, 1;
  setp.ge.s32 %p1, %r2, 0;
  @%p1 bra SPIN;
  shfl.sync.bfly.b32 %r3, %r1, 1, 31, 0xffffffff;
  setp.gt.u32 %p2, %r1, 40;
  @%p2 bra END;
  bar.sync 0;
  st.global.u32 [%rd1], %r3;
END:
  ret;
})";
  const PtxShape shape{.threads = 64, .input = std::vector<uint32_t>(64)};
  const PtxRun expected = run_ptx(program, "k", "pdom", shape);
  EXPECT_EQ(expected.output[3], 2U);
  for (std::string_view mechanism : kFamily) EXPECT_EQ(run_ptx(program, "k", mechanism, shape).output, expected.output);
}

TEST(Structured, AnArmWithABarrierAndOneWithoutAreBothBehindTheBranch) {
  const char* const program = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 words)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [words];
  ld.global.u32 %r1, [%rd1];
  setp.eq.s32 %p1, %r1, 0;
  @%p1 bra PLAIN;
  bar.sync 0;
  st.global.u32 [%rd1+4], 5;
  bra.uni END;
PLAIN:
  st.global.u32 [%rd1+4], 3;
END:
  ret;
})";
  for (const uint32_t barrier : {0U, 1U})
    for (std::string_view mechanism : kFamily) {
      const PtxShape shape{.input = {barrier, 0}};
      const PtxRun run = run_ptx(program, "k", mechanism, shape);
      EXPECT_EQ(run.output[1], barrier ? 5U : 3U) << mechanism;
      EXPECT_EQ(text_of(run.slots), text_of(run_ptx(program, "k", "pdom", shape).slots)) << mechanism;
    }
}

// ---- state

KernelStats stats_at_depth(unsigned depth, std::string_view mechanism) {
  std::string text;  // loops inside each other
  for (unsigned i = 0; i < depth; ++i) text += "L" + std::to_string(i) + ": op\n";
  for (unsigned i = depth; i-- > 0;) text += "M" + std::to_string(i) + ": if L" + std::to_string(i) + "\n";
  const Listing listing(text + "X: exit");
  ScriptedMachine machine(listing, mechanism, {.threads = 32}, [](const Visit&) { return 0; });
  machine.run();
  KernelStats stats;
  const StateCost cost = machine.mechanism().cost();
  stats.deepest = cost.deepest;
  stats.state_bits_per_warp = cost.bits_per_warp;
  stats.state_constant = cost.constant;
  return stats;
}

TEST(StructuredState, MasksGrowWithTheNestingCountersWithItsLogarithmAndPcsNot) {
  EXPECT_EQ(stats_at_depth(1, "chap").deepest, 3U);  // the kernel, the loop, and where a break goes to
  EXPECT_EQ(stats_at_depth(15, "chap").deepest, 31U);
  EXPECT_EQ(stats_at_depth(1, "chap").state_bits_per_warp, 4U * 32 + 32);
  EXPECT_EQ(stats_at_depth(15, "chap").state_bits_per_warp, 32U * 32 + 32);
  EXPECT_EQ(stats_at_depth(1, "pomp").state_bits_per_warp, 3U * 32 + 32);
  EXPECT_EQ(stats_at_depth(15, "pomp").state_bits_per_warp, 6U * 32 + 32);
  EXPECT_EQ(stats_at_depth(1, "sandy-bridge").state_bits_per_warp, 33U * 32);
  EXPECT_EQ(stats_at_depth(15, "sandy-bridge").state_bits_per_warp, 33U * 32);
  EXPECT_TRUE(stats_at_depth(15, "sandy-bridge").state_constant);
}

// ---- the same masks at every step

struct StepOf {
  Pc pc;
  unsigned row;
  uint32_t mask;
  bool operator==(const StepOf&) const = default;
};
struct Steps {
  std::vector<StepOf> steps;
  std::vector<uint32_t> words;
  KernelStats total;
};

// Without what needs indirect jumps, and recursion if it is not wanted.
void drop(std::vector<test::Statement>& body, bool recursion) {
  using Kind = test::Statement::Kind;
  std::erase_if(body, [&](const test::Statement& s) {
    return s.kind == Kind::Switch || s.kind == Kind::CallTable || (s.kind == Kind::Recurse && !recursion);
  });
  for (test::Statement& s : body)
    for (auto& inner : s.bodies) drop(inner, recursion);
}

test::RandomKernel direct_kernel(uint64_t seed, bool recursion) {
  test::RandomKernel kernel = test::random_kernel(seed);
  drop(kernel.body, recursion);
  for (auto& function : kernel.functions) drop(function, recursion);
  return kernel;
}

// Without a clock, or on the machine of a preset.
Steps steps_of(const test::RandomKernel& kernel, const std::string& ptx, std::string_view mechanism,
               std::string_view machine = "") {
  Steps result;
  GpuOptions options;
  options.mechanism = mechanism;
  options.timed = !machine.empty();
  options.observers.push_back(std::make_shared<heddle::Steps>([&](const Step& step) {
    result.steps.push_back({step.warp.pc, step.group.row, step.group.mask.bits()});
  }));
  const std::string set[] = {"warp_size=" + std::to_string(kernel.warp_size),
                             "simd_width=" + std::to_string(std::min(8U, kernel.warp_size)), "cores=1"};
  Gpu gpu(make_config(options.timed ? machine : "default", set), options);
  gpu.load("random.ptx", ptx);
  Buffer<uint32_t> out(gpu, size_t{kernel.blocks} * kernel.threads * test::RandomKernel::kWords, "out");
  gpu.launch("k", {{kernel.blocks}, {kernel.threads}}, Arguments(out.address()));
  result.words = out.download();
  result.total = gpu.total();
  return result;
}

uint64_t seeds() { return test::amount(5000, 150, 15); }

TEST(StructuredSteps, CountersAndPcsComeToTheMasksOfTheStacksOnRandomKernels) {
  uint64_t divergent = 0;
  for (uint64_t seed = 1; seed <= seeds(); ++seed)
    for (const bool recursion : {false, true}) {
      const test::RandomKernel kernel = direct_kernel(seed, recursion);
      const std::string ptx = kernel.ptx();
      const Steps stacks = steps_of(kernel, ptx, "amd"), pdom = steps_of(kernel, ptx, "pdom");
      EXPECT_EQ(stacks.words, pdom.words) << seed;
      EXPECT_EQ(stacks.total.thread_instructions, pdom.total.thread_instructions) << seed;
      divergent += stacks.total.divergent_branches;
      for (std::string_view mechanism : kFamily) {
        if (recursion && mechanism != "pomp") continue;
        EXPECT_TRUE(steps_of(kernel, ptx, mechanism).steps == stacks.steps) << seed << " " << mechanism;
      }
    }
  EXPECT_GT(divergent, 40 * seeds());
}

TEST(StructuredSteps, AClockChangesTheOrderOfWarpsNotWhatTheyDo) {
  constexpr std::string_view machines[] = {"default", "tbc-hpca11", "large-warp-2010"};
  for (uint64_t seed = 1; seed <= seeds(); ++seed) {
    const test::RandomKernel kernel = direct_kernel(seed, false);
    const std::string ptx = kernel.ptx(), mechanism(kFamily[seed % std::size(kFamily)]);
    const Steps alone = steps_of(kernel, ptx, mechanism);
    const Steps timed = steps_of(kernel, ptx, mechanism, machines[seed % std::size(machines)]);
    EXPECT_EQ(timed.words, alone.words) << seed;
    EXPECT_EQ(timed.total.issue_slots, alone.total.issue_slots) << seed;
    // A warp-wide instruction over several warps is charged to the last that comes.
    if (kernel.warp_size == kRow) {
      EXPECT_EQ(timed.total.active_threads, alone.total.active_threads) << seed;
    }
  }
}

TEST(StructuredSteps, CountersAndPcsComeToTheMasksOfTheStacksOnTheWorkloads) {
  for (const workloads::Workload& workload : workloads::all()) {
    if (workload.name == "indirect" || workload.kind == workloads::Kind::Waits) continue;
    std::map<std::string_view, std::vector<StepOf>> steps;
    for (std::string_view mechanism : {"amd", "chap", "pomp", "sandy-bridge"}) {
      if (workload.name == "recursion" && mechanism != "amd" && mechanism != "pomp") continue;
      GpuOptions options;
      options.mechanism = mechanism;
      options.observers.push_back(std::make_shared<heddle::Steps>([&](const Step& step) {
        steps[mechanism].push_back({step.warp.pc, step.group.row, step.group.mask.bits()});
      }));
      Gpu gpu(make_config("default", {}), options);
      gpu.load(workload.name, workload.ptx());
      EXPECT_TRUE(workload.run(gpu, workloads::Size::Tiny).passed) << workload.name << " " << mechanism;
      EXPECT_TRUE(steps[mechanism] == steps["amd"]) << workload.name << " " << mechanism;
    }
  }
}

// Jumps from anywhere to anywhere. A thread's decisions are a function of how often it was there, and end: from its
// eighth time on it falls through.
std::string random_jumps(std::mt19937& random, unsigned length, std::string_view seventh = "op") {
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    const unsigned kind = random() % 8, to = random() % (length + 1);
    text += "P" + std::to_string(i) + ": ";
    if (kind < 4)
      text += "if P" + std::to_string(to);
    else if (kind == 4 && to > i)
      text += "br P" + std::to_string(to);
    else
      text += kind == 5 && i % 5 == 0 ? "exit" : kind == 6 ? seventh : "op";
    text += "\n";
  }
  return text + "P" + std::to_string(length) + ": exit";
}

using Ways = std::map<std::pair<int, std::string>, unsigned>;  // by thread and name: how often it was there

Ways ways_of(const std::vector<Slot>& slots) {
  Ways ways;
  for (const Slot& slot : slots)
    for (int thread : slot.lanes)
      if (thread >= 0) ++ways[{thread, slot.name}];
  return ways;
}

TEST(StructuredSteps, EveryThreadGoesItsWayThroughLoopsWithSeveralEntries) {
  std::mt19937 random(7);
  unsigned split = 0, run = 0;
  double growth = 0;
  for (unsigned round = 0; round < 300; ++round) {
    const Listing listing(random_jumps(random, 3 + random() % 14));
    const unsigned salt = random();
    const auto choice = [&](const Visit& v) {
      if (v.time >= 8) return 0U;
      return ((v.thread * 2654435761U + v.time * 40503U + static_cast<unsigned>(v.at.back()) * 97U + salt) >> 7) % 2;
    };
    const Structure& structure = *listing.kernel().structure;
    if (!structure.problem.empty()) continue;
    ++run;
    split += structure.instructions > structure.instructions_before ? 1 : 0;
    growth = std::max(growth, structure.growth());
    const Shape shape{.threads = 12, .set = {"warp_size=8"}};
    ScriptedMachine pdom(listing, "pdom", shape, choice), chap(listing, "chap", shape, choice);
    pdom.run();
    chap.run();
    EXPECT_EQ(ways_of(chap.slots()), ways_of(pdom.slots())) << round;
    for (std::string_view mechanism : {"pomp", "sandy-bridge"}) {
      ScriptedMachine other(listing, mechanism, shape, choice);
      other.run();
      EXPECT_EQ(other.trace(), chap.trace()) << round << " " << mechanism;
    }
  }
  EXPECT_GT(run, 290U);
  EXPECT_GT(split, 50U);
  RecordProperty("largest_growth", std::to_string(growth));
}

TEST(StructuredSteps, BarriersToWhichAllThreadsComeDoNotChangeTheirWay) {
  std::mt19937 random(11);
  unsigned met = 0;
  for (unsigned round = 0; round < 600; ++round) {
    const Listing listing(random_jumps(random, 3 + random() % 14, "bar"));
    const unsigned salt = random();
    const auto choice = [&](const Visit& v) {  // the same for all threads
      if (v.time >= 8) return 0U;
      return ((v.time * 2654435761U + static_cast<unsigned>(v.at.back()) * 40503U + salt) >> 7) % 2;
    };
    if (!listing.kernel().structure->problem.empty()) continue;
    const Shape shape{.threads = 12, .set = {"warp_size=8"}};
    ScriptedMachine pdom(listing, "pdom", shape, choice);
    pdom.run();
    met += std::any_of(pdom.slots().begin(), pdom.slots().end(),
                       [&](const Slot& slot) { return listing.kernel().code[slot.pc].flow == Flow::Barrier; });
    for (std::string_view mechanism : kFamily) {
      ScriptedMachine other(listing, mechanism, shape, choice);
      other.run();
      EXPECT_EQ(other.trace(), pdom.trace()) << round << " " << mechanism;
    }
  }
  EXPECT_GT(met, 200U);
}

}  // namespace
}  // namespace heddle::scripted::structured_test

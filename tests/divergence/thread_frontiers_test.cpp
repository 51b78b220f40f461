// thread-frontiers: worked out by hand on small graphs, and its laws.
#include "divergence/mechanisms/thread_frontiers.h"

#include <gtest/gtest.h>

#include "divergence/graphs.h"
#include "divergence/support/thread_frontier.h"
#include "program/analysis.h"
#include "support/amount.h"
#include "support/random_kernel.h"
#include "support/random_program.h"

namespace heddle::scripted::thread_frontiers_test {
namespace {

std::string by_list(const Graph& graph) { return slots_of(graph, "thread-frontiers"); }
std::string by_pc(const Graph& graph) { return slots_of(graph, "thread-frontiers", {"variant=ptpc"}); }

TEST(ThreadFrontiers, RunBothSidesOfAnIfInTheirOrder) {
  for (const auto& slots : {by_list(kIfElse), by_pc(kIfElse)}) EXPECT_EQ(slots, "A1111 B1---x2 C-111x3 D1111");
}

TEST(ThreadFrontiers, RunWhatAShortCircuitSharesOnce) {
  for (const auto& slots : {by_list(kShortCircuit), by_pc(kShortCircuit)})
    EXPECT_EQ(slots, "A1111 B-111 Y--11 X11--x3 Z1111");
  EXPECT_EQ(slots_of(kShortCircuit, "pdom"), "A1111 X1---x3 B-111 X-1--x3 Y--11 Z1111");
}

TEST(ThreadFrontiers, RunATailThatThreePathsShareOnce) {
  for (const auto& slots : {by_list(kSharedTail), by_pc(kSharedTail)})
    EXPECT_EQ(slots, "A1111 B-111 C--11 D---1 X11-- Y111- Z1111");
}

TEST(ThreadFrontiers, MeetAtTheEndOfALoopsBodyAndRunItBeforeWhatIsBehindTheLoop) {
  EXPECT_EQ(by_list(kLikely), "A1111 B1--- C-111 E11-- A-1-- B-1-- E-1-- D--11 F1111");
  EXPECT_EQ(slots_of(kLikely, "pdom"), "A1111 C-111 E-1-- A-1-- B-1-- E-1-- D--11 B1--- E1--- F1111");
}

TEST(ThreadFrontiers, RunATableInTheOrderOfItsBlocks) { EXPECT_EQ(by_list(kSwitch), "A1111 B-11- C---1 D1--- E1111"); }

TEST(ThreadFrontiers, WithoutAListWalkBlocksWhereSomebodyMightBe) {
  EXPECT_EQ(by_list(kOneSided), "A1111 B11-- C11-- F11-- E--11 G1111");
  EXPECT_EQ(by_pc(kOneSided), "A1111 B11-- C11-- D----x2 F11-- E--11 G1111");
}

TEST(ThreadFrontiers, WithoutAListGoStraightOnWhileAllGoOneWay) {
  EXPECT_EQ(by_pc({kIfElse.blocks, "ACD ACD ACD ACD"}), "A1111 C1111x3 D1111");
}

TEST(ThreadFrontiers, OfABlockAreTheBlocksBehindItWhereThreadsMayBe) {
  const Listing listing(listing_of(kOneSided));  // A B C D F E G, one place after the other
  EXPECT_EQ(first_of_frontiers(listing.kernel()), (std::vector<uint32_t>{kNoFrontier, 5, 3, 4, 5, 6, kNoFrontier}));
}

std::string trace(const char* text, const char* variant, const Choice& choice) {
  const Listing listing(text);
  ScriptedMachine machine(listing, "thread-frontiers", {.threads = 4, .set = {"warp_size=4", variant}}, choice);
  machine.run();
  return machine.trace();
}
unsigned upper_half(const Visit& v) { return v.thread > 1; }
constexpr const char* kVariants[] = {"variant=stack", "variant=ptpc"};

TEST(ThreadFrontiers, ReconvergeInsideFunctionsAndBehindThem) {
  for (const char* variant : kVariants) {
    EXPECT_EQ(trace("1: if 3\n 2: call 10\n 3: op\n 4: exit\n 10: op\n 11: ret", variant, upper_half),
              "1(0,1,2,3) 2(0,1,-,-) 10(0,1,-,-) 11(0,1,-,-) 3(0,1,2,3) 4(0,1,2,3)");
    EXPECT_EQ(trace("A: call F\n B: exit\n F: if H\n G: br I\n H: op\n I: ret", variant, upper_half),
              "A(0,1,2,3) F(0,1,2,3) G(0,1,-,-) H(-,-,2,3) I(0,1,2,3) B(0,1,2,3)");
  }
}

TEST(ThreadFrontiers, LetThreadsExitWhileOthersWaitAtABarrier) {
  for (const char* variant : kVariants)
    EXPECT_EQ(trace("A: if D\n B: bar\n C: exit\n D: exit", variant, upper_half),
              "A(0,1,2,3) B(0,1,-,-) D(-,-,2,3) C(0,1,-,-)");
}

TEST(ThreadFrontiers, AskForTheWidestListOrForAPcPerThread) {
  for (const auto& [variant, bits] : {std::pair{"variant=stack", 3 * 36}, std::pair{"variant=ptpc", 4 * 32 + 32}}) {
    const Listing listing(listing_of(kSharedTail));
    ScriptedMachine machine(listing, "thread-frontiers", shape_of({variant}), choice_of(kSharedTail));
    machine.run();
    EXPECT_EQ(machine.mechanism().cost().bits_per_warp, static_cast<uint64_t>(bits)) << variant;
  }
}

TEST(ThreadFrontiers, WithoutAListRefuseRecursionAndTables) {
  const auto refusal = [](const char* text) -> std::string {
    const Listing listing(text);
    try {
      ScriptedMachine(listing, "thread-frontiers", shape_of({"variant=ptpc"}), upper_half);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Refused);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("1: call F\n 2: exit\n F: if R\n C: call F\n R: ret").find("call themselves: F"),
            std::string::npos);
  EXPECT_NE(refusal("A: brx B C\n B: op\n C: exit").find("there is one at instruction 0"), std::string::npos);
}

// Every loop has one entry, and threads that part meet behind the branch: nobody goes round to wait for the others.
bool goes_forward(const Kernel& kernel) {
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block) {
    const auto behind = [&](uint32_t other) { return kernel.block_order[other] > kernel.block_order[block]; };
    const std::vector<uint32_t>& successors = kernel.blocks[block].successors;
    for (uint32_t next : successors)
      if (!behind(next) && !dominates(kernel, next, block)) return false;
    const Pc meet = kernel.reconvergence[kernel.blocks[block].end - 1];
    if (successors.size() > 1 && meet != kNoPc && !behind(kernel.block_of[meet])) return false;
  }
  return true;
}

// A law where threads do not run ahead into the next turn of a loop. Where they do, it is rarely more.
TEST(ThreadFrontiers, DoNotIssueMoreThanPdomWhereThreadsThatPartMeetFurtherOn) {
  unsigned runs = 0, forward = 0, fewer = 0, more = 0;
  for (unsigned seed = 0; seed < test::amount(3000, 1000, 100); ++seed) {
    const Listing listing(random_listing(seed));
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=4"}};
    ScriptedMachine list(listing, "thread-frontiers", shape, random_choice),
        pdom(listing, "pdom", shape, random_choice);
    list.run();
    pdom.run();
    EXPECT_EQ(paths_of(list.slots()), paths_of(pdom.slots())) << random_listing(seed);
    const bool is_more = list.slots().size() > pdom.slots().size();
    if (goes_forward(listing.kernel())) {
      EXPECT_FALSE(is_more) << random_listing(seed);
      ++forward;
    }
    ++runs;
    more += is_more ? 1 : 0;
    fewer += list.slots().size() < pdom.slots().size() ? 1 : 0;
  }
  EXPECT_GT(forward, runs / 5);
  EXPECT_GT(fewer, runs / 3);
  EXPECT_LT(more, runs / 10);
}

TEST(ThreadFrontiers, WithoutAListLetEveryThreadWalkItsOwnPathInNoFewerSlots) {
  for (unsigned seed = 0; seed < test::amount(1800, 600, 50); ++seed) {
    const Listing listing(random_listing(seed));
    if (listing.kernel().has_indirect) continue;
    const auto machine_of = [&](const char* variant) {
      return ScriptedMachine(listing, "thread-frontiers", {.threads = 30, .blocks = 2, .set = {"warp_size=4", variant}},
                             random_choice);
    };
    ScriptedMachine list = machine_of("variant=stack"), pcs = machine_of("variant=ptpc");
    list.run();
    pcs.run();
    EXPECT_EQ(paths_of(list.slots()), paths_of(pcs.slots())) << random_listing(seed);
    EXPECT_LE(list.slots().size(), pcs.slots().size()) << random_listing(seed);
    // What is executed is executed by the same threads in the same order: all else is empty.
    std::vector<Slot> executed = pcs.slots();
    std::erase_if(executed, [](const Slot& slot) { return slot.phantom; });
    EXPECT_EQ(text_of(executed), list.trace()) << random_listing(seed);
  }
}

TEST(ThreadFrontiers, WithoutAListLeaveWhatPdomLeavesInRandomKernels) {
  unsigned ran = 0;
  for (uint64_t seed = 1; seed <= test::amount(600, 100, 20); ++seed) {
    const test::RandomKernel kernel = test::random_kernel(seed);
    const auto left_by = [&](const char* mechanism, bool timed, std::vector<std::string> set) {
      GpuOptions options;
      options.mechanism = mechanism;
      options.timed = timed;
      set.push_back(fmt::format("warp_size={}", kernel.warp_size));
      set.push_back(fmt::format("simd_width={}", std::min(8U, kernel.warp_size)));
      Gpu gpu(make_config("default", set), options);
      gpu.load("random.ptx", kernel.ptx());
      Buffer<uint32_t> out(gpu, size_t{kernel.blocks} * kernel.threads * test::RandomKernel::kWords, "out");
      gpu.launch("k", {{kernel.blocks}, {kernel.threads}}, Arguments(out.address()));
      return out.download();
    };
    try {
      const std::vector<uint32_t> right = left_by("pdom", false, {});
      for (bool timed : {false, true})
        EXPECT_EQ(left_by("thread-frontiers", timed, {"variant=ptpc"}), right) << "seed " << seed;
      ++ran;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ExitCode::Refused) << error.what();
    }
  }
  EXPECT_GT(ran, 5U);
}

}  // namespace
}  // namespace heddle::scripted::thread_frontiers_test

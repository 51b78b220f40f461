// its: worked out by hand on small graphs. tests/conformance holds it against an H200.
#include "divergence/mechanisms/its.h"

#include <gtest/gtest.h>

#include "divergence/graphs.h"
#include "support/amount.h"
#include "support/random_kernel.h"

namespace heddle::scripted::its_test {
namespace {

TEST(Its, RunsTheSmallerSideFirst) {
  EXPECT_EQ(slots_of(kIfElse, "its"), "A1111 B1---x2 C-111x3 D1111");
  EXPECT_EQ(slots_of(kSwitch, "its"), "A1111 D1--- C---1 B-11- E1111");
}

TEST(Its, JoinsWhereTheAssemblerDoes) {
  EXPECT_EQ(slots_of(kLikely, "its"), "A1111 B1--- C-111 E11-- A-1-- B-1-- E-1-- D--11 F1111");
  EXPECT_EQ(slots_of(kShortCircuit, "its"), "A1111 B-111 X11--x3 Y--11 Z1111");
  EXPECT_EQ(slots_of(kSharedTail, "its"), "A1111 X1--- B-111 X-1-- C--11 D---1 Y111- Z1111");
}

TEST(Its, JoinsAtPostDominatorsAloneIfToldSo) {
  for (const Graph* graph : {&kLikely, &kShortCircuit, &kSharedTail}) {
    const auto slots = [&](const char* mechanism, const std::vector<std::string>& set) {
      const Listing listing(listing_of(*graph));
      ScriptedMachine machine(listing, mechanism, shape_of(set), choice_of(*graph));
      machine.run();
      return machine.slots().size();
    };
    EXPECT_EQ(slots("its", {"joins=ipdom"}), slots("pdom", {})) << graph->blocks;
  }
}

TEST(Its, SpendsSlotsAtBarriersIfToldSo) {
  // Sets one in front of A's branch; both sides come to D.
  const Listing listing(listing_of(kIfElse));
  ScriptedMachine machine(listing, "its", shape_of({"barrier_slots=true"}), choice_of(kIfElse));
  machine.run();
  EXPECT_EQ(machine.slots().size(), 7U + 1 + 2);
}

TEST(Its, KeepsBarriersAndWhoWaits) {
  const Listing listing(listing_of(kIfElse));
  ScriptedMachine machine(listing, "its", shape_of({}), choice_of(kIfElse));
  machine.step();  // A
  EXPECT_EQ(state_text(machine.mechanism().state(BlockId{0})),
            "  static warp 0: [runs pc 1 depth 0 mask 1] [waits pc 3 depth 0 mask e] "
            "[barrier pc 6 depth 0 mask f arrived 0]\n");
  machine.run();
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, 16U * 4 + 4 * (32 + 3));
}

TEST(Its, MeetsBehindEveryCall) {
  const Listing listing("A: call F\n B: exit\n F: if H\n G: call F\n H: ret");
  ScriptedMachine machine(listing, "its", {.threads = 2, .set = {"warp_size=2"}},
                          [](const Visit& v) { return v.thread == 0 || v.time == 2; });
  machine.run();
  EXPECT_EQ(machine.trace(), "A(0,1) F(0,1) G(-,1) F(-,1) H(-,1) H(0,1) B(0,1)");
}

// Threads that stand ready at the same place are united, so that it may even need fewer slots than pdom.
TEST(Its, WithPostDominatorsAloneNeedsNoMoreSlotsThanPdom) {
  for (uint64_t seed = 1; seed <= test::amount(2000, 200, 30); ++seed) {
    const test::RandomKernel kernel = test::random_kernel(seed);
    const auto total = [&](const char* mechanism, std::vector<std::string> set) {
      set.push_back(fmt::format("warp_size={}", kernel.warp_size));
      GpuOptions options;
      options.mechanism = mechanism;
      Gpu gpu(make_config("default", set), options);
      gpu.load("random.ptx", kernel.ptx());
      Buffer<uint32_t> out(gpu, size_t{kernel.blocks} * kernel.threads * test::RandomKernel::kWords, "out");
      gpu.launch("k", {{kernel.blocks}, {kernel.threads}}, Arguments(out.address()));
      return gpu.total();
    };
    const KernelStats pdom = total("pdom", {}), its = total("its", {"joins=ipdom", "yield=none"});
    EXPECT_EQ(its.thread_instructions, pdom.thread_instructions) << seed;
    EXPECT_LE(its.issue_slots, pdom.issue_slots) << seed;
  }
}

}  // namespace
}  // namespace heddle::scripted::its_test

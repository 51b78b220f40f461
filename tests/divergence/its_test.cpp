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

// Shuffles that name all lanes, where half of them (the upper, unless it says otherwise) have gone another way. The
// words are those that an H200 was seen to write.
const char* const kShuffles = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry loop(.param .u64 words)
{
  .reg .u64 %rd<4>;
  .reg .u32 %r<8>;
  .reg .pred %p<4>;
  ld.param.u64 %rd1, [words];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  setp.lt.u32 %p1, %r1, 16;
  selp.u32 %r2, 3, 1, %p1;
  mov.u32 %r3, 0;
AGAIN:
  shfl.sync.idx.b32 %r4, %r3, 15, 0x101f, -1;
  add.u32 %r3, %r4, %r1;
  add.u32 %r3, %r3, 1;
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra AGAIN;
  shfl.sync.idx.b32 %r4, %r3, 15, 0x101f, -1;
  st.global.u32 [%rd1], %r4;
  ret;
}
.visible .entry branch(.param .u64 words)
{
  .reg .u64 %rd<4>;
  .reg .u32 %r<8>;
  .reg .pred %p<4>;
  ld.param.u64 %rd1, [words];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r3, 1;
  setp.ge.u32 %p1, %r1, 16;
  @%p1 bra DONE;
  mul.lo.u32 %r2, %r1, 10;
  shfl.sync.idx.b32 %r3, %r2, 3, 0x101f, -1;
DONE:
  st.global.u32 [%rd1], %r3;
  ret;
}
.visible .entry sides(.param .u64 words)
{
  .reg .u64 %rd<4>;
  .reg .u32 %r<8>;
  .reg .pred %p<4>;
  ld.param.u64 %rd1, [words];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  mul.lo.u32 %r2, %r1, 10;
  xor.b32 %r4, %r1, 16;
  setp.ge.u32 %p1, %r1, 16;
  @%p1 bra UPPER;
  shfl.sync.idx.b32 %r3, %r2, %r4, 31, -1;
  bra.uni DONE;
UPPER:
  add.u32 %r5, %r2, 1;
  shfl.sync.idx.b32 %r3, %r5, %r4, 31, -1;
DONE:
  st.global.u32 [%rd1], %r3;
  ret;
}
)";

std::vector<uint32_t> shuffled(const char* kernel) {
  GpuOptions options;
  options.mechanism = "its";
  Gpu gpu(make_config("default", {}), options);
  gpu.load("shuffles.ptx", kShuffles);
  Buffer<uint32_t> words(gpu, 32, "words");
  gpu.launch(kernel, {{1}, {32}}, Arguments(words.address()));
  return words.download();
}

TEST(Its, ShufflesMeetThoseThatHaveLeftTheLoop) {
  const std::vector<uint32_t> words = shuffled("loop");
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], lane < 16 ? 48U : 32U) << lane;
}

TEST(Its, ShufflesDoNotWaitForThoseThatEnd) {
  const std::vector<uint32_t> words = shuffled("branch");
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], lane < 16 ? 30U : 1U) << lane;
}

TEST(Its, ShufflesOfBothSidesOfABranchSeeEachOther) {
  const std::vector<uint32_t> words = shuffled("sides");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(words[lane], lane < 16 ? lane * 10 + 161 : (lane - 16) * 10) << lane;
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

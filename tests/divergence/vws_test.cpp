// vws: worked out by hand on small graphs; what it owes pdom, and what it does on a machine with a clock.
#include "divergence/mechanisms/vws.h"

#include <gtest/gtest.h>

#include "divergence/graphs.h"
#include "support/amount.h"
#include "support/random_kernel.h"
#include "support/random_program.h"

namespace heddle::scripted::vws_test {
namespace {

TEST(Vws, SlicesThatAreThroughGoOnAlone) {
  EXPECT_EQ(clocked_run(kIfElse, "vws", {"slice=2"}, "rr").slots, "A1111 C-111x3 B1--- D--11 B1--- D11--");
}

TEST(Vws, GangsThatComeToTheSamePlaceUnite) {
  const Graph graph{"A>C,B B(2)>D C(2)>D D", "ABD ABD ACD ACD"};
  EXPECT_EQ(clocked_run(graph, "vws", {"slice=2"}, "rr").slots, "A1111 B11-- C--11 B11-- C--11 D1111");
}

TEST(Vws, GangsWithASliceInsideADivergenceDoNotUnite) {
  // {0} comes to D, where {2, 3} are, while 1 waits for it at F. At F all are there.
  const Graph graph{"A>C,B B>D D(2)>F C>F F", "ABDF ACF ABDF ABDF"};
  EXPECT_EQ(clocked_run(graph, "vws", {"slice=2"}, "rr").slots,
            "A1111 C-1-- B--11 B1--- D--11 D1--- D--11 D1--- F1111");
}

TEST(Vws, ASliceAsLargeAsAWarpIsPdom) {
  for (unsigned seed = 0; seed < test::amount(3000, 600, 60); ++seed) {
    const Listing listing(random_listing(seed));
    const auto machine_of = [&](const char* mechanism, std::vector<std::string> set) {
      set.emplace_back("warp_size=4");
      return ScriptedMachine(listing, mechanism, {.threads = 30, .blocks = 2, .set = set}, random_choice);
    };
    ScriptedMachine vws = machine_of("vws", {"slice=4"}), pdom = machine_of("pdom", {});
    vws.run();
    pdom.run();
    EXPECT_EQ(vws.trace(), pdom.trace()) << random_listing(seed);
  }
}

TEST(Vws, LetsEveryThreadGoItsWay) {
  uint64_t united = 0;
  for (unsigned seed = 0; seed < test::amount(1000, 300, 30); ++seed) {
    const Listing listing(random_listing(seed));
    const Shape shape{.threads = 30, .blocks = 2, .set = {"warp_size=8", "slice=2"}};
    ScriptedMachine vws(listing, "vws", shape, random_choice),
        pdom(listing, "pdom", {30, 2, 1, {"warp_size=8"}}, random_choice);
    std::mt19937 random(seed);
    while (!vws.done()) {
      std::vector<WarpId> ready;
      vws.host().ready().for_each([&](WarpId id) { ready.push_back(id); });
      vws.issue(ready[random() % ready.size()]);
    }
    pdom.run();
    EXPECT_EQ(paths_of(vws.slots()), paths_of(pdom.slots())) << random_listing(seed);
    united += vws.mechanism().counters()[1].value;
  }
  EXPECT_GT(united, 20U);
}

TEST(Vws, KeepsAStackPerSlice) {
  const Listing listing(listing_of(kIfElse));
  ScriptedMachine machine(listing, "vws", shape_of({"slice=2"}), choice_of(kIfElse));
  machine.step();
  EXPECT_EQ(
      state_text(machine.mechanism().state(BlockId{0})),
      "  gang 0: [pc 3 rpc 6 mask 2] [next 1 rpc 6 mask 1] [next 6 rpc - mask 3]\n  gang 0: [pc 3 rpc - mask c]\n");
  machine.run();
  EXPECT_EQ(machine.mechanism().cost().bits_per_warp, 2U * (3 * (64 + 2) + 1));
}

// ---- on machines

KernelStats stats_of(const std::string& ptx, const char* mechanism, bool timed, const std::vector<std::string>& set,
                     unsigned threads = 32) {
  GpuOptions options;
  options.mechanism = mechanism;
  options.timed = timed;
  Gpu gpu(make_config("default", set), options);
  gpu.load("k.ptx", ptx);
  Buffer<uint32_t> words(gpu, std::vector<uint32_t>(65536), "words");
  gpu.launch("k", {{1}, {threads}}, Arguments(words.address()));
  return gpu.total();
}

std::string kernel_text(std::string_view body) {
  return fmt::format(R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {{
  .reg .pred %q; .reg .b32 %r<9>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [p];
  mov.u32 %r1, %tid.x;
  {}
  exit;
}})",
                     body);
}

// Half of the slices go one way, half the other, for so many independent instructions.
std::string two_ways(unsigned length) {
  std::string one, other;
  for (unsigned i = 0; i < length; ++i) {
    one += fmt::format("add.u32 %r{}, %r1, 1;\n", 3 + i % 6);
    other += fmt::format("add.u32 %r{}, %r1, 2;\n", 3 + i % 6);
  }
  return kernel_text("and.b32 %r2, %r1, 4; setp.ne.u32 %q, %r2, 0; @%q bra OTHER;\n" + one + "bra END;\nOTHER:\n" +
                     other + "END:");
}

TEST(Vws, GangsOfAWarpGoInOneCycle) {
  const std::vector<std::string> no_fetch = {"icache_bytes=0"};
  const auto cycles = [&](const char* mechanism, const char* set) {
    std::vector<std::string> all = no_fetch;
    if (*set != '\0') all.emplace_back(set);
    return stats_of(two_ways(100), mechanism, true, all).timing->cycles;
  };
  const uint64_t pdom = cycles("pdom", ""), one = cycles("vws", "gangs_per_cycle=1"), two = cycles("vws", "");
  EXPECT_NEAR(static_cast<double>(one), static_cast<double>(pdom), 10);
  EXPECT_LT(two + 90, one);
  const KernelStats emulated = stats_of(two_ways(100), "vws", false, {});
  EXPECT_GT(emulated.slots_beside, 99U);
}

TEST(Vws, GangsOfDifferentWarpsShareACycleWhereTheirSlicesAreFree) {
  // The upper half of the first warp is left, of the second the lower, or the upper as well.
  const auto cycles = [](unsigned second, const char* set) {
    std::string body =
        fmt::format("setp.lt.u32 %q, %r1, 16; @%q exit; setp.ge.u32 %q, %r1, {}; @%q exit;\n", second + 16);
    body += fmt::format("setp.lt.u32 %q, %r1, {}; and.b32 %r2, %r1, 32; setp.ne.and.u32 %q, %r2, 0, %q; @%q exit;\n",
                        second);
    for (unsigned i = 0; i < 200; ++i) body += fmt::format("add.u32 %r{}, %r1, 1;\n", 3 + i % 6);
    return stats_of(kernel_text(body), "vws", true, {"icache_bytes=0", set}, 64).timing->cycles;
  };
  EXPECT_LT(cycles(32, "other_warps=true") + 190, cycles(32, "other_warps=false"));
  EXPECT_EQ(cycles(48, "other_warps=true"), cycles(48, "other_warps=false"));
}

TEST(Vws, SlicesWhoseLoadsHaveComeGoOnIfToldSo) {
  // Every slice loads a line of its own, and computes with it.
  std::string body =
      "and.b32 %r2, %r1, 28; mul.wide.u32 %d2, %r2, 256; add.u64 %d2, %d1, %d2; ld.global.u32 %r3, [%d2];\n";
  for (unsigned i = 0; i < 50; ++i) body += "add.u32 %r3, %r3, 1;\n";
  const auto made = [&](const char* set) {
    const KernelStats stats = stats_of(kernel_text(body), "vws", true, {set});
    EXPECT_EQ(stats.counters[0].name, "gangs_made");
    return stats.counters[0].value;
  };
  EXPECT_EQ(made("part_at_loads=false"), 0U);
  EXPECT_GT(made("part_at_loads=true"), 0U);
}

TEST(Vws, ExecutesWhatPdomExecutes) {
  for (uint64_t seed = 1; seed <= test::amount(1000, 100, 20); ++seed) {
    const test::RandomKernel kernel = test::random_kernel(seed);
    const auto result = [&](const char* mechanism, bool timed) {
      const std::string set[] = {fmt::format("warp_size={}", kernel.warp_size)};
      GpuOptions options;
      options.mechanism = mechanism;
      options.timed = timed;
      Gpu gpu(make_config("default", set), options);
      gpu.load("random.ptx", kernel.ptx());
      Buffer<uint32_t> out(gpu, size_t{kernel.blocks} * kernel.threads * test::RandomKernel::kWords, "out");
      gpu.launch("k", {{kernel.blocks}, {kernel.threads}}, Arguments(out.address()));
      return std::pair(gpu.total().thread_instructions, out.download());
    };
    const auto pdom = result("pdom", false);
    EXPECT_EQ(result("vws", false), pdom) << seed;
    EXPECT_EQ(result("vws", true), pdom) << seed;
  }
}

}  // namespace
}  // namespace heddle::scripted::vws_test

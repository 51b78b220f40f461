// Latency and throughput of instructions that touch no memory: what the presets say, to the cycle.
#include "core/micro.h"
#include "gpu/block_pace.h"

namespace heddle::test {
namespace {

struct Instruction {
  std::string unit;  // front of its keys
  std::string text;  // depends on itself
};
const Instruction kInstructions[] = {
    {"int", "add.u32 %r1, %r1, 1;\n"},           {"int", "xor.b32 %r1, %r1, 5;\n"},
    {"f32", "fma.rn.f32 %f1, %f1, %f1, %f1;\n"}, {"f64", "add.f64 %fd1, %fd1, %fd1;\n"},
    {"sfu", "ex2.approx.f32 %f1, %f1;\n"},       {"sfu", "rcp.approx.f32 %f1, %f1;\n"},
};

uint64_t interval_of(const Config& config, const std::string& unit) {
  const auto own = static_cast<uint64_t>(config.integer(unit + "_interval"));
  const int64_t lanes = config.integer("simd_width");
  return own > 0 ? own : static_cast<uint64_t>(lanes > 0 ? config.integer("warp_size") / lanes : 1);
}

// Instruction caches would be part of the measure.
Micro micro_of(const std::string& preset) { return {preset, {"icache_bytes=0"}}; }

TEST(ArithmeticTiming, a_dependent_instruction_waits_for_exactly_the_latency_of_its_unit) {
  for (const char* preset : {"tbc-hpca11", "capri-isca12", "large-warp-2010", "default", "tiny", "teaching"})
    for (const Instruction& instruction : kInstructions) {
      const Config config = make_config(preset, {});
      EXPECT_EQ(cycles_each(micro_of(preset), "", instruction.text, {1}),
                static_cast<double>(config.integer(instruction.unit + "_latency")))
          << preset << ": " << instruction.text;
    }
}

TEST(ArithmeticTiming, many_warps_issue_as_fast_as_the_unit_takes_them) {
  for (const char* preset : {"tbc-hpca11", "capri-isca12", "large-warp-2010", "default"})
    for (const Instruction& instruction : kInstructions) {
      const Config config = make_config(preset, {});
      const unsigned warps = 32;
      const auto latency = static_cast<uint64_t>(config.integer(instruction.unit + "_latency"));
      const uint64_t per_round = std::max(warps * interval_of(config, instruction.unit), latency);
      EXPECT_EQ(cycles_each(micro_of(preset), "", instruction.text, {warps * 32}), static_cast<double>(per_round))
          << preset << ": " << instruction.text;
    }
}

TEST(ArithmeticTiming, two_warps_of_a_slow_unit_overlap_as_far_as_its_interval_allows) {
  const Micro slow{"tbc-hpca11", {"sfu_latency=36", "sfu_interval=16"}};
  // Two warps: both fit into one latency; three need three intervals, which are longer.
  EXPECT_EQ(cycles_each(slow, "", "ex2.approx.f32 %f1, %f1;\n", {64}), 36.0);
  EXPECT_EQ(cycles_each(slow, "", "ex2.approx.f32 %f1, %f1;\n", {96}), 3.0 * 16);
}

TEST(ArithmeticTiming, independent_instructions_of_a_warp_overlap_only_with_a_register_scoreboard) {
  const std::string pair = "add.u32 %r1, %r1, 1;\nadd.u32 %r2, %r2, 1;\nadd.u32 %r3, %r3, 1;\nadd.u32 %r4, %r4, 1;\n";
  const Micro by_warp{"default", {"scoreboard=warp", "int_latency=10"}};
  const Micro by_register{"default", {"scoreboard=register", "int_latency=10"}};
  EXPECT_EQ(cycles_each(by_warp, "", pair), 40);
  EXPECT_EQ(cycles_each(by_register, "", pair), 10);
}

TEST(ArithmeticTiming, the_breakdown_says_which_cycles_issued_and_which_had_nothing_to_issue) {
  TimedGpu gpu;
  gpu.load_body(repeat("add.u32 %r1, %r1, 1;\n", 100));
  const KernelStats stats = gpu.run({1}, {7});
  const CoreStats core = stats.timing->cores[0];
  EXPECT_EQ(core.issue_cycles[7], 4 * stats.issue_slots);
  EXPECT_EQ(core.stall, 0U);
  EXPECT_EQ(core.w0_mem, 0U);
  EXPECT_EQ(core.w0_idle, stats.timing->cycles - 4 * stats.issue_slots);
  EXPECT_EQ(stats.timing->cores[29].w0_idle, stats.timing->cycles) << "a core without a block";
  EXPECT_EQ(stats.timing->cores[29].empty, stats.timing->cycles);
  EXPECT_EQ(core.empty, 1U) << "the block leaves at the beginning of the last cycle";
}

TEST(ArithmeticTiming, a_core_is_empty_from_the_end_of_its_last_block) {
  TimedGpu gpu({"tiny"});
  gpu.load_body("mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra END;\n" +
                repeat("add.u32 %r1, %r1, 1;\n", 100) + "END:\n");
  const uint64_t short_one = gpu.run({1}, {4}).timing->cycles;
  const TimingStats both = *gpu.run({2}, {4}).timing;
  EXPECT_EQ(both.cores[0].empty, both.cycles - short_one + 1);
  EXPECT_EQ(both.cores[1].empty, 1U) << "the block leaves at the beginning of the last cycle";
}

TEST(ArithmeticTiming, a_busy_unit_is_a_stall) {
  TimedGpu gpu({"tbc-hpca11", {"sfu_interval=16"}});
  gpu.load_body(repeat("ex2.approx.f32 %f1, %f1;\n", 100));
  const CoreStats core = gpu.run({1}, {1024}).timing->cores[0];
  // Of 16 cycles per instruction 4 issue, 12 wait for the unit.
  EXPECT_NEAR(static_cast<double>(core.stall) / static_cast<double>(core.cycles()), 0.75, 0.01);
}

TEST(BarrierTiming, a_barrier_costs_a_warp_no_more_than_an_instruction) {
  EXPECT_EQ(cycles_each({}, "", "bar.sync 0;\n", {32}),
            static_cast<double>(make_config("tbc-hpca11", {}).integer("int_latency")));
}

TEST(BarrierTiming, the_last_to_come_releases_all) {
  // Eight warps arrive one after another, 4 cycles apart; all go on when the last has.
  const double latency = static_cast<double>(make_config("tbc-hpca11", {}).integer("int_latency"));
  EXPECT_EQ(cycles_each({}, "", "bar.sync 0;\n", {256}), latency + 7 * 4);
}

TEST(LaunchTiming, the_overhead_of_a_launch_is_added_once) {
  const uint64_t without = cycles_of({}, "", "add.u32 %r1, %r1, 1;\n", 10);
  const uint64_t with = cycles_of({"tbc-hpca11", {"launch_overhead=1000"}}, "", "add.u32 %r1, %r1, 1;\n", 10);
  EXPECT_EQ(with, without + 1000);
}

TEST(LaunchTiming, blocks_beyond_occupancy_wait_for_a_place) {
  // Eight blocks fit a core at once; the ninth starts when one has gone.
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  const Micro one_core{"tbc-hpca11", {"cores=1"}};
  const uint64_t eight = cycles_of(one_core, "", add, 1000, {32}, {8});
  const uint64_t nine = cycles_of(one_core, "", add, 1000, {32}, {9});
  const uint64_t one = cycles_of(one_core, "", add, 1000, {32}, {1});
  EXPECT_NEAR(static_cast<double>(nine), static_cast<double>(eight + one), 64);
}

TEST(LaunchTiming, a_core_holds_as_many_blocks_as_it_is_told) {
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  const auto cycles = [&](const std::string& setting, uint32_t blocks) {
    return cycles_of({"tbc-hpca11", {"cores=1", setting}}, "", add, 1000, {32}, {blocks});
  };
  const uint64_t one = cycles("blocks_per_core=1", 1);
  EXPECT_NEAR(static_cast<double>(cycles("blocks_per_core=1", 3)), static_cast<double>(3 * one), 64);
  EXPECT_NEAR(static_cast<double>(cycles("blocks_per_core=k:3", 3)), static_cast<double>(one), 64);
}

TEST(LaunchTiming, a_core_is_given_one_block_per_interval) {
  // Each block has ended when the next comes, unless all come at once.
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  const Micro apart{"tbc-hpca11", {"cores=1", "block_interval=30000"}};
  EXPECT_EQ(cycles_of(apart, "", add, 1000, {32}, {8}), cycles_of(apart, "", add, 1000, {32}, {1}) + 7 * 30000);
  const Micro together{"tbc-hpca11", {"cores=1", "block_interval=0"}};
  EXPECT_LT(cycles_of(together, "", add, 1000, {32}, {8}), 2 * cycles_of(together, "", add, 1000, {32}, {1}));
}

TEST(LaunchTiming, the_gpu_hands_out_a_block_in_each_cycle_of_a_clock) {
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  const Micro apart{"tbc-hpca11", {"block_clock=13", "block_interval=0"}};  // of 1300 MHz: 100 cycles
  const uint64_t one = cycles_of(apart, "", add, 1000, {32}, {1});
  EXPECT_EQ(cycles_of({}, "", add, 1000, {32}, {30}), one);
  EXPECT_EQ(cycles_of(apart, "", add, 1000, {32}, {30}), one + 29 * 100);
  // A core holds eight, and each has ended long before all others have got their next.
  const Micro far{"tbc-hpca11", {"core_clock=30000", "block_clock=1", "block_interval=0"}};
  EXPECT_EQ(cycles_of(far, "", add, 1000, {32}, {300}), cycles_of(far, "", add, 1000, {32}, {1}) + 299 * 30000);
}

TEST(LaunchTiming, blocks_that_have_ended_are_put_away_one_in_each_cycle_of_a_clock) {
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  const auto cycles = [&](const std::string& setting, unsigned adds, uint32_t blocks) {
    const Micro fast{"tbc-hpca11", {"cores=4", "blocks_per_core=8", "block_interval=0", "block_clock=100000", setting}};
    return cycles_of(fast, "", add, adds, {32}, {blocks});
  };
  const std::string slowly = "block_end_clock=13";  // of 1300 MHz: 100 cycles
  const uint64_t free = cycles("block_end_clock=0", 10, 32), one = cycles(slowly, 10, 1);
  EXPECT_LT(free, one + 10 * 100);
  // They all fit, and end at about the same time; the last of them, 31 cycles of that clock behind the first.
  EXPECT_NEAR(static_cast<double>(cycles(slowly, 10, 32)), static_cast<double>(one + 31 * 100), 200);
  // Those that do not fit wait for places, of which one is free then.
  EXPECT_NEAR(static_cast<double>(cycles(slowly, 10, 96)), static_cast<double>(one + 95 * 100), 200);
}

TEST(LaunchTiming, a_block_keeps_its_place_until_what_it_has_stored_has_arrived) {
  const auto cycles = [&](const std::string& text, const std::string& setting, uint32_t blocks) {
    return cycles_of({"tbc-hpca11", {"cores=1", "blocks_per_core=1", setting}}, "", text, 1, {32}, {blocks});
  };
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  EXPECT_EQ(cycles(add, "store_latency=100000", 3), cycles(add, "store_latency=0", 3));
  const std::string store = ".local .b32 mine;\nst.local.u32 [mine], %r1;\n";
  const uint64_t longer = cycles(store, "store_latency=20000", 3), apart = cycles(store, "store_latency=10000", 3);
  EXPECT_EQ(longer - apart, 3 * 10000);  // one after the other
  const std::string guarded =
      ".reg .pred %never;\nsetp.ne.u32 %never, %r1, %r1;\n.local .b32 mine;\n@%never st.local.u32 [mine], %r1;\n";
  EXPECT_EQ(cycles(guarded, "store_latency=100000", 3), cycles(guarded, "store_latency=0", 3));
  const std::string shared = ".shared .b32 ours;\nst.shared.u32 [ours], %r1;\n";
  EXPECT_EQ(cycles(shared, "store_latency=100000", 3), cycles(shared, "store_latency=0", 3));
}

TEST(BlockPace, goes_by_its_own_clock_to_a_part_of_a_cycle) {
  BlockPace pace(1500, 2000);  // four blocks in three cycles: at 10, 10.75, 11.5, 12.25, 13
  pace.begin(CoreCycle(10));
  const auto taken = [&](uint64_t cycle) {
    unsigned count = 0;
    while (pace.take(CoreCycle(cycle))) ++count;
    return count;
  };
  EXPECT_EQ(taken(9), 0);
  EXPECT_EQ(taken(10), 1);
  EXPECT_EQ(pace.next(), CoreCycle(11));
  EXPECT_EQ(taken(11), 1);
  EXPECT_EQ(taken(12), 1);
  EXPECT_EQ(taken(13), 2);
  // What was not used is not made up for, but for the part of a cycle: 99.25 is the earliest that is behind 99.
  EXPECT_EQ(pace.next(), CoreCycle(14));
  EXPECT_EQ(taken(100), 2);
}

TEST(LaunchTiming, a_block_is_on_its_way_for_a_while) {
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  const auto cycles = [&](const std::string& setting, uint32_t blocks) {
    return cycles_of({"tbc-hpca11", {"cores=1", "blocks_per_core=1", setting}}, "", add, 100, {32}, {blocks});
  };
  EXPECT_EQ(cycles("block_latency=1000", 1), cycles("block_latency=0", 1) + 1000);
  EXPECT_EQ(cycles("block_latency=1000", 3), cycles("block_latency=0", 3) + 3 * 1000);  // one after the other
}

TEST(LaunchTiming, warps_of_a_block_start_one_after_another) {
  // Each of them has ended when the next one starts; so has the first block when the second one's do.
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  const auto cycles = [&](uint32_t threads, uint32_t blocks) {
    return cycles_of({"tbc-hpca11", {"cores=1", "warp_interval=1000"}}, "", add, 10, {threads}, {blocks});
  };
  EXPECT_EQ(cycles(256, 1), cycles(32, 1) + 7 * 1000);
  EXPECT_EQ(cycles(128, 2), cycles(32, 1) + 7 * 1000);
}

TEST(LaunchTiming, what_comes_behind_the_last_block_is_added_once) {
  const uint64_t without = cycles_of({}, "", "add.u32 %r1, %r1, 1;\n", 10);
  const Micro drained{"tbc-hpca11", {"launch_drain=500"}};
  EXPECT_EQ(cycles_of(drained, "", "add.u32 %r1, %r1, 1;\n", 10), without + 500);
}

TEST(LaunchTiming, the_end_takes_longer_where_memory_was_touched) {
  const auto longer = [](const std::string& text) {
    const Micro flushed{"tbc-hpca11", {"launch_flush=300"}};
    const std::string own = ".local .b32 own;\n";
    return cycles_of(flushed, own, text, 10) - cycles_of({}, own, text, 10);
  };
  EXPECT_EQ(longer("add.u32 %r1, %r1, 1;\n"), 0u);
  EXPECT_EQ(longer("st.local.u32 [own], %r1;\n"), 300u);
}

TEST(LaunchTiming, the_first_blocks_of_a_core_wait_for_parameters) {
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  const auto cycles = [&](const std::string& setting, uint32_t blocks) {
    return cycles_of({"tbc-hpca11", {"cores=1", "blocks_per_core=1", setting}}, "", add, 100, {32}, {blocks});
  };
  EXPECT_EQ(cycles("parameter_latency=700", 1), cycles("parameter_latency=0", 1) + 700);
  EXPECT_EQ(cycles("parameter_latency=700", 3), cycles("parameter_latency=0", 3) + 700);
}

TEST(LaunchTiming, all_cores_are_given_a_block_at_once) {
  const std::string add = "add.u32 %r1, %r1, 1;\n";
  const Micro apart{"tbc-hpca11", {"block_interval=30000"}};
  EXPECT_EQ(cycles_of(apart, "", add, 1000, {32}, {30}), cycles_of(apart, "", add, 1000, {32}, {1}));
  EXPECT_EQ(cycles_of(apart, "", add, 1000, {32}, {31}), cycles_of(apart, "", add, 1000, {32}, {1}) + 30000);
}

}  // namespace
}  // namespace heddle::test

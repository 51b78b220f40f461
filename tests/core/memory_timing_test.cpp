// Loads and stores: latencies are sums of keys, lines and passes are counted, bandwidth is reached and not exceeded.
#include "core/micro.h"

namespace heddle::test {
namespace {

uint64_t flits(const TimedGpu& gpu, uint64_t bytes) {
  return (bytes + gpu.key("network_bytes") - 1) / gpu.key("network_bytes");
}

uint64_t there(const TimedGpu& gpu) { return gpu.key("network_latency") + flits(gpu, gpu.key("packet_header")); }
uint64_t back(const TimedGpu& gpu) {
  return gpu.key("network_latency") + flits(gpu, gpu.key("reply_header") + gpu.key("l1_line"));
}

// Network cycles from a core's request for a line to its reply, when the L2 has it.
uint64_t l2_round_trip(const TimedGpu& gpu) {
  return there(gpu) + 1 + gpu.key("l2_latency") + back(gpu);  // looked up in the cycle behind its arrival
}

// Core cycles of a load that misses, beside what its line takes.
uint64_t in_the_core(const TimedGpu& gpu) {
  return gpu.key(gpu.config().boolean("reply_slots") ? "memory_stage" : "memory_latency");
}

// A chain of pointers through `lines` lines, `stride` bytes apart, that ends where it began.
Address make_chain(TimedGpu& gpu, unsigned lines, unsigned stride) {
  std::vector<uint64_t> words(size_t{lines} * stride / 8);
  const Address base = gpu.allocate(words.size() * 8, "chain");
  for (unsigned i = 0; i < lines; ++i) words[size_t{i} * stride / 8] = base + uint64_t{(i + 1) % lines} * stride;
  gpu.write(base, words.data(), words.size() * 8);
  return base;
}

std::string chase(unsigned loads) { return repeat("ld.global.u64 %rd1, [%rd1];\n", loads); }

// Cycles per load of a chain, caches warm or not as an earlier launch over the whole chain left them.
double chase_time(const Micro& micro, unsigned lines, unsigned stride, unsigned few = 40, unsigned many = 140) {
  TimedGpu gpu(micro);
  const std::string header = ".version 8.0\n.target sm_80\n.address_size 64\n";
  gpu.load("chase.ptx", header + TimedGpu::kernel_text("warm", chase(lines)) +
                            TimedGpu::kernel_text("few", chase(few)) + TimedGpu::kernel_text("many", chase(many)));
  const Address chain = make_chain(gpu, lines, stride);
  gpu.run({1}, {1}, chain, "warm");
  const uint64_t of_few = gpu.run({1}, {1}, chain, "few").timing->cycles;
  const uint64_t of_many = gpu.run({1}, {1}, chain, "many").timing->cycles;
  return static_cast<double>(of_many - of_few) / (many - few);
}

TEST(LoadTiming, a_chase_that_hits_the_l1_takes_the_latency_of_the_memory_pipeline) {
  for (const char* preset : {"tbc-hpca11", "capri-isca12", "default", "tiny", "teaching", "large-warp-2010"}) {
    const Micro micro{preset, {"icache_bytes=0"}};
    EXPECT_EQ(chase_time(micro, 1, 128), static_cast<double>(TimedGpu(micro).key("memory_latency"))) << preset;
  }
}

TEST(LoadTiming, a_slower_l1_adds_its_cycles) {
  const Micro one_clock{"tbc-hpca11", {"l1_latency=6", "network_clock=1300", "memory_clock=1300"}};
  EXPECT_EQ(chase_time(one_clock, 1, 64), 20 + 5);
}

TEST(LoadTiming, a_chase_through_the_l2_takes_the_round_trip_over_the_network) {
  // Twice as many lines as the L1 holds, gone through in order: it never has the next one.
  const Micro small{"tiny"};
  const TimedGpu tiny(small);
  EXPECT_EQ(chase_time(small, 32, 64), static_cast<double>(tiny.key("memory_latency") + l2_round_trip(tiny)));
  const Micro paper{};
  const TimedGpu tbc(paper);  // a network cycle is two of the core
  EXPECT_EQ(chase_time(paper, 1024, 64, 200, 600), static_cast<double>(in_the_core(tbc) + 2 * l2_round_trip(tbc)));
}

// Without an L2 every miss of the L1 goes to DRAM. One channel; rows of 1 kB in 4 banks.
Micro bare_dram() { return {"tiny", {"l2_bytes=0", "l1_bytes=0"}}; }

uint64_t dram_round_trip(const TimedGpu& gpu) {
  const uint64_t column = gpu.key("dram_tcl") + gpu.key("l1_line") / gpu.key("dram_bytes_per_cycle");
  return there(gpu) + 1 + 1 + column + back(gpu);  // the slice, then DRAM, each in the cycle behind
}

TEST(LoadTiming, a_chase_inside_an_open_row_pays_the_column_access_only) {
  const TimedGpu gpu(bare_dram());
  EXPECT_EQ(chase_time(bare_dram(), 8, 64), static_cast<double>(gpu.key("memory_latency") + dram_round_trip(gpu)));
}

TEST(LoadTiming, a_row_conflict_adds_precharge_and_activate) {
  const TimedGpu gpu(bare_dram());
  const unsigned same_bank = static_cast<unsigned>(gpu.key("dram_row_bytes") * gpu.key("dram_banks"));
  const uint64_t opening = gpu.key("dram_trp") + gpu.key("dram_trcd");
  EXPECT_EQ(chase_time(bare_dram(), 8, same_bank),
            static_cast<double>(gpu.key("memory_latency") + dram_round_trip(gpu) + opening));
}

TEST(LoadTiming, the_large_warp_machine_has_row_hits_of_100_and_conflicts_of_300_cycles) {
  const Micro micro{"large-warp-2010", {"icache_bytes=0", "l1_bytes=0"}};
  const double pipeline = 7, crossing = 2;  // to the channel, and to its DRAM, in the cycle behind
  EXPECT_EQ(chase_time(micro, 16, 128), pipeline + crossing + 100);
  EXPECT_EQ(chase_time(micro, 8, 8 * 4096), pipeline + crossing + 300);
}

TEST(LoadTiming, a_chase_over_three_clocks_is_right_within_their_periods) {
  const Micro micro{"tbc-hpca11", {"l1_bytes=0", "l2_bytes=0"}};
  const TimedGpu gpu(micro);
  const auto core = static_cast<double>(in_the_core(gpu)),
             network = static_cast<double>(2 * (there(gpu) + 1 + back(gpu)));
  const double dram = static_cast<double>(gpu.key("dram_tcl") + 64 / gpu.key("dram_bytes_per_cycle")) * 13 / 8;
  const double time = chase_time(micro, 4, 64);
  EXPECT_GE(time, core + network + dram);
  EXPECT_LE(time, core + network + dram + 2 * 13.0 / 8 + 2 + 2);
}

TEST(LoadTiming, the_core_of_the_papers_is_the_same_written_as_8_lanes_or_as_32) {
  // A hit of the L2, in nanoseconds: four stages, 16 network cycles.
  const Micro wide{"capri-isca12"}, narrow{"tbc-hpca11"};
  EXPECT_EQ(chase_time(wide, 1024, 64, 200, 600), 4 + 16 / 2);
  EXPECT_EQ(chase_time(narrow, 1024, 64, 200, 600), 4 * (4 + 16 / 2));
}

TEST(ReplySlots, an_idle_pipeline_does_not_feel_them) {
  const auto time = [](const std::string& slots) { return chase_time({"tiny", {slots}}, 32, 64); };
  const TimedGpu tiny({"tiny"});
  EXPECT_EQ(time("reply_slots=false") - time("reply_slots=true"),
            static_cast<double>(tiny.key("memory_latency") - tiny.key("memory_stage")))
      << "the end of a load is the slot itself";
}

// ---- lines

CoreStats strided(unsigned stride, std::string_view op, const Micro& micro = plain_l1()) {
  TimedGpu gpu(micro);
  gpu.load_body("mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, " + std::to_string(stride) +
                "; add.u64 %rd1, %rd1, %rd2;\n" + std::string(op));
  const Address buffer = gpu.allocate(64 * 1024, "buffer");
  return gpu.run({1}, {32}, buffer).timing->cores[0];
}

TEST(Coalescing, a_strided_access_touches_as_many_lines_as_it_spans) {
  const std::pair<unsigned, uint64_t> expected[] = {{0, 1},   {1, 1},   {4, 2},    {8, 4},   {16, 8},
                                                    {32, 16}, {64, 32}, {128, 32}, {512, 32}};
  for (const auto& [stride, lines] : expected) {
    const std::string type = stride % 4 == 0 ? "u32" : "u8";
    const CoreStats load = strided(stride, "ld.global." + type + " %r2, [%rd1];\n");
    EXPECT_EQ(load.lines, lines) << "load, stride " << stride;
    EXPECT_EQ(load.l1.reads, lines);
    EXPECT_EQ(load.l1.fills, lines);
    const CoreStats store = strided(stride, "st.global." + type + " [%rd1], %r1;\n");
    EXPECT_EQ(store.l1.writes, lines) << "store, stride " << stride;
  }
}

TEST(StorePass, a_store_of_several_words_of_a_thread_takes_as_many_passes) {
  const auto each = [](const std::string& op, const std::string& pass) {
    const Micro micro{"tbc-hpca11", {"cores=1", pass}};
    return strided(0, repeat(op, 200), micro).cycles();
  };
  const std::string one = "st.global.u32 [%rd1], %r1;\n", four = "st.global.v4.u32 [%rd1], {%r1, %r1, %r1, %r1};\n";
  EXPECT_EQ(each(one, "store_pass=1"), each(one, "store_pass=0"));
  const uint64_t longer = each(four, "store_pass=64"), apart = each(four, "store_pass=32");
  EXPECT_NEAR(static_cast<double>(longer - apart), 200 * 4 * 32, 4 * 32);
}

TEST(Coalescing, half_a_warp_by_itself_touches_its_own_lines) {
  const Micro halves{"tbc-hpca11", {"coalesce_lanes=16"}};
  const std::string load = "ld.global.u32 %r2, [%rd1];\n";
  EXPECT_EQ(strided(0, load, halves).lines, 2U) << "the line of all, once for each half";
  EXPECT_EQ(strided(0, load, halves).l1.fills, 1U);
  EXPECT_EQ(strided(4, load, halves).lines, 2U) << "64 bytes of each half are a line";
  EXPECT_EQ(strided(8, load, halves).lines, 4U);
}

TEST(Coalescing, lines_beyond_those_of_an_issue_interval_stall_the_memory_stage) {
  // 32 lines in a stage that a warp instruction holds for 4 cycles anyway.
  const CoreStats core = strided(64, "ld.global.u32 %r2, [%rd1];\n");
  EXPECT_EQ(core.memory_stalls[static_cast<size_t>(MemoryStall::Lines)] +
                core.memory_stalls[static_cast<size_t>(MemoryStall::Network)],
            core.memory_stall_cycles());
  EXPECT_GE(core.memory_stall_cycles(), 28U);
  EXPECT_EQ(strided(8, "ld.global.u32 %r2, [%rd1];\n").memory_stall_cycles(), 0U) << "4 lines fit";
}

TEST(Coalescing, a_line_of_many_threads_is_fetched_once_and_waited_for_by_all) {
  TimedGpu gpu(plain_l1());
  gpu.load_body("ld.global.u32 %r2, [%rd1];\n");
  const CoreStats core = gpu.run({1}, {512}, gpu.allocate(64, "word")).timing->cores[0];
  EXPECT_EQ(core.l1.reads, 16U);
  EXPECT_EQ(core.l1.fills, 1U);
  EXPECT_EQ(core.l1.merges + core.l1.read_hits, 15U);
  EXPECT_GT(core.l1.merges, 0U);
}

// ---- shared memory

double shared_time(const Micro& micro, unsigned stride) {
  return cycles_each(micro,
                     ".shared .b8 room[16384]; mov.u32 %r1, %tid.x; mul.lo.u32 %r1, %r1, " + std::to_string(stride) +
                         "; mov.u32 %r2, room; add.u32 %r1, %r1, %r2;\n",
                     "ld.shared.u32 %r3, [%r1]; add.u32 %r4, %r3, 0;\n");
}

TEST(SharedMemory, a_conflict_of_degree_n_takes_n_passes) {
  const Micro micro{"capri-isca12", {"shared_banks=32", "shared_ports=1"}};
  const double both = 10;  // load and add, without conflict
  for (unsigned degree = 1; degree <= 32; degree *= 2)
    EXPECT_EQ(shared_time(micro, 4 * degree), both + degree - 1) << "degree " << degree;
  for (unsigned odd : {3U, 5U, 7U, 31U, 33U}) EXPECT_EQ(shared_time(micro, 4 * odd), both) << "odd stride " << odd;
  EXPECT_EQ(shared_time(micro, 0), both) << "one word for all is read once";
}

TEST(SharedMemory, half_a_warp_at_a_time_with_16_banks) {
  // Two halves of `degree` passes, two of which go together and take 4 cycles (or one of 325 MHz), as an instruction
  // does anyway.
  for (unsigned degree = 1; degree <= 16; degree *= 2) {
    EXPECT_EQ(shared_time({}, 4 * degree), 40.0 + 4.0 * (degree - 1)) << "degree " << degree;
    EXPECT_EQ(shared_time({"capri-isca12"}, 4 * degree), 10.0 + (degree - 1)) << "degree " << degree;
  }
}

TEST(SharedMemory, atomics_to_one_word_go_one_after_another) {
  const auto time = [](std::string_view address) {
    return cycles_each({"capri-isca12", {"shared_banks=32", "shared_ports=1"}},
                       ".shared .b8 room[16384]; mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2; mov.u32 %r2, room; add.u32 "
                       "%r1, %r1, %r2;\n",
                       "atom.shared.add.u32 %r3, [" + std::string(address) + "], 1;\n");
  };
  EXPECT_EQ(time("%r1"), 5.0);
  EXPECT_EQ(time("%r2"), 5.0 + 31);
}

// ---- constants

TEST(ConstantMemory, different_addresses_are_served_one_after_another) {
  const auto time = [](const Micro& micro, unsigned stride) {
    TimedGpu few(micro), many(micro);
    const std::string prologue = "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, " + std::to_string(stride) +
                                 "; mov.u64 %rd3, table; add.u64 %rd2, %rd2, %rd3;\n";
    few.declarations = many.declarations = ".const .align 8 .b8 table[4096];\n";
    few.load_body(prologue + repeat("ld.const.u32 %r3, [%rd2];\n", 40));
    many.load_body(prologue + repeat("ld.const.u32 %r3, [%rd2];\n", 140));
    return static_cast<double>(many.run({1}, {32}).timing->cycles - few.run({1}, {32}).timing->cycles) / 100;
  };
  const Micro always_hits{"capri-isca12", {"const_bytes=0"}};
  EXPECT_EQ(time(always_hits, 0), 5.0);
  EXPECT_EQ(time(always_hits, 4), 5.0 + 31);
  const Micro cached{"tbc-hpca11", {"const_joins=address", "const_ports=1", "l1_cycle=1"}};
  EXPECT_EQ(time(cached, 0), 20.0) << "through the constant cache";
  EXPECT_EQ(time(cached, 4), 20.0 + 32 - 1) << "32 look-ups, one per cycle";
  EXPECT_EQ(time({}, 4), 20.0) << "two lines, two ports";
  EXPECT_EQ(time({}, 64), 20.0 + 15 * 4) << "32 lines, two in 4 cycles";
}

// ---- bandwidth

TEST(Bandwidth, streaming_reads_come_near_what_dram_can_do_and_never_exceed_it) {
  TimedGpu gpu;
  const unsigned blocks = 240, threads = 128, rounds = 16;
  gpu.load_body(
      "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 128, %r1; mul.wide.u32 %rd2, %r1, 16; add.u64 "
      "%rd1, %rd1, %rd2;\n" +
      repeat("ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1]; add.u64 %rd1, %rd1, 491520;\n", rounds));
  const size_t bytes = size_t{blocks} * threads * 16 * rounds;
  const KernelStats stats = gpu.run({blocks}, {threads}, gpu.allocate(bytes, "stream"));
  EXPECT_EQ(stats.timing->memory.dram.bytes, bytes) << "every line once";
  EXPECT_LE(stats.timing->dram_utilisation(), 1.0);
  EXPECT_GE(stats.timing->dram_utilisation(), 0.90);
  const double nanoseconds = static_cast<double>(stats.timing->cycles) / 1.3;
  EXPECT_GE(static_cast<double>(bytes) / nanoseconds, 0.90 * 102.4) << "GB/s";
}

TEST(Bandwidth, stores_that_miss_are_sent_below_and_their_traffic_is_counted) {
  TimedGpu gpu;
  gpu.load_body(
      "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1;\n");
  const KernelStats stats = gpu.run({1}, {256}, gpu.allocate(1024, "out"));
  const MemoryStats& memory = stats.timing->memory;
  EXPECT_EQ(memory.network.request_packets, 16U);
  EXPECT_EQ(memory.network.request_bytes, 16U * (64 + 8));
  EXPECT_EQ(memory.network.reply_packets, 0U);
  EXPECT_EQ(memory.l2.writes, 16U);
  EXPECT_EQ(memory.dram.reads, 0U) << "whole lines are not fetched to be written";
}

TEST(LocalMemory, neighbours_touch_neighbouring_words_and_lines_are_written_back_only_when_they_must_go) {
  TimedGpu gpu({"tbc-hpca11", {"l1_writes=through"}});
  gpu.load_body(
      ".local .align 4 .b8 own[16]; mov.u32 %r1, %tid.x; st.local.u32 [own], %r1; ld.local.u32 %r2, [own];\n");
  const KernelStats stats = gpu.run({1}, {32});
  const CoreStats core = stats.timing->cores[0];
  EXPECT_EQ(core.lines, 4U) << "two lines stored, two loaded";
  EXPECT_EQ(core.l1.unfetched, 2U) << "whole lines are not fetched";
  EXPECT_EQ(core.l1.read_hits, 2U);
  EXPECT_EQ(stats.timing->memory.network.request_packets, 0U);
}

TEST(LocalMemory, on_chip_private_memory_costs_no_line) {
  TimedGpu gpu({"large-warp-2010"});
  gpu.load_body(
      ".local .align 4 .b8 own[16]; mov.u32 %r1, %tid.x; st.local.u32 [own], %r1; ld.local.u32 %r2, [own];\n");
  EXPECT_EQ(gpu.run({1}, {32}).timing->cores[0].lines, 0U);
}

TEST(TextureCache, serves_loads_marked_nc_and_no_others) {
  for (const bool marked : {true, false}) {
    TimedGpu gpu;
    gpu.load_body(repeat(marked ? "ld.global.nc.u32 %r2, [%rd1];\n" : "ld.global.u32 %r2, [%rd1];\n", 5));
    const CoreStats core = gpu.run({1}, {32}, gpu.allocate(64, "word")).timing->cores[0];
    EXPECT_EQ(core.texture.reads, marked ? 10U : 0U) << "of each half of the warp";
    EXPECT_EQ(core.l1.reads, marked ? 0U : 10U);
    EXPECT_EQ((marked ? core.texture : core.l1).fills, 1U);
  }
}

TEST(TextureCache, is_the_l1_where_a_machine_has_none) {
  TimedGpu gpu({"default"});
  gpu.load_body("ld.global.nc.u32 %r2, [%rd1];\n");
  EXPECT_EQ(gpu.run({1}, {32}, gpu.allocate(64, "word")).timing->cores[0].l1.reads, 1U);
}

TEST(RegisterScoreboard, a_warp_runs_ahead_of_its_load_until_someone_needs_it) {
  const auto time = [](const std::string& use) {
    TimedGpu gpu({"default", {"int_latency=4"}});
    gpu.load_body("ld.global.u32 %r2, [%rd1];\n" + repeat("add.u32 %r3, %r3, 1;\n", 10) + use);
    return gpu.run({1}, {32}, gpu.allocate(64, "word")).timing->cores[0];
  };
  // Without a use nothing waits for the load but the end of the kernel.
  EXPECT_EQ(time("").w0_mem + time("").w0_idle, time("").idle());
  const CoreStats unused = time(""), used = time("add.u32 %r4, %r2, 1;\n");
  EXPECT_GT(used.cycles(), unused.cycles()) << "the add waits for the line";
  const CoreStats by_warp = [] {
    TimedGpu gpu({"default", {"int_latency=4", "scoreboard=warp"}});
    gpu.load_body("ld.global.u32 %r2, [%rd1];\n" + repeat("add.u32 %r3, %r3, 1;\n", 10));
    return gpu.run({1}, {32}, gpu.allocate(64, "word")).timing->cores[0];
  }();
  EXPECT_EQ(by_warp.cycles() - unused.cycles(), 10U * 4U + 4U) << "ten adds and the exit, behind the load";
}

TEST(InstructionCache, a_loop_that_fits_misses_each_line_once) {
  TimedGpu gpu({"large-warp-2010"});
  gpu.load_body("mov.u32 %r1, 100;\nAGAIN:\n" + repeat("add.u32 %r2, %r2, 1;\n", 60) +
                "add.u32 %r1, %r1, -1; setp.ne.u32 %p1, %r1, 0; @%p1 bra AGAIN;\n");
  const KernelStats stats = gpu.run({1}, {32});
  const CacheStats fetches = stats.timing->cores[0].instruction;
  const uint64_t code_lines = 5;  // 67 instructions or so of 8 bytes in lines of 128
  EXPECT_EQ(fetches.fills, code_lines);
  EXPECT_EQ(fetches.read_hits, stats.issue_slots);
}

}  // namespace
}  // namespace heddle::test

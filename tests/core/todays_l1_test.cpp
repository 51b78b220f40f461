// What the first level of a GPU of today passes on, sector by sector, as the counters of an H200 have it
// (docs/validation.md, bench/hardware/counters).
#include "core/micro.h"

namespace heddle::test {
namespace {

Micro of_today(std::vector<std::string> set = {}) {
  set.insert(set.end(), {"l1_sector=32", "l2_sector=32", "l1_allocate=fill", "write_packet=sectors"});
  return {"default", std::move(set)};
}

// The statistics of one warp that runs `body` with %rd2 = its own word and %rd3 = its own 32 bytes.
TimingStats todays_timing(const Micro& micro, const std::string& body, Dim3 grid = {1}) {
  TimedGpu gpu(micro);
  gpu.load_body(
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd2, %rd1;\n"
      "mul.wide.u32 %rd3, %r1, 32;\nadd.u64 %rd3, %rd3, %rd1;\n" +
      body);
  return *gpu.run(grid, {32}, gpu.allocate(65536, "data")).timing;
}

TEST(TodaysL1, loads_for_others_pass_it_where_they_are_to) {
  const std::string twice = "ld.global.cg.u32 %r2, [%rd2];\nadd.u32 %r3, %r2, 1;\nld.global.cg.u32 %r4, [%rd2];\n";
  EXPECT_EQ(todays_timing(of_today(), twice).memory.l2.sectors.reads, 4U) << "the second hits";
  EXPECT_EQ(todays_timing(of_today({"l1_past=true"}), twice).memory.l2.sectors.reads, 8U);
  const std::string plain = "ld.global.u32 %r2, [%rd2];\nadd.u32 %r3, %r2, 1;\nld.global.u32 %r4, [%rd2];\n";
  EXPECT_EQ(todays_timing(of_today({"l1_past=true"}), plain).memory.l2.sectors.reads, 4U);
}

TEST(TodaysL1, what_is_written_whole_is_there_where_it_is_to_stay) {
  const std::string read_again = "st.global.u32 [%rd2], %r1;\nbar.sync 0;\nld.global.u32 %r2, [%rd2];\n";
  EXPECT_EQ(todays_timing(of_today(), read_again).memory.l2.sectors.reads, 4U);
  const TimingStats stays = todays_timing(of_today({"l1_write_miss=allocate"}), read_again);
  EXPECT_EQ(stays.memory.l2.sectors.reads, 0U);
  EXPECT_EQ(stays.memory.l2.sectors.writes, 4U) << "and it is sent below";
  EXPECT_EQ(stays.cores[0].l1.sectors.read_hits, 4U);
}

TEST(TodaysL1, a_sector_that_is_written_in_part_is_not_there) {
  const std::string part = "st.global.u32 [%rd3], %r1;\nbar.sync 0;\nld.global.u32 %r2, [%rd3];\n";
  EXPECT_EQ(todays_timing(of_today({"l1_write_miss=allocate"}), part).memory.l2.sectors.reads, 32U);
}

// Each of 32 lanes stores eight words of its own, so that each store is of eight lines.
TEST(TodaysL1, stores_in_a_row_to_the_same_lines_are_one_below) {
  std::string row, apart, slowly;
  for (unsigned word = 0; word < 8; ++word) {
    const std::string store = "st.global.u32 [%rd3+" + std::to_string(4 * word) + "], %r1;\n";
    row += store;
    apart += store + "st.global.u32 [%rd2+8192], %r1;\n";  // another line between
    slowly += store + "sin.approx.f32 %f1, %f1;\nsin.approx.f32 %f1, %f1;\ncvt.rzi.u32.f32 %r1, %f1;\n";
  }
  const auto sectors = [](const std::string& lines, const std::string& wait, const std::string& body) {
    return todays_timing(of_today({"store_lines=" + lines, "store_wait=" + wait}), body).memory.l2.sectors.writes;
  };
  EXPECT_EQ(sectors("0", "20", row), 8 * 32U);
  EXPECT_EQ(sectors("8", "20", row), 32U);
  EXPECT_EQ(sectors("7", "20", row), 8 * 32U) << "each has pushed out the one that comes next";
  EXPECT_EQ(sectors("8", "20", apart), 32 + 8 * 4U) << "what is written whole waits for nothing";
  EXPECT_EQ(sectors("8", "1000", slowly), 32U);
  EXPECT_EQ(sectors("8", "8", slowly), 8 * 32U);
  const TimingStats joined = todays_timing(of_today({"store_lines=8", "store_wait=20"}), row);
  EXPECT_EQ(joined.cores[0].l1.sectors.writes, 8 * 32U) << "the L1 was asked for each";
}

TEST(TodaysL1, what_waits_to_be_sent_is_there_at_once) {
  const std::string read_again = "st.global.u32 [%rd2], %r1;\nld.global.u32 %r2, [%rd2];\n";
  const TimingStats stays =
      todays_timing(of_today({"l1_write_miss=allocate", "store_lines=8", "store_wait=1000"}), read_again);
  EXPECT_EQ(stays.memory.l2.sectors.reads, 0U);
  EXPECT_EQ(stays.memory.l2.sectors.writes, 4U);
}

// Eight warps have one place on the way to the memory stage, and lines for one of them wait.
TEST(TodaysL1, stores_of_a_warp_are_not_parted_where_they_are_to_stay_together) {
  const auto sectors = [](const std::string& runs) {
    TimedGpu gpu(of_today({"store_lines=8", "store_wait=100", "memory_queue=1", "store_runs=" + runs}));
    std::string body = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 32;\nadd.u64 %rd2, %rd2, %rd1;\n";
    for (unsigned word = 0; word < 8; ++word) body += "st.global.u32 [%rd2+" + std::to_string(4 * word) + "], %r1;\n";
    gpu.load_body(body);
    return gpu.run({1}, {256}, gpu.allocate(8192, "data")).timing->memory.l2.sectors.writes;
  };
  EXPECT_EQ(sectors("true"), 8 * 32U);
  EXPECT_GT(sectors("false"), 8 * 8 * 32 / 2U);
}

// Cycles of ten loads more that hit, each of which a warp waits for: each lane's word `stride` bytes from the last
// one's.
uint64_t cycles_of_loads(const std::string& stride, std::vector<std::string> set) {
  set.insert(set.end(), {"l1_read_ports=4", "memory_stage=4"});
  const auto cycles = [&](unsigned loads) {
    TimedGpu gpu(of_today(set));
    const std::string load =
        "ld.global.u32 %r2, [%rd2];\nand.b32 %r2, %r2, 0;\ncvt.u64.u32 %rd3, %r2;\nadd.u64 %rd2, %rd2, %rd3;\n";
    gpu.load_body("mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, " + stride + ";\nadd.u64 %rd2, %rd2, %rd1;\n" +
                  repeat(load, loads));
    return gpu.run({1}, {32}, gpu.allocate(65536, "data")).timing->cycles;
  };
  return cycles(12) - cycles(2);
}

// As l1.load.* and local.load.* of bench/hardware: four lines are found in a cycle, but of a bank one word is read.
TEST(TodaysL1, lanes_on_words_of_one_bank_are_read_one_after_another) {
  const auto more = [](const std::string& stride) {
    return cycles_of_loads(stride, {"l1_banks=32"}) - cycles_of_loads("4", {"l1_banks=32"});
  };
  EXPECT_EQ(more("8"), 10 * (2 - 1));         // two lines, two words of each bank
  EXPECT_EQ(more("128"), 10 * (32 - 1));      // 32 lines, 32 words of one bank
  EXPECT_EQ(more("132"), 10 * (32 / 4 - 1));  // 32 lines, a word of each bank
  EXPECT_EQ(more("0"), 0U);                   // one word for all
  EXPECT_EQ(cycles_of_loads("128", {}) - cycles_of_loads("4", {}), 10 * (32 / 4 - 1)) << "without banks: lines alone";
}

TEST(TodaysL1, stores_to_local_memory_are_sent_below_where_they_are_to) {
  TimedGpu keeps(of_today()), sends(of_today({"local_writes=through"}));
  for (TimedGpu* gpu : {&keeps, &sends}) {
    gpu->load_body(".local .align 4 .b8 own[16];\nmov.u32 %r1, %tid.x;\nst.local.u32 [own], %r1;\n");
    gpu->run({1}, {32});
  }
  EXPECT_EQ(keeps.launches()[0].timing->memory.l2.sectors.writes, 0U);
  EXPECT_EQ(sends.launches()[0].timing->memory.l2.sectors.writes, 4U);
}

TEST(TodaysL1, atomics_on_one_address_that_the_assembler_can_tell_are_one_operation) {
  const std::string uniform = "red.global.add.u32 [%rd1], 1;\n", own = "red.global.add.u32 [%rd2], 1;\n";
  const std::vector<std::string> machine{"code=machine", "atomic_operations=lane"};
  EXPECT_EQ(todays_timing(of_today({"atomic_operations=lane"}), uniform).memory.atomics, 32U);
  EXPECT_EQ(todays_timing(of_today(machine), uniform).memory.atomics, 1U);
  EXPECT_EQ(todays_timing(of_today(machine), own).memory.atomics, 32U);
}

TEST(TodaysL1, barriers_note_one_warp_after_another) {
  const std::vector<std::string> quick{"icache_bytes=0", "barrier_latency=12"};
  std::vector<std::string> noted = quick;
  noted.emplace_back("barrier_interval=2");
  const auto more = [&](unsigned warps) {
    return cycles_each({"default", noted}, "", "bar.sync 0;\n", {warps * 32}) -
           cycles_each({"default", noted}, "", "bar.sync 0;\n", {32});
  };
  EXPECT_EQ(more(8), 2 * 7.0);
  EXPECT_EQ(more(32), 2 * 31.0);
  EXPECT_EQ(cycles_each({"default", noted}, "", "bar.sync 0;\n", {32}) -
                cycles_each({"default", quick}, "", "bar.sync 0;\n", {32}),
            2.0);
}

}  // namespace
}  // namespace heddle::test

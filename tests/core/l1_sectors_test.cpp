// An L1 of sectors, and one whose lines take their ways when they come.
#include "core/micro.h"

namespace heddle::test {
namespace {

// One clock, lines of 128 bytes, DRAM that brings 64.
Micro sectored(std::vector<std::string> more = {}) {
  Micro micro{"default", {"l1_sector=32", "l2_sector=32", "write_packet=sectors"}};
  micro.set.insert(micro.set.end(), more.begin(), more.end());
  return micro;
}

// A kernel of a warp whose lanes stand `stride` bytes apart.
const KernelStats& lanes_apart(TimedGpu& gpu, unsigned stride, std::string_view body, unsigned threads = 32) {
  gpu.load_body("mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, " + std::to_string(stride) +
                "; add.u64 %rd1, %rd1, %rd2;\n" + std::string(body));
  return gpu.run({1}, {threads}, gpu.allocate(1 << 20, "buffer"));
}

TEST(SectoredL1, a_load_asks_for_the_sectors_its_lanes_touch) {
  // Lanes of a warp over lines of four sectors: a request for each line, of as many sectors.
  for (const auto& [stride, lines, sectors] :
       {std::tuple{0u, 1u, 1u}, {4u, 1u, 4u}, {8u, 2u, 8u}, {32u, 8u, 32u}, {64u, 16u, 32u}, {128u, 32u, 32u}}) {
    TimedGpu gpu(sectored());
    const TimingStats& timing = *lanes_apart(gpu, stride, "ld.global.u32 %r2, [%rd1];\n").timing;
    EXPECT_EQ(timing.cores[0].l1.sectors, (SectorStats{.reads = sectors})) << "stride " << stride;
    EXPECT_EQ(timing.memory.network.request_packets, lines);
    EXPECT_EQ(timing.memory.network.reply_bytes, lines * 8 + sectors * 32);
    EXPECT_EQ(timing.memory.l2.sectors.reads, sectors);
    const unsigned pieces = stride == 0 ? 1 : stride < 64 ? sectors / 2 : 32;
    EXPECT_EQ(timing.memory.dram.bytes, pieces * 64) << "stride " << stride;
  }
}

TEST(SectoredL1, a_sector_that_is_not_there_is_fetched_though_its_line_is) {
  const std::string first = "ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1;\n";
  const std::string other = "ld.global.u32 %r3, [%rd1+96]; add.u32 %r3, %r3, 1;\n";
  for (const char* allocate : {"l1_allocate=miss", "l1_allocate=fill"}) {
    TimedGpu gpu(sectored({allocate}));
    gpu.load_body(first + first + other + first + other);
    const CoreStats core = gpu.run({1}, {1}, gpu.allocate(128, "line")).timing->cores[0];
    EXPECT_EQ(core.l1.sectors, (SectorStats{.reads = 5, .read_hits = 3})) << allocate;
    EXPECT_EQ(core.l1.fills, 2U);
  }
}

// The second launch finds an empty L1 and all it wants in the L2. Each load waits for the one before it.
uint64_t chase(const char* sector, unsigned loads) {
  TimedGpu gpu({"default", {sector, "l2_sector=32", "dram_access_bytes=128"}});
  std::string body;
  for (unsigned i = 0; i < loads; ++i)
    body += "ld.global.u64 %rd2, [%rd1]; add.u64 %rd1, %rd1, %rd2; add.u64 %rd1, %rd1, 128;\n";
  gpu.load_body(body);
  const Address zeros = gpu.allocate(1 << 16, "zeros");
  gpu.run({1}, {1}, zeros);
  return gpu.run({1}, {1}, zeros).timing->cycles;
}

TEST(SectoredL1, a_sector_comes_sooner_than_a_line_by_the_flits_it_has_less) {
  const uint64_t lines = chase("l1_sector=0", 11) - chase("l1_sector=0", 1);
  const uint64_t sectors = chase("l1_sector=32", 11) - chase("l1_sector=32", 1);
  const uint64_t flits_of_line = (8 + 128 + 31) / 32, flits_of_sector = (8 + 32 + 31) / 32;
  EXPECT_EQ(lines - sectors, 10 * (flits_of_line - flits_of_sector));
}

TEST(SectoredL1, a_store_goes_below_and_keeps_the_sectors_that_are_there) {
  TimedGpu gpu(sectored());
  gpu.load_body(
      "ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1; st.global.u32 [%rd1], %r2; st.global.u32 [%rd1+32], %r2;\n"
      "ld.global.u32 %r3, [%rd1]; ld.global.u32 %r4, [%rd1+32];\n");
  const TimingStats& timing = *gpu.run({1}, {1}, gpu.allocate(128, "line")).timing;
  EXPECT_EQ(timing.cores[0].l1.sectors, (SectorStats{.reads = 3, .read_hits = 1, .writes = 2, .write_hits = 1}))
      << "a store brings no sector";
  EXPECT_EQ(timing.memory.l2.sectors.writes, 2U);
  EXPECT_EQ(timing.memory.network.request_bytes, 2U * 8 + 2 * (8 + 32));
}

// ---- ways that are taken when a line comes

TEST(L1OnFill, a_set_is_never_full_of_lines_on_their_way) {
  // Strides of 64 kB: one set of four ways, 32 lines at once.
  const auto stalls = [](const char* allocate) {
    TimedGpu gpu({"default", {"l1_bytes=65536", "network_queue=64", allocate}});
    return lanes_apart(gpu, 16384, "ld.global.u32 %r2, [%rd1];\n")
        .timing->cores[0]
        .memory_stalls[static_cast<size_t>(MemoryStall::Set)];
  };
  EXPECT_GT(stalls("l1_allocate=miss"), 0U);
  EXPECT_EQ(stalls("l1_allocate=fill"), 0U);
}

TEST(L1OnFill, what_fits_is_kept_and_what_is_under_way_is_joined) {
  for (const char* sector : {"l1_sector=0", "l1_sector=32"}) {
    TimedGpu gpu({"default", {"l1_allocate=fill", sector}});
    const std::string load = "ld.global.u32 %r2, [%rd1];\n", other = "ld.global.u32 %r4, [%rd1];\n";
    const CoreStats core = lanes_apart(gpu, 4, load + other + "add.u32 %r3, %r2, 1;\n" + load, 32).timing->cores[0];
    EXPECT_EQ(core.l1.fills, 1U) << sector;
    EXPECT_EQ(core.l1.merges, 1U);
    EXPECT_EQ(core.l1.read_hits, 1U);
  }
}

TEST(L1OnFill, strides_that_meet_in_one_set_are_spread_by_a_hash) {
  // 16 lines, 64 kB apart, twice: four ways of one set cannot hold them.
  const auto hits = [](const char* hash) {
    TimedGpu gpu({"default", {"l1_bytes=65536", "l1_allocate=fill", hash}});
    const std::string load = "ld.global.u32 %r2, [%rd1]; add.u32 %r3, %r2, 1;\n";
    return lanes_apart(gpu, 65536, load + load, 16).timing->cores[0].l1.read_hits;
  };
  EXPECT_EQ(hits("l1_hash=false"), 4U) << "those that came last: new ones go on their way, and take no way of theirs";
  EXPECT_GE(hits("l1_hash=true"), 14U);
}

// 48 kB and a third of a power of two of sets: what fits stays, whatever the number of sets.
TEST(L1Sets, may_be_any_number) {
  TimedGpu gpu({"default", {"l1_bytes=49152"}});
  const std::string load = "ld.global.u32 %r2, [%rd1]; add.u32 %r3, %r2, 1;\n";
  const CoreStats core = lanes_apart(gpu, 128, load + load, 384).timing->cores[0];
  EXPECT_EQ(core.l1.fills, 384U);
  EXPECT_EQ(core.l1.read_hits, 384U);
}

// ---- a thread's own memory is written back

TEST(SectoredL1, local_words_of_a_warp_are_whole_sectors_and_fetch_nothing) {
  for (const char* allocate : {"l1_allocate=miss", "l1_allocate=fill"}) {
    TimedGpu gpu(sectored({allocate}));
    gpu.load_body(
        ".local .align 4 .b8 own[8]; mov.u64 %rd2, own; st.local.u32 [%rd2], 1; st.local.u32 [%rd2+4], 2;\n"
        "ld.local.u32 %r2, [%rd2]; ld.local.u32 %r3, [%rd2+4];\n");
    const TimingStats& timing = *gpu.run({1}, {32}).timing;
    EXPECT_EQ(timing.cores[0].l1.sectors, (SectorStats{.reads = 8, .read_hits = 8, .writes = 8})) << allocate;
    EXPECT_EQ(timing.cores[0].l1.unfetched, 2U);
    EXPECT_EQ(timing.memory.network.request_packets, 0U);
  }
}

TEST(SectoredL1, a_local_word_alone_fetches_its_sector_and_is_written_back_with_it) {
  for (const char* allocate : {"l1_allocate=miss", "l1_allocate=fill"}) {
    // One line of an L1: the load of another one makes it go.
    TimedGpu gpu(sectored({allocate, "l1_bytes=128", "l1_ways=1"}));
    gpu.load_body(
        ".local .align 4 .b8 own[4]; mov.u64 %rd2, own; st.local.u32 [%rd2], 1; ld.local.u32 %r2, [%rd2];\n"
        "add.u32 %r3, %r2, 1; ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1;\n");
    const TimingStats& timing = *gpu.run({1}, {1}, gpu.allocate(128, "line")).timing;
    EXPECT_EQ(timing.cores[0].l1.writebacks, 1U) << allocate;
    EXPECT_EQ(timing.memory.l2.sectors.writes, 1U);
    EXPECT_EQ(timing.memory.l2.sectors.reads, 2U);
    EXPECT_EQ(timing.memory.network.request_bytes, 2U * 8 + (8 + 32));
  }
}

// ---- atomics

TEST(AtomicOperations, are_lanes_or_sectors_over_which_lanes_on_one_address_go_one_after_another) {
  // 32 lanes on so many words of a line.
  const auto operations = [](const char* what, unsigned words) {
    TimedGpu gpu(sectored({what}));
    gpu.load_body("mov.u32 %r1, %tid.x; and.b32 %r1, %r1, " + std::to_string(words - 1) +
                  "; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; atom.global.add.u32 %r2, [%rd1], 1;\n");
    const MemoryStats& memory = gpu.run({1}, {32}, gpu.allocate(128, "line")).timing->memory;
    EXPECT_EQ(memory.l2.sectors.atomics, words < 8 ? 1U : words / 8);
    return memory.atomics;
  };
  for (const unsigned words : {1U, 16U, 32U}) EXPECT_EQ(operations("atomic_operations=lane", words), 32U);
  EXPECT_EQ(operations("atomic_operations=sector", 32), 4U);
  EXPECT_EQ(operations("atomic_operations=sector", 16), 2U * 2);
  EXPECT_EQ(operations("atomic_operations=sector", 8), 4U);
  EXPECT_EQ(operations("atomic_operations=sector", 2), 16U);
  EXPECT_EQ(operations("atomic_operations=sector", 1), 32U);
}

}  // namespace
}  // namespace heddle::test

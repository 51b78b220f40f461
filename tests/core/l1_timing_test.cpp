// What the first level does with loads, stores and atomics: its ports and limits, what it keeps and what it sends.
#include "core/micro.h"

namespace heddle::test {
namespace {

// ---- stores that stay in the L1

MemoryStats traffic_of(const Micro& micro, std::string_view body) {
  TimedGpu gpu(micro);
  gpu.load_body(body);
  return gpu.run({1}, {1}, gpu.allocate(1 << 20, "buffer")).timing->memory;
}

TEST(WriteBackL1, a_store_that_hits_sends_nothing) {
  const std::string load = "ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1;\n", store = "st.global.u32 [%rd1], %r2;\n";
  EXPECT_EQ(traffic_of({}, load).network.request_packets, 1U);
  EXPECT_EQ(traffic_of({}, load + store + store).network.request_packets, 1U);
  const Micro through{"tbc-hpca11", {"l1_writes=through"}};
  EXPECT_EQ(traffic_of(through, load + store + store).network.request_packets, 3U);
}

TEST(WriteBackL1, a_store_that_misses_sends_its_line_and_leaves_no_line_behind) {
  const std::string store = "st.global.u32 [%rd1], %r2;\n";
  const MemoryStats twice = traffic_of({}, store + store);
  EXPECT_EQ(twice.network.request_packets, 2U);
  EXPECT_EQ(twice.network.request_bytes, 2U * (8 + 64 + 8)) << "a header, the line, a bit for each of its bytes";
  EXPECT_EQ(traffic_of({"tbc-hpca11", {"write_packet=bytes"}}, store).network.request_bytes, 8U + 4);
}

TEST(WriteBackL1, a_dirty_line_is_sent_when_it_must_go) {
  // Eight more lines of its set.
  const std::string others = repeat("add.u64 %rd1, %rd1, 4096; ld.global.u32 %r2, [%rd1]; add.u32 %r3, %r2, 1;\n", 8);
  const std::string load = "ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, 1;\n", store = "st.global.u32 [%rd1], %r2;\n";
  const MemoryStats clean = traffic_of({}, load + others), dirty = traffic_of({}, load + store + others);
  EXPECT_EQ(dirty.network.request_packets, clean.network.request_packets + 1);
  EXPECT_EQ(dirty.network.request_bytes, clean.network.request_bytes + 8 + 64);
  EXPECT_EQ(dirty.l2.writes, 1U);
}

// ---- atomics

TEST(Atomics, of_a_lane_are_requests_of_their_own_that_leave_one_per_cycle_and_bring_the_line) {
  TimedGpu gpu;
  gpu.load_body("atom.global.add.u32 %r2, [%rd1], 1;\n");
  const KernelStats stats = gpu.run({1}, {32}, gpu.allocate(4, "counter"));
  const NetworkStats& network = stats.timing->memory.network;
  EXPECT_EQ(network.request_packets, 32U);
  EXPECT_EQ(network.reply_bytes, 32U * 64);
  EXPECT_EQ(stats.timing->cores[0].memory_stalls[static_cast<size_t>(MemoryStall::Lines)], 31U * 4);
}

TEST(Atomics, of_lanes_on_one_line_are_one_request_elsewhere) {
  const auto time = [](unsigned lanes) {
    TimedGpu gpu({"capri-isca12", {"atomic_requests=line"}});
    gpu.load_body(repeat("atom.global.add.u32 %r2, [%rd1], 1;\n", 20));
    return gpu.run({1}, {lanes}, gpu.allocate(4, "counter")).timing->cycles;
  };
  EXPECT_EQ(time(4), time(1)) << "done at once, and as many flits";
}

TEST(Atomics, wait_for_a_register_where_each_access_takes_one) {
  TimedGpu gpu({"capri-isca12", {"l1_mshrs=8"}});
  gpu.load_body("atom.global.add.u32 %r2, [%rd1], 1;\n");
  const KernelStats stats = gpu.run({1}, {1024}, gpu.allocate(4, "counter"));
  EXPECT_GT(stats.timing->cores[0].memory_stalls[static_cast<size_t>(MemoryStall::Mshr)], 0U);
}

TEST(Atomics, are_done_at_the_l2_one_operation_after_another) {
  TimedGpu gpu({"tbc-hpca11", {"atomic_requests=line", "coalesce_lanes=32", "atomic_cycles=1"}});
  gpu.load_body("atom.global.add.u32 %r2, [%rd1], 1;\n");
  const KernelStats stats = gpu.run({4}, {64}, gpu.allocate(4, "counter"));
  EXPECT_EQ(stats.timing->memory.atomics, 256U);
  EXPECT_EQ(stats.timing->memory.network.reply_packets, 8U) << "one per warp";
  EXPECT_GE(stats.timing->cycles, 2U * 256U) << "a network cycle each";
}

// ---- limits: each is seen to bind

uint64_t stalls(const Micro& micro, std::string_view body, unsigned threads, MemoryStall cause) {
  TimedGpu gpu(micro);
  gpu.load_body("mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4096; add.u64 %rd2, %rd2, %rd1;\n" + std::string(body));
  return gpu.run({1}, {threads}, gpu.allocate(4096 * 1024, "buffer"))
      .timing->cores[0]
      .memory_stalls[static_cast<size_t>(cause)];
}

TEST(MemoryStalls, each_limit_binds_when_it_is_small_and_not_when_it_is_large) {
  const std::string far = "ld.global.u32 %r2, [%rd2];\n", same = "ld.global.u32 %r2, [%rd1];\n";
  const auto with = [](const std::string& a, const std::string& b = "cores=1") {
    Micro micro = plain_l1();
    micro.set.insert(micro.set.end(), {a, b});
    return micro;
  };
  EXPECT_GT(stalls(with("l1_mshrs=4"), far, 32, MemoryStall::Mshr), 0U);
  EXPECT_EQ(stalls(with("l1_mshrs=64"), far, 32, MemoryStall::Mshr), 0U);
  EXPECT_GT(stalls(with("l1_merges=1"), same, 64, MemoryStall::Merge), 0U);
  EXPECT_EQ(stalls(with("l1_merges=16"), same, 64, MemoryStall::Merge), 0U);
  // Strides of 4096 bytes fall into one set of 8 ways.
  EXPECT_GT(stalls(with("network_queue=64"), far, 32, MemoryStall::Set), 0U);
  EXPECT_EQ(stalls(with("network_queue=64"), far, 8, MemoryStall::Set), 0U);
  EXPECT_GT(stalls(with("network_queue=1", "l1_ways=64"), far, 32, MemoryStall::Network), 0U);
  EXPECT_EQ(stalls(with("network_queue=64", "l1_ways=64"), far, 32, MemoryStall::Network), 0U);
}

TEST(MemoryStalls, two_read_ports_serve_lines_twice_as_fast) {
  const std::string far = repeat("ld.global.u32 %r2, [%rd2];\n", 10);  // the first brings the lines
  const auto with = [&](const std::string& ports, const std::string& misses) {
    return stalls({"capri-isca12", {"l1_ways=64", ports, misses}}, far, 32, MemoryStall::Lines);
  };
  EXPECT_EQ(with("l1_read_ports=1", "l1_miss_ports=0"), 10U * 31U);
  EXPECT_EQ(with("l1_read_ports=2", "l1_miss_ports=0"), 10U * 15U);
  EXPECT_EQ(with("l1_read_ports=2", "l1_miss_ports=1"), 31U + 9U * 15U) << "misses leave one per cycle";
}

TEST(MemoryStalls, an_l1_cycle_of_four_serves_its_lines_in_four) {
  const std::string far = repeat("ld.global.u32 %r2, [%rd2];\n", 10);
  const auto with = [&](const std::string& ports) {
    return stalls({"tbc-hpca11", {"l1_ways=64", ports}}, far, 32, MemoryStall::Lines);
  };
  EXPECT_EQ(with("l1_read_ports=1"), 4U * 10U * 31U);
  EXPECT_EQ(with("l1_read_ports=2"), 4U * (31U + 9U * 15U));
}

TEST(MemoryStalls, where_each_access_takes_a_register_so_do_those_that_share_a_line) {
  const std::string same = "ld.global.u32 %r2, [%rd1];\n";  // by 32 warps, in two halves each
  const auto with = [&](const std::string& use) {
    return stalls({"capri-isca12", {"l1_mshrs=8", "l1_merges=64", use}}, same, 1024, MemoryStall::Merge);
  };
  EXPECT_GT(with("l1_mshr_use=access"), 0U);
  EXPECT_EQ(with("l1_mshr_use=line"), 0U);
}

// ---- what comes back takes a slot

// One warp loads, one load after the other, while 31 others keep the pipeline full; nothing is cached.
uint64_t cycles_beside(unsigned loads, const std::string& slots) {
  TimedGpu gpu({"capri-isca12", {"l1_bytes=0", "coalesce_lanes=32", slots}});
  gpu.load_body("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra LOADS;\n" +
                repeat("add.u32 %r3, %r3, 1;\n", 500) + "bra.uni DONE;\nLOADS:\n" +
                repeat("ld.global.u32 %r2, [%rd1];\n", loads) + "DONE:\n");
  return gpu.run({1}, {1024}, gpu.allocate(64, "word")).timing->cycles;
}

TEST(ReplySlots, an_access_that_comes_back_takes_the_place_of_an_instruction) {
  const auto of_loads = [](const std::string& slots) { return cycles_beside(200, slots) - cycles_beside(100, slots); };
  EXPECT_EQ(of_loads("reply_slots=false"), 100U) << "a slot each";
  EXPECT_EQ(of_loads("reply_slots=true"), 200U) << "and one when it comes back";
}

}  // namespace
}  // namespace heddle::test

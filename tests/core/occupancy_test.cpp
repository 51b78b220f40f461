// How many blocks a core holds: each limit by itself, to the last block, and numbers that are given.
#include "core/occupancy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "gpu/machine_keys.h"

namespace heddle::test {
namespace {

// Of a kernel k that takes so much, on a core of 1024 threads, 8 blocks, 16384 registers and 16384 bytes.
struct Block {
  uint32_t threads = 32;
  unsigned registers = 1;
  uint32_t static_shared = 0, dynamic_shared = 0;
};

unsigned blocks_of(const Block& block, std::vector<std::string> set = {}) {
  Kernel kernel;
  kernel.name = "k";
  kernel.registers = block.registers;
  kernel.dynamic_shared = block.static_shared;  // begins behind the static
  LaunchInfo launch;
  launch.block = {block.threads, 1, 1};
  launch.dynamic_shared = block.dynamic_shared;
  const std::vector<std::string> core{"core_threads=1024", "core_blocks=8", "core_registers=16384",
                                      "register_rounding=1", "core_shared=16384"};
  set.insert(set.begin(), core.begin(), core.end());
  return occupancy(kernel, launch, make_config("default", set));
}

std::string refusal(const Block& block, const std::vector<std::string>& set = {}) {
  try {
    blocks_of(block, set);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::BadLaunch);
    return error.what();
  }
  return "no error";
}

TEST(Occupancy, by_threads) {
  EXPECT_EQ(blocks_of({.threads = 128}), 8U);
  EXPECT_EQ(blocks_of({.threads = 160}), 6U);
  EXPECT_EQ(blocks_of({.threads = 161}), 5U) << "a row more";
  EXPECT_EQ(blocks_of({.threads = 512}), 2U);
  EXPECT_EQ(blocks_of({.threads = 513}), 1U);
  EXPECT_EQ(blocks_of({.threads = 1024}), 1U);
}

TEST(Occupancy, by_places_for_blocks) {
  EXPECT_EQ(blocks_of({.threads = 1}), 8U);
  EXPECT_EQ(blocks_of({.threads = 1}, {"core_blocks=31"}), 31U);
  EXPECT_EQ(blocks_of({.threads = 1}, {"core_blocks=33"}), 32U) << "threads are the limit now";
}

TEST(Occupancy, by_shared_memory) {
  EXPECT_EQ(blocks_of({.static_shared = 5461}), 3U);
  EXPECT_EQ(blocks_of({.static_shared = 5462}), 2U);
  EXPECT_EQ(blocks_of({.dynamic_shared = 5461}), 3U);
  EXPECT_EQ(blocks_of({.dynamic_shared = 5462}), 2U);
  EXPECT_EQ(blocks_of({.static_shared = 4096, .dynamic_shared = 4097}), 1U);
  EXPECT_EQ(blocks_of({.static_shared = 16384}), 1U);
  EXPECT_EQ(refusal({.static_shared = 16384, .dynamic_shared = 1}),
            "a block of k does not fit a core: 16385 bytes of shared memory of 16384 (core_shared)");
}

TEST(Occupancy, by_registers) {
  EXPECT_EQ(blocks_of({.threads = 128, .registers = 25}), 5U);
  EXPECT_EQ(blocks_of({.threads = 128, .registers = 26}), 4U);
  EXPECT_EQ(blocks_of({.threads = 1024, .registers = 16}), 1U);
  EXPECT_EQ(refusal({.threads = 1024, .registers = 17}),
            "a block of k does not fit a core: 17408 registers, 17 per thread, of 16384 (core_registers)");
}

TEST(Occupancy, registers_of_a_thread_are_rounded_up) {
  EXPECT_EQ(blocks_of({.threads = 128, .registers = 25}, {"register_rounding=4"}), 4U);  // as 28
  EXPECT_EQ(blocks_of({.threads = 128, .registers = 24}, {"register_rounding=4"}), 5U);
  EXPECT_EQ(blocks_of({.threads = 128, .registers = 24}, {"register_rounding=16"}), 4U);  // as 32
}

TEST(Occupancy, is_the_least_of_all) {
  EXPECT_EQ(blocks_of({.threads = 128, .registers = 20, .static_shared = 4000}), 4U);
  EXPECT_EQ(blocks_of({.threads = 128, .registers = 40, .static_shared = 4000}), 3U);
  EXPECT_EQ(blocks_of({.threads = 512, .registers = 8, .static_shared = 4000}), 2U);
}

TEST(Occupancy, may_be_limited_by_threads_alone) {
  const Block heavy{.threads = 64, .registers = 60, .static_shared = 5000};
  EXPECT_EQ(blocks_of(heavy), 3U);
  EXPECT_EQ(blocks_of(heavy, {"occupancy_limit=threads"}), 16U);
}

TEST(Occupancy, that_is_given_is_asked_of_threads_alone) {
  const Block heavy{.threads = 128, .registers = 200, .static_shared = 16385};
  EXPECT_EQ(blocks_of(heavy, {"blocks_per_core=3"}), 3U);
  EXPECT_EQ(blocks_of(heavy, {"blocks_per_core=8", "core_blocks=1"}), 8U);
  EXPECT_EQ(blocks_of({.threads = 128}, {"blocks_per_core=2"}), 2U) << "fewer than fit";
  EXPECT_EQ(refusal(heavy, {"blocks_per_core=9"}),
            "blocks_per_core: 9 blocks of k do not fit a core: 128 threads each of 1024 (core_threads)");
  EXPECT_EQ(refusal({.threads = 33}, {"blocks_per_core=17"}),
            "blocks_per_core: 17 blocks of k do not fit a core: 64 threads each of 1024 (core_threads)");
}

TEST(Occupancy, can_be_given_by_kernel) {
  const Block block{.threads = 256};
  EXPECT_EQ(blocks_of(block, {"blocks_per_core=k:2"}), 2U);
  EXPECT_EQ(blocks_of(block, {"blocks_per_core=other:2"}), 4U) << "computed";
  EXPECT_EQ(blocks_of(block, {"blocks_per_core=other:2,3"}), 3U);
  EXPECT_EQ(blocks_of(block, {"blocks_per_core=1,k:2"}), 2U) << "whatever the order";
  EXPECT_EQ(blocks_of(block, {"blocks_per_core=1,k:0"}), 4U) << "computed";
}

// ---- a core of today: 64 k registers in four sub-cores, 228 kB of 256 kB

const std::vector<std::string> kToday{"core_threads=2048",   "core_blocks=32",      "core_registers=65536",
                                      "register_rounding=8", "sub_cores=4",         "core_shared=233472",
                                      "shared_unit=128",     "shared_reserved=1024"};

TEST(Occupancy, each_sub_core_has_its_share_of_the_registers) {
  // 80 registers are 2560 of a warp: six of them in 16384. As NVIDIA's occupancy calculator has it, 24 warps in all.
  EXPECT_EQ(blocks_of({.threads = 32, .registers = 80}, kToday), 24U);
  EXPECT_EQ(blocks_of({.threads = 256, .registers = 80}, kToday), 3U);
  EXPECT_EQ(blocks_of({.threads = 32, .registers = 64}, kToday), 32U);
  EXPECT_EQ(blocks_of({.threads = 512, .registers = 128}, kToday), 1U);
}

TEST(Occupancy, the_machine_keeps_a_kilobyte_of_shared_memory_for_each_block) {
  EXPECT_EQ(blocks_of({.dynamic_shared = 227 * 1024}, kToday), 1U);
  EXPECT_NE(refusal({.dynamic_shared = 227 * 1024 + 1}, kToday), "no error");
  EXPECT_EQ(blocks_of({.dynamic_shared = 113 * 1024}, kToday), 2U);
  EXPECT_EQ(blocks_of({.dynamic_shared = 113 * 1024 + 1}, kToday), 1U);
}

TEST(Occupancy, shared_memory_leaves_the_rest_to_the_l1) {
  Kernel kernel;
  kernel.name = "k";
  LaunchInfo launch;
  const auto left = [&](unsigned blocks, unsigned shared, const std::vector<std::string>& more) {
    launch.dynamic_shared = shared;
    std::vector<std::string> set = kToday;
    set.insert(set.end(), more.begin(), more.end());
    return l1_bytes_beside(kernel, launch, make_config("default", set), blocks);
  };
  const std::vector<std::string> unified{"unified_bytes=262144",
                                         "carve_outs=0,8192,16384,32768,65536,102400,135168,167936,200704,233472"};
  EXPECT_EQ(left(1, 0, unified), (256 - 8) * 1024U) << "one kilobyte is the machine's";
  EXPECT_EQ(left(8, 0, unified), (256 - 8) * 1024U);
  EXPECT_EQ(left(9, 0, unified), (256 - 16) * 1024U);
  EXPECT_EQ(left(16, 10000, unified), (256 - 196) * 1024U) << "16 times 10112 + 1024 bytes";
  EXPECT_EQ(left(1, 227 * 1024, unified), (256 - 228) * 1024U);
  EXPECT_EQ(left(1, 0, {"l1_bytes=65536"}), 65536U) << "two memories";
}

TEST(Occupancy, carve_outs_hold_what_a_core_may_have) {
  const auto why = [](const std::vector<std::string>& set) {
    try {
      make_config("default", set);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::Usage);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(why({"core_shared=65536", "unified_bytes=131072", "carve_outs=0,32768"}),
            "carve_outs: the largest, 32768, does not hold core_shared = 65536");
  EXPECT_EQ(why({"core_shared=65536", "unified_bytes=32768", "carve_outs=0,65536"}),
            "carve_outs: the largest, 65536, is more than unified_bytes = 32768");
  EXPECT_EQ(why({"carve_outs=8,4"}).substr(0, 50), "--set carve_outs=8,4: '8,4' is no value for carve_");
}

}  // namespace
}  // namespace heddle::test

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

}  // namespace
}  // namespace heddle::test

// Machines nobody would build: queues of one place, caches of two lines, clocks that never meet. Whoever goes ahead of
// whom there, on however many threads, what comes out is what comes out cycle by cycle.
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "gpu/racing_kernel.h"
#include "gpu/small_gpu.h"
#include "support/amount.h"

namespace heddle::test {
namespace {

struct Choice {
  std::string_view key;
  std::vector<std::string_view> values;
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> all{
      {"core_clock", {"700", "1000", "1300"}},
      {"network_clock", {"650", "1000", "1500"}},
      {"memory_clock", {"400", "800", "1000"}},
      {"block_interval", {"0", "3", "40"}},
      {"block_clock", {"0", "200", "500"}},
      {"block_end_clock", {"0", "150"}},
      {"block_latency", {"0", "50"}},
      {"core_blocks", {"1", "2", "8"}},
      {"simd_width", {"0", "8"}},
      {"scoreboard", {"warp", "register"}},
      {"shared_pipeline", {"true", "false"}},
      {"sub_cores", {"1", "1", "2", "4"}},
      {"coalesce_lanes", {"16", "32"}},
      {"l1_bytes", {"0", "1024", "16384"}},
      {"l1_ways", {"2", "4"}},
      {"l1_allocate", {"miss", "fill"}},
      {"l1_mshrs", {"1", "2", "8", "64"}},
      {"l1_merges", {"1", "2", "16"}},
      {"l1_mshr_use", {"line", "access"}},
      {"l1_writes", {"through", "back"}},
      {"local_writes", {"back", "through"}},
      {"l1_sector", {"0", "32"}},
      {"l1_write_miss", {"pass", "allocate"}},
      {"l1_cycle", {"1", "4"}},
      {"l1_read_ports", {"1", "4"}},
      {"l1_write_ports", {"1", "2"}},
      {"l1_miss_ports", {"0", "1", "2"}},
      {"l1_latency", {"1", "5"}},
      {"store_lines", {"0", "4"}},
      {"store_wait", {"1", "6"}},
      {"store_runs", {"false", "true"}},
      {"memory_queue", {"0", "1", "8"}},
      {"address_interval", {"1", "3"}},
      {"store_latency", {"0", "30"}},
      {"icache_bytes", {"0", "1024"}},
      {"icache_ahead", {"0", "4"}},
      {"icache_groups", {"0", "2"}},
      {"launch_code", {"memory", "l2"}},
      {"channels", {"1", "2", "3", "8"}},
      {"channel_hash", {"true", "false"}},
      {"network_latency", {"0", "1", "2", "8", "30", "100"}},
      {"network_bytes", {"0", "8", "32", "64"}},
      {"network_reply_bytes", {"0", "8"}},
      {"l2_port_bytes", {"0", "16"}},
      {"l2_reply_bytes", {"0", "16"}},
      {"network_takes", {"1", "2"}},
      {"network_packets", {"cycles", "bytes"}},
      {"network_queue", {"1", "2", "4", "8", "64", "1024"}},
      {"network_concentration", {"1", "1", "2", "3"}},
      {"read_group", {"1", "1", "2", "4"}},
      {"l2_bytes", {"0", "4096", "65536"}},
      {"l2_ways", {"2", "16"}},
      {"l2_latency", {"1", "3", "10", "60"}},
      {"l2_miss_latency", {"0", "1", "20"}},
      {"l2_miss_queue", {"0", "4"}},
      {"l2_write_miss", {"allocate", "pass"}},
      {"l2_mshrs", {"2", "8", "32"}},
      {"l2_merges", {"1", "2", "32"}},
      {"l2_queue", {"1", "2", "4", "8", "64"}},
      {"atomic_cycles", {"0", "1", "5"}},
      {"dram_queue", {"2", "8", "32"}},
      {"dram_banks", {"1", "8"}},
      {"dram_trefi", {"0", "500"}},
      {"dram_policy", {"fr-fcfs", "fcfs"}},
      {"dram_twl", {"0", "7"}},
  };
  return all;
}

using Random = std::mt19937;

template <class Of>
const auto& one_of(Random& random, const Of& values) {
  return values[random() % values.size()];
}

struct Machine {
  std::string preset;
  std::vector<std::string> settings;
};

// Every third key or so; some of the launches are given up on the way.
Machine machine_of(Random& random) {
  Machine machine{one_of(random, std::vector<std::string>{"default", "default", "tbc-hpca11", "capri-isca12", "h200"}),
                  {"cores=" + one_of(random, std::vector<std::string>{"3", "8", "13", "30"})}};
  for (const Choice& choice : choices())
    if (random() % 3 == 0)
      machine.settings.push_back(std::string(choice.key) + "=" + std::string(one_of(random, choice.values)));
  if (random() % 4 == 0) machine.settings.emplace_back("max_cycles=777");
  return machine;
}

// With lines of an L1 that may have to be written back.
std::string local_race() {
  return race_of(
      "{ .local .align 4 .b8 box[32]; mov.u64 %rd8, box; add.u64 %rd8, %rd8, %rd3; st.local.u32 [%rd8], %r4; "
      "ld.local.u32 %r8, [%rd8]; add.u32 %r4, %r4, %r8; } ld.global.u32 %r7, [%rd4]",
      "st.global.u32 [%rd4], %r4");
}

std::string kernel_of(Random& random) {
  const std::string next = "add.u64 %rd7, %rd4, 4; ";
  return one_of(
      random,
      std::vector<std::string>{
          race_of("ld.global.u32 %r7, [%rd4]", "st.global.u32 [%rd4], %r4"),
          race_of("ld.global.u32 %r7, [%rd4]", next + "st.global.u32 [%rd7], %r4"),
          race_of("atom.global.add.u32 %r7, [%rd4], %r4", "red.global.xor.b32 [%rd4], %r4"),
          race_of("mul.wide.u32 %rd5, %r3, 4; add.u64 %rd6, %rd2, %rd5; ld.global.u32 %r7, [%rd6]",  // its own word
                  "st.global.u32 [%rd6], %r4"),
          local_race(),
      });
}

struct Outcome {
  std::vector<uint32_t> words;
  std::vector<KernelStats> launches;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

Outcome run(const Machine& machine, const std::string& kernel, unsigned blocks, GpuOptions options) {
  options.timed = true;
  Gpu gpu(make_config(machine.preset, machine.settings), options);
  gpu.load("test.ptx", with_header(kernel));
  Buffer<uint32_t> shared(gpu, 64, "shared"), out(gpu, blocks * kRacers, "out");
  shared.upload(std::vector<uint32_t>(64, 7));
  Outcome outcome;
  try {
    for (const unsigned grid : {blocks, 5U})
      gpu.launch("k", {{grid}, {kRacers}}, Arguments(shared.address(), out.address()));
  } catch (const Error& error) {
    if (error.code() != ExitCode::Deadlock) throw;
    outcome.error = error.what();
  }
  outcome.launches = gpu.launches();
  outcome.words = shared.download();
  const std::vector<uint32_t> written = out.download();
  outcome.words.insert(outcome.words.end(), written.begin(), written.end());
  return outcome;
}

GpuOptions options_of(bool skip, bool ahead, unsigned threads) {
  GpuOptions options;
  options.skip = skip;
  options.ahead = ahead;
  options.threads = threads;
  return options;
}

std::string told(const Machine& machine) {
  std::string text = machine.preset;
  for (const std::string& each : machine.settings) text += " " + each;
  return text;
}

// Keys may contradict each other, which is an error of whoever describes the machine.
std::optional<Outcome> right(const Machine& machine, const std::string& kernel, unsigned blocks) {
  try {
    return run(machine, kernel, blocks, options_of(false, false, 1));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage) << error.what() << "\n" << told(machine);
    return std::nullopt;
  }
}

// False: no machine is like that.
bool same_whoever_goes_ahead(const Machine& machine, const std::string& kernel, unsigned blocks) {
  const std::optional<Outcome> expected = right(machine, kernel, blocks);
  if (!expected) return false;
  EXPECT_EQ(*expected, run(machine, kernel, blocks, options_of(true, false, 1))) << told(machine);
  for (const unsigned threads : {1U, 3U})
    EXPECT_EQ(*expected, run(machine, kernel, blocks, options_of(true, true, threads)))
        << told(machine) << ", " << threads << " threads";
  return true;
}

class RandomMachine : public testing::TestWithParam<unsigned> {};

constexpr unsigned kTests = 16;

TEST_P(RandomMachine, gives_the_same_whoever_goes_ahead) {
  const unsigned end = kTests * static_cast<unsigned>(amount(25, 1, 1));
  for (unsigned seed = GetParam(); seed < end; seed += kTests) {
    Random random(seed);  // NOLINT: the same each time
    for (unsigned valid = 0; valid < 3;) {
      const Machine machine = machine_of(random);
      const std::string kernel = kernel_of(random);
      const unsigned blocks = one_of(random, std::vector<unsigned>{5, 31, 64});
      valid += same_whoever_goes_ahead(machine, kernel, blocks) ? 1 : 0;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, RandomMachine, testing::Range(0U, kTests));

// A core is ahead of others with a block that has ended; all others sleep until behind that.
TEST(WhoeverGoesAhead, a_block_that_has_ended_makes_room_in_its_own_cycle) {
  EXPECT_TRUE(same_whoever_goes_ahead({"h200", {"cores=3", "block_clock=500", "core_blocks=2", "channels=3"}},
                                      race_of("ld.global.u32 %r7, [%rd4]", "st.global.u32 [%rd4], %r4"), 16));
}

// What was sent behind the last edge of the network before a launch is given up has been sent.
TEST(WhoeverGoesAhead, a_launch_that_is_given_up_counts_all_that_was_sent) {
  for (const unsigned cycles : {776U, 777U, 778U})
    EXPECT_TRUE(same_whoever_goes_ahead({"h200",
                                         {"cores=8", "sub_cores=2", "icache_ahead=0", "icache_groups=2", "channels=2",
                                          "max_cycles=" + std::to_string(cycles)}},
                                        local_race(), 31));
}

// Cores in turn are no farther than the cycle in which blocks are handed out, whose code takes the only place at a
// port.
TEST(WhoeverGoesAhead, blocks_that_are_handed_out_find_the_room_of_their_cycle) {
  EXPECT_TRUE(same_whoever_goes_ahead(
      {"h200",
       {"cores=3", "block_latency=0", "l1_merges=16", "store_lines=0", "icache_groups=0", "network_latency=8",
        "network_queue=1", "l2_latency=3", "l2_miss_latency=1"}},
      race_of("ld.global.u32 %r7, [%rd4]", "add.u64 %rd7, %rd4, 4; st.global.u32 [%rd7], %r4"), 31));
}

}  // namespace
}  // namespace heddle::test

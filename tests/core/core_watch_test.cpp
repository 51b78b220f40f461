// What a core tells of its clock: instructions that complete, cycles without an issue and what they were waited for,
// accesses to memory. Held against the core's own counters, and against times that are known from the keys.
#include "core/core_watch.h"

#include <algorithm>
#include <map>

#include "core/micro.h"
#include "support/amount.h"
#include "workloads/workload.h"

namespace heddle::test {
namespace {

struct Heard : Observer {
  uint32_t wants() const override { return kFlights | kIdle | kAccesses | kMemory; }
  void completed(const Scene& scene, const Completed& event) override {
    flights.emplace_back(event, scene.host.now - event.issued);
  }
  void idled(const Scene& scene, const Idled& event) override {
    EXPECT_GT(event.cycles, 0U);
    CoreCycle& upto = idle_upto[scene.core][event.port];
    EXPECT_GE(event.from, upto) << "in the order of time";
    upto = event.from + event.cycles;
    idle.push_back(event);
    by_class[scene.core][static_cast<size_t>(event.in)] += event.cycles;
    by_cause[event.cause] += event.cycles;
  }
  void accessed(const Scene&, const Accessed& event) override { accesses.push_back(event); }
  void returned(const Scene&, const LanesReturned& event) override { lanes_returned += event.lanes.count(); }
  void launch_began(const LaunchBegan&) override { idle_upto.clear(), by_class.clear(); }
  void launch_ended(KernelStats& stats) override {
    const std::vector<CoreStats>& cores = stats.timing->cores;
    for (unsigned core = 0; core < cores.size(); ++core) {
      if (!idle_upto.contains(core)) continue;
      const std::array<uint64_t, 3> expected{cores[core].stall, cores[core].w0_mem, cores[core].w0_idle};
      EXPECT_EQ(by_class[core], expected) << "core " << core;
    }
  }

  std::vector<std::pair<Completed, uint64_t>> flights;  // and how long they took
  std::vector<Idled> idle;
  std::vector<Accessed> accesses;
  uint64_t lanes_returned = 0;
  std::map<unsigned, std::map<unsigned, CoreCycle>> idle_upto;  // by core and port
  std::map<unsigned, std::array<uint64_t, 3>> by_class;         // by core, of this launch
  std::map<IdleCause, uint64_t> by_cause;                       // of all launches
};

struct WatchedRun {
  std::shared_ptr<Heard> heard = std::make_shared<Heard>();
  KernelStats stats;

  uint64_t waited_for(Pc pc, IdleCause cause) const {
    uint64_t cycles = 0;
    for (const Idled& event : heard->idle) cycles += event.waited_for == pc && event.cause == cause ? event.cycles : 0;
    return cycles;
  }
  const Accessed& access_at(Pc pc) const {
    const auto found = std::find_if(heard->accesses.begin(), heard->accesses.end(),
                                    [&](const Accessed& access) { return access.pc == pc; });
    EXPECT_NE(found, heard->accesses.end());
    return *found;
  }
  uint64_t latency_of(Pc pc) const {
    for (const auto& [event, cycles] : heard->flights)
      if (event.pc == pc) return cycles;
    ADD_FAILURE() << "nothing completed at " << pc;
    return 0;
  }
};

// A kernel of this body; its first instruction, 0, loads the parameter.
WatchedRun run_watched(const Micro& micro, std::string_view body, Dim3 block = {32},
                       std::string_view declarations = "") {
  WatchedRun run;
  GpuOptions options;
  options.timed = true;
  options.mechanism = micro.mechanism;
  options.observers.push_back(run.heard);
  Gpu gpu(make_config(micro.preset, micro.set), options);
  gpu.load("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n" + std::string(declarations) +
                        TimedGpu::kernel_text("k", body));
  gpu.launch("k", {{1}, block}, Arguments(gpu.allocate(1 << 20, "buffer")));
  run.stats = gpu.launches().back();
  return run;
}

// ---- conservation

TEST(CoreWatch, idle_cycles_sum_to_the_breakdown_by_class_and_watching_changes_nothing) {
  const std::vector<std::string> names{"bfs", "bitonic", "backprop", "matmul", "histogram"};
  struct Machine {
    std::string preset, mechanism;
    std::vector<std::string> set{};
  };
  const std::vector<Machine> machines{
      {"tbc-hpca11", "pdom"},
      {"tbc-hpca11", "tbc"},
      {"large-warp-2010", "lwm"},
      {"capri-isca12", "capri"},
      {"slp-isca13", "dws"},
      {"default", "its"},
      {"default", "sbi"},
      {"default", "pdom", {"sub_cores=4"}},
      {"tbc-hpca11", "tbc", {"sub_cores=2"}},
  };
  unsigned ran = 0;
  for (const workloads::Workload& workload : workloads::all()) {
    if (std::find(names.begin(), names.end(), workload.name) == names.end()) continue;
    for (const auto& [preset, mechanism, set] : machines) {
      SCOPED_TRACE(std::string(workload.name) + " under " + mechanism + " on " + preset);
      const auto cycles_with = [&, &preset = preset, &mechanism = mechanism, &set = set](const Observers& observers) {
        GpuOptions options;
        options.timed = true;
        options.mechanism = mechanism;
        options.observers = observers;
        Gpu gpu(make_config(preset, set), options);
        gpu.load(workload.name, workload.ptx());
        EXPECT_TRUE(workload.run(gpu, workloads::Size::Tiny).passed);
        return gpu.total();
      };
      const auto heard = std::make_shared<Heard>();
      const KernelStats watched = cycles_with({heard}), alone = cycles_with({});
      EXPECT_EQ(watched.timing->cycles, alone.timing->cycles);
      EXPECT_EQ(watched.issue_slots, alone.issue_slots);
      const CoreStats all = watched.timing->all_cores();
      uint64_t lines = 0, slots = 0;
      for (const Accessed& access : heard->accesses) {
        EXPECT_EQ(access.lines, access.hits + access.misses);
        const bool cached = access.space == Space::Global || access.space == Space::Local;
        lines += cached ? access.lines : 0;
        slots += cached && access.lines > 0 ? 1 : 0;
      }
      EXPECT_EQ(lines, all.lines);
      EXPECT_EQ(slots, all.memory_slots);
      const bool by_itself = mechanism == "dws";  // which lets splits go when it sees fit
      EXPECT_TRUE(by_itself || heard->by_cause[IdleCause::Other] == 0) << "every wait has an end that is known";
      ++ran;
    }
  }
  EXPECT_EQ(ran, names.size() * machines.size());
}

// ---- who is charged

TEST(CoreWatch, waiting_is_charged_to_the_load_whose_value_is_wanted) {
  const WatchedRun run =
      run_watched({"default", {"icache_bytes=0"}}, "ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1;\n");
  EXPECT_EQ(run.waited_for(1, IdleCause::Memory), run.latency_of(1) - 1) << "all cycles from its issue to its value";
  const auto load = std::find_if(run.heard->flights.begin(), run.heard->flights.end(),
                                 [](const auto& each) { return each.first.pc == 1; });
  EXPECT_TRUE(load->first.memory && load->first.missed);
  EXPECT_EQ(run.heard->lanes_returned, 32U);
}

TEST(CoreWatch, of_two_loads_the_one_that_ends_the_wait_is_charged) {
  const std::string body = "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4096]; add.u32 %r3, %r1, %r2;\n";
  const WatchedRun run = run_watched({"default", {"icache_bytes=0"}}, body);
  EXPECT_EQ(run.waited_for(1, IdleCause::Memory), 0U);
  EXPECT_EQ(run.waited_for(2, IdleCause::Memory), run.latency_of(2) - 1);
}

TEST(CoreWatch, waiting_for_arithmetic_is_charged_to_it) {
  const WatchedRun run =
      run_watched({"default", {"icache_bytes=0", "int_latency=20"}}, "add.u32 %r1, %r2, 1; add.u32 %r3, %r1, 1;\n");
  EXPECT_EQ(run.latency_of(1), 20U);
  EXPECT_EQ(run.waited_for(1, IdleCause::Dependency), 19U);
}

TEST(CoreWatch, a_busy_unit_is_charged_to_the_instruction_that_keeps_it) {
  const WatchedRun run = run_watched({"default", {"icache_bytes=0", "sfu_latency=40", "sfu_interval=16"}},
                                     "sin.approx.f32 %f1, %f0; cos.approx.f32 %f2, %f0;\n");
  EXPECT_EQ(run.waited_for(1, IdleCause::Unit), 15U);
}

TEST(CoreWatch, a_full_memory_stage_is_charged_to_the_instruction_in_it) {
  std::string body =
      "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4096; add.u64 %rd2, %rd2, %rd1;\n"
      "ld.global.u32 %r2, [%rd2];\n";  // 32 lines
  for (unsigned i = 3; i < 16; ++i) body += "ld.global.u32 %r" + std::to_string(i) + ", [%rd1];\n";
  const WatchedRun run = run_watched({"default", {"icache_bytes=0", "l1_cycle=8", "l1_ways=64"}}, body);
  EXPECT_GT(run.waited_for(4, IdleCause::MemoryStage), 100U);
  for (Pc pc = 0; pc < 4; ++pc) EXPECT_EQ(run.waited_for(pc, IdleCause::MemoryStage), 0U);
}

TEST(CoreWatch, fetches_are_charged_to_the_instruction_that_is_fetched) {
  const WatchedRun run = run_watched({"large-warp-2010"}, "add.u32 %r1, %r2, 1;\n");
  EXPECT_GT(run.waited_for(0, IdleCause::Fetch), 0U);
  EXPECT_EQ(run.waited_for(1, IdleCause::Fetch), 0U) << "it is on the same line";
}

// One warp works for long, seven are at the barrier.
TEST(CoreWatch, says_where_most_warps_wait_at_a_barrier) {
  const std::string body = "mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 bra MEET;\n" +
                           repeat("sin.approx.f32 %f1, %f1;\n", 100) + "MEET: bar.sync 0;\n";
  const WatchedRun run = run_watched({"default", {"icache_bytes=0"}}, body, {256});
  uint64_t behind = 0, in_all = 0;
  for (const Idled& event : run.heard->idle) {
    in_all += event.cycles;
    behind += event.barrier == 104 ? event.cycles : 0;
    EXPECT_TRUE(event.barrier == 104 || event.barrier == kNoPc);
  }
  EXPECT_GT(behind, in_all * 3 / 4);
}

// ---- accesses

TEST(CoreWatch, accesses_know_their_lines_sectors_and_stride) {
  const auto access = [](unsigned stride, std::string_view instruction = "ld.global.u32 %r2, [%rd2];\n") {
    const std::string address =
        "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, " + std::to_string(stride) + "; add.u64 %rd2, %rd2, %rd1;\n";
    return run_watched({"default", {"l1_line=128", "coalesce_lanes=32"}}, address + std::string(instruction))
        .access_at(4);
  };
  const Accessed dense = access(4), pairs = access(8), apart = access(128);
  EXPECT_EQ(dense.threads, 32U);
  EXPECT_EQ(dense.lines, 1U);
  EXPECT_EQ(dense.sectors, 4U);
  EXPECT_EQ(dense.stride, 4);
  EXPECT_EQ(dense.misses, 1U);
  EXPECT_EQ(pairs.lines, 2U);
  EXPECT_EQ(pairs.sectors, 8U);
  EXPECT_EQ(apart.lines, 32U);
  EXPECT_EQ(apart.sectors, 32U);
  EXPECT_EQ(apart.stride, 128);
  EXPECT_EQ(access(0).stride, 0);
  EXPECT_EQ(access(4, "ld.u32 %r2, [%rd2];\n").space, Space::Global) << "where a generic address points";
  EXPECT_EQ(access(4, "st.global.u32 [%rd2], %r1;\n").sectors, 4U);
}

TEST(CoreWatch, a_load_of_what_is_there_hits) {
  const WatchedRun run =
      run_watched(plain_l1(), "ld.global.u32 %r2, [%rd1]; add.u32 %r3, %r2, 1; ld.global.u32 %r2, [%rd1];\n");
  EXPECT_EQ(run.access_at(1).misses, 1U);
  EXPECT_EQ(run.access_at(3).hits, 1U);
}

TEST(CoreWatch, accesses_to_shared_memory_know_their_passes) {
  const auto passes = [](unsigned stride) {
    const std::string body = "mov.u32 %r1, %tid.x; mul.lo.u32 %r2, %r1, " + std::to_string(stride) +
                             "; mov.u32 %r3, words; add.u32 %r2, %r2, %r3; ld.shared.u32 %r4, [%r2];\n";
    return run_watched({"default", {"shared_banks=32"}}, body, {32}, ".shared .align 4 .b8 words[8192];\n")
        .access_at(5);
  };
  EXPECT_EQ(passes(4).bank_passes, 1U);
  EXPECT_EQ(passes(8).bank_passes, 2U);
  EXPECT_EQ(passes(128).bank_passes, 32U);
  EXPECT_EQ(passes(128).space, Space::Shared);
  EXPECT_EQ(passes(128).lines, 0U);
}

}  // namespace
}  // namespace heddle::test

// Instructions that are several of the machine's, or a part of another: what they take of the port and the units, and
// when their results are there. The costs are made up.
#include <fmt/format.h>

#include "core/issue_table.h"
#include "core/micro.h"
#include "gpu/cycle_machine.h"

namespace heddle::test {
namespace {

MachineCost cost(Unit last, uint8_t slots = 1, uint16_t before = 0) {
  MachineCost made;
  made.slots = slots;
  made.before = before;
  made.last = last;
  made.units[static_cast<size_t>(last)] = slots;
  return made;
}

// A kernel without parameters, of `times` times one instruction; all of those cost what is said.
class Made {
 public:
  Made(std::string_view instruction, unsigned times, const MachineCost& each, std::vector<std::string> set = {}) {
    set.insert(set.end(), {"icache_bytes=0", "int_latency=4", "sfu_latency=16", "sfu_interval=8", "sync_latency=30"});
    config_ = make_config("default", set);
    options_.timed = true;
    options_.schedule = "rr";
    const std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { .reg .b32 %r<9>;\n" +
                             repeat(instruction, times) + "ret; }\n";
    kernel_ = *Program::load(std::make_shared<ptx::Source>("k.ptx", text))->kernel("k");
    kernel_.costs.assign(kernel_.code.size(), each);
    kernel_.costs.back() = cost(Unit::Control);
  }
  void set_cost(Pc pc, const MachineCost& each) { kernel_.costs[pc] = each; }

  KernelStats run(unsigned threads = 32) {
    LaunchInfo launch;
    launch.block = {threads};
    launch.cores = 1;
    const ConstantPlane constants = constant_plane_of(std::vector<std::byte>(kernel_.constant_bytes));
    CycleMachine machine(config_, options_);
    machine.begin({kernel_, launch, constants, options_, false, [](Context&) {}}, memory_, CoreCycle{0});
    return machine.run()->stats();
  }

 private:
  Config config_ = make_config();
  GpuOptions options_;
  Kernel kernel_;
  GlobalMemory memory_;
};

constexpr std::string_view kChain = "add.u32 %r1, %r1, 1;\n";

double each(const MachineCost& cost, unsigned threads = 32, std::string_view instruction = kChain) {
  const uint64_t few = Made(instruction, 40, cost).run(threads).timing->cycles;
  const uint64_t many = Made(instruction, 140, cost).run(threads).timing->cycles;
  return static_cast<double>(many - few) / 100;
}

TEST(MachineCost, a_result_is_there_behind_the_slots_the_chain_and_the_latency_of_the_last) {
  EXPECT_EQ(each(cost(Unit::Integer)), 4);
  EXPECT_EQ(each(cost(Unit::Integer, 3)), 2 + 4);
  EXPECT_EQ(each(cost(Unit::Integer, 3, 10)), 10 + 2 + 4);
  EXPECT_EQ(each(cost(Unit::Special)), 16);
}

TEST(MachineCost, the_port_is_taken_for_all_slots) {
  // 32 warps: no chain is as long as their turns.
  EXPECT_EQ(each(cost(Unit::Integer), 1024), 32);
  EXPECT_EQ(each(cost(Unit::Integer, 3), 1024), 3 * 32);
  EXPECT_EQ(each(cost(Unit::Integer, 3, 10), 1024), 3 * 32) << "the chain takes nobody's place";
}

TEST(MachineCost, each_unit_is_taken_for_its_share_of_the_slots) {
  MachineCost mixed = cost(Unit::Integer, 3);
  mixed.units = {};
  mixed.units[static_cast<size_t>(Unit::Integer)] = 2;
  mixed.units[static_cast<size_t>(Unit::Special)] = 1;
  EXPECT_EQ(each(mixed, 1024), 8 * 32) << "the special-function unit takes one in eight cycles";
  mixed.units[static_cast<size_t>(Unit::Special)] = 2;
  EXPECT_EQ(each(mixed, 1024), 16 * 32);
}

TEST(MachineCost, what_is_part_of_another_takes_no_cycle) {
  const MachineCost nothing = cost(Unit::Integer, 0);
  EXPECT_EQ(each(nothing), 0);
  EXPECT_EQ(each(nothing, 1024), 0);
}

TEST(MachineCost, who_waits_for_a_part_waits_for_what_that_reads) {
  // %f2 is %f1 under another name: the third instruction waits for the first.
  const auto cycles = [](std::string_view last) {
    const std::string text = "ex2.approx.ftz.f32 %f1, %f1;\nmov.f32 %f2, %f1;\n" + std::string(last);
    Made made(".reg .f32 %f<4>;\n" + text, 1, cost(Unit::Integer));
    made.set_cost(0, cost(Unit::Special));
    made.set_cost(1, cost(Unit::Integer, 0));
    return made.run().timing->cycles;
  };
  EXPECT_EQ(cycles("mov.f32 %f3, %f2;\n"), cycles("mov.f32 %f3, %f1;\n"));
  // It issues 16 cycles behind the first, then the return, of 4 cycles. Who waits for nothing ends with the first.
  EXPECT_EQ(cycles("mov.f32 %f3, %f2;\n"), cycles("mov.f32 %f3, 0f00000000;\n") + 1 + 4);
}

TEST(MachineCost, a_result_is_there_later_or_earlier_for_who_reads_it_first) {
  MachineCost later = cost(Unit::Integer), earlier = cost(Unit::Integer, 2);
  later.after = 9;
  earlier.after = -1;
  EXPECT_EQ(each(later), 4 + 9);
  EXPECT_EQ(each(later, 1024), 32) << "nobody's place is taken";
  EXPECT_EQ(each(earlier), 1 + 4 - 1);
}

TEST(MachineCost, a_warp_waits_as_long_as_it_is_held) {
  MachineCost holds = cost(Unit::Integer);
  holds.holds = 20;
  EXPECT_EQ(each(holds, 32, "mov.u32 %r1, 1;\n"), 20) << "though nothing is waited for";
  EXPECT_EQ(each(holds, 1024, "mov.u32 %r1, 1;\n"), 32);
}

// A sequence of a special function, two sums and an end, as long as a whole one.
MachineCost stepwise(const std::vector<MachineStep>& steps) {
  MachineCost made = cost(Unit::Integer, 4, 20);
  made.units = {};
  made.units[static_cast<size_t>(Unit::Special)] = 1;
  made.units[static_cast<size_t>(Unit::Integer)] = 3;
  made.holds = 27;
  made.steps = &steps;
  return made;
}

const std::vector<MachineStep> kSteps{{Unit::Special, 1, false, 0, 0},
                                      {Unit::Integer, 1, false, 0, 16},
                                      {Unit::Integer, 1, false, 0, 20},
                                      {Unit::Integer, 1, false, 0, 23}};

TEST(MachineCost, step_by_step_a_sequence_takes_as_long_as_a_whole_one) {
  MachineCost whole = stepwise(kSteps);
  whole.steps = nullptr;
  EXPECT_EQ(each(whole), 27);
  EXPECT_EQ(each(stepwise(kSteps)), 27);
}

TEST(MachineCost, step_by_step_the_same_machine_instructions_are_counted) {
  const auto core = [](const MachineCost& each) { return Made(kChain, 10, each).run(20).timing->cores[0]; };
  MachineCost whole = stepwise(kSteps);
  whole.steps = nullptr;
  EXPECT_EQ(core(stepwise(kSteps)).machine_instructions, core(whole).machine_instructions);
  EXPECT_EQ(core(stepwise(kSteps)).machine_threads, core(whole).machine_threads);
}

// The special-function unit is what limits, as of a whole one; but a step of another warp may have the port in the
// cycle in which it becomes free.
TEST(MachineCost, each_step_takes_its_unit_when_its_turn_comes) {
  EXPECT_GT(each(stepwise(kSteps), 1024), 8 * 32);
  EXPECT_LE(each(stepwise(kSteps), 1024), (8 + 1) * 32);
}

TEST(MachineCost, a_third_read_and_a_wide_result_take_their_units_longer) {
  const auto many = [](const MachineCost& each, const char* set) {
    const uint64_t few = Made(kChain, 40, each, {set, "f64_interval=2"}).run(1024).timing->cycles;
    return static_cast<double>(Made(kChain, 140, each, {set, "f64_interval=2"}).run(1024).timing->cycles - few) / 100;
  };
  MachineCost third = cost(Unit::Double), wide = cost(Unit::Special);
  EXPECT_EQ(many(third, "f64_third_read=1"), 2 * 32);
  third.third_reads = 1;
  EXPECT_EQ(many(third, "f64_third_read=1"), 3 * 32);
  EXPECT_EQ(many(wide, "sfu_wide_result=1"), 8 * 32);
  wide.wide_results = 1;
  EXPECT_EQ(many(wide, "sfu_wide_result=1"), 9 * 32);
}

// Sums stand right behind the special function, which so leaves its queue two cycles later than it could.
TEST(MachineCost, a_step_waits_for_the_special_function_that_it_reads_and_for_no_other) {
  std::vector<MachineStep> steps{{Unit::Special, 1, false, 0, 0}};
  for (uint16_t at = 1; at <= 5; ++at) steps.push_back({Unit::Integer, 1, false, 0, at});
  steps.push_back({Unit::Integer, 1, false, 0, 16, 1});
  MachineCost made = cost(Unit::Integer, 7, 10);
  made.units = {};
  made.units[static_cast<size_t>(Unit::Special)] = 1;
  made.units[static_cast<size_t>(Unit::Integer)] = 6;
  made.holds = 20;
  made.steps = &steps;
  const auto each = [&](std::vector<std::string> set) {
    set.emplace_back("sfu_queue_cycles=4");
    const uint64_t few = Made(kChain, 40, made, set).run().timing->cycles;
    return static_cast<double>(Made(kChain, 140, made, set).run().timing->cycles - few) / 100;
  };
  EXPECT_EQ(each({"sfu_queue=0"}), 16 + 4);
  EXPECT_EQ(each({"sfu_queue=4"}), 6 + 12 + 4) << "the first cycle in which nothing is issued, and what is left of 16";
  steps.back().results = 0;
  EXPECT_EQ(each({"sfu_queue=4"}), 16 + 4);
}

TEST(MachineCost, step_by_step_through_a_queue_a_sequence_takes_as_long) {
  std::vector<MachineStep> steps = kSteps;
  steps[1].results = 1;
  const auto cycles = [&](unsigned times) {
    return Made(kChain, times, stepwise(steps), {"sfu_queue=4", "sfu_queue_cycles=4"}).run().timing->cycles;
  };
  EXPECT_EQ(cycles(140) - cycles(40), 100 * 27);
}

// As of an H200: docs/validation.md, what goes beside what.
TEST(MachineCost, what_reads_its_registers_longer_takes_the_port_longer) {
  const auto many = [](const MachineCost& each, const char* set) {
    const std::vector<std::string> all{set, "f64_interval=1"};
    const uint64_t few = Made(kChain, 40, each, all).run(1024).timing->cycles;
    return static_cast<double>(Made(kChain, 140, each, all).run(1024).timing->cycles - few) / 100;
  };
  MachineCost third = cost(Unit::Double, 2);
  third.third_reads = 1;
  EXPECT_EQ(many(third, "f64_third_port=0"), 2 * 32);
  EXPECT_EQ(many(third, "f64_third_port=1"), 3 * 32);
  EXPECT_EQ(many(cost(Unit::Double), "f64_thirds=0"), 32);
  EXPECT_NEAR(many(cost(Unit::Double), "f64_thirds=2"), 5.0 / 3 * 32, 0.5);
  EXPECT_EQ(many(cost(Unit::Double), "f64_thirds=3"), 2 * 32);
}

TEST(MachineCost, products_and_single_precision_may_be_one_pipe) {
  MachineCost both = cost(Unit::Single, 5);
  both.units[static_cast<size_t>(Unit::Multiply)] = 1;
  both.units[static_cast<size_t>(Unit::Single)] = 4;
  const auto many = [&](const char* set) {
    const std::vector<std::string> all{set, "f32_interval=1", "mul_interval=2"};
    const uint64_t few = Made(kChain, 40, both, all).run(1024).timing->cycles;
    return static_cast<double>(Made(kChain, 140, both, all).run(1024).timing->cycles - few) / 100;
  };
  EXPECT_EQ(many("mul_with_f32=false"), 5 * 32);
  EXPECT_EQ(many("mul_with_f32=true"), 6 * 32);
}

TEST(MachineCost, jumps_take_thirds_of_a_cycle_more) {
  MachineCost jumps = cost(Unit::Integer);
  jumps.refetches = 1;
  const auto cycles = [&](const char* set, unsigned times) {
    return static_cast<double>(Made(kChain, times, jumps, {set}).run(1024).timing->cycles);
  };
  EXPECT_EQ((cycles("jump_thirds=0", 130) - cycles("jump_thirds=0", 40)) / 90, 2 * 32);
  EXPECT_NEAR((cycles("jump_thirds=1", 130) - cycles("jump_thirds=1", 40)) / 90, 7.0 / 3 * 32, 0.5);
}

TEST(MachineCost, what_is_fetched_anew_takes_the_port) {
  MachineCost jumps = cost(Unit::Integer);
  jumps.refetches = 2;
  EXPECT_EQ(each(jumps, 1024), 3 * 32);
}

// Shuffles that need nothing of each other follow each other; a chain of them waits for each.
TEST(MachineCost, a_warp_goes_on_behind_a_warp_wide_instruction) {
  std::string four;
  for (const char* to : {"1", "3", "5", "7"}) four += fmt::format("shfl.sync.bfly.b32 %r{}, %r2, 1, 31, -1;\n", to);
  EXPECT_EQ(each(cost(Unit::Special), 32, four), 4 * 8) << "the unit takes one in eight cycles";
  EXPECT_EQ(each(cost(Unit::Special), 32, "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;\n"), 30);
}

TEST(MachineCost, machine_instructions_are_counted_beside_the_slots) {
  Made made(kChain, 10, cost(Unit::Integer, 3));
  made.set_cost(4, cost(Unit::Integer, 0));
  const KernelStats stats = made.run(20);
  const CoreStats core = stats.timing->cores[0];
  EXPECT_EQ(stats.issue_slots, 11U);
  EXPECT_EQ(core.machine_instructions, 9 * 3 + 1U);
  EXPECT_EQ(core.machine_threads, 20 * core.machine_instructions);
  EXPECT_EQ(core.issue_cycles[20], core.machine_instructions);
}

}  // namespace
}  // namespace heddle::test

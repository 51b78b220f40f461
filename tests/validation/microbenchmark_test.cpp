// The microbenchmarks on a machine whose numbers are known: they find them again.
#include "bench/hardware/microbenchmark.h"

#include <gtest/gtest.h>

#include "run/runner.h"
#include "validation/validation.h"

namespace heddle {
namespace {

// Every latency another one, so that none is taken for its neighbour.
RunSpec known_machine() {
  RunSpec spec;
  spec.preset = "default";
  spec.mechanism = "its";
  spec.settings = {"cores=2",         "channels=2",         "sub_cores=4",      "int_latency=6",  "f32_latency=5",
                   "f32_interval=1",  "f64_latency=11",     "f64_interval=3",   "sfu_latency=19", "sfu_interval=8",
                   "sync_latency=21", "memory_latency=29",  "l1_latency=3",     "l2_latency=10",  "network_latency=8",
                   "core_clock=1000", "network_clock=1000", "memory_clock=1000"};
  return spec;
}

double measured(const std::string& name, const RunSpec& machine = known_machine()) {
  const ValidatedMicro row = validate_micro({name, "", 1, 1, 1}, machine);
  EXPECT_EQ(row.failure, "") << name;
  return row.value.simulated;
}

void expect_within(double part, double value, const std::string& name, const RunSpec& machine = known_machine()) {
  EXPECT_NEAR(measured(name, machine), value, part * value) << name;
}

TEST(Microbenchmarks, ALatencyIsThatOfTheUnit) {
  expect_within(0.02, 5, "latency.fma.f32");
  expect_within(0.02, 5, "latency.add.f32");
  expect_within(0.02, 6, "latency.lop3.b32");
  expect_within(0.02, 11, "latency.fma.f64");
  expect_within(0.02, 19, "latency.ex2.f32");
  expect_within(0.02, 21, "latency.shfl");
}

TEST(Microbenchmarks, ARateIsThatOfTheUnitsOfAllSubCores) {
  expect_within(0.02, 4.0, "rate.fma.f32");
  expect_within(0.02, 4.0 / 3, "rate.fma.f64");
  expect_within(0.02, 4.0 / 8, "rate.ex2.f32");
}

TEST(Microbenchmarks, AChaseFindsTheDistanceOfEachMemory) {
  expect_within(0.01, 29, "shared.latency");
  expect_within(0.01, 29 + 3 - 1, "l1.latency");
}

TEST(Microbenchmarks, AConflictTakesAPassForEachOfItsLanes) {
  RunSpec machine = known_machine();
  machine.settings.emplace_back("code=machine");  // whose loads stand together, so that no warp waits for one of them
  for (const unsigned stride : {2, 4, 8, 16, 32})
    expect_within(0.03, stride, "shared.load.stride" + std::to_string(stride), machine);
  // The warps go in step: at the end of a trip of 256 loads all wait for the guard of its branch, nine cycles more than
  // for an operand.
  expect_within(0.03, 1 + 9.0 / 256, "shared.load.b32", machine);
  expect_within(0.03, 1, "shared.store.b32", machine);
}

TEST(Microbenchmarks, ANameThatNoneHasIsARowWithItsReason) {
  EXPECT_EQ(validate_micro({"latency.fma.f33", "", 1, 1, 1}, known_machine()).failure,
            "no microbenchmark of that name");
}

TEST(Microbenchmarks, WhatTheMachineCannotRunIsARowWithItsReason) {
  RunSpec spec = known_machine();
  spec.settings.emplace_back("max_cycles=10");
  EXPECT_NE(validate_micro({"latency.fma.f32", "", 1, 1, 1}, spec).failure, "");
}

}  // namespace
}  // namespace heddle

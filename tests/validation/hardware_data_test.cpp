// The reader of what a GPU gave.
#include "validation/hardware_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "bench/hardware/microbenchmark.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

const std::string kHardwareHead = "kind,name,kernel,measure,value,least,most\n";
const std::string kHardwareDevice = "device,A GPU,,core_clock,1500,,\n";

std::string refused(const std::string& text) {
  try {
    hardware_data_of(text, "x.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    return error.what();
  }
  return "read";
}

TEST(HardwareData, HasTheDeviceItsMicrobenchmarksAndItsKernels) {
  const HardwareData data = hardware_data_of(kHardwareHead + kHardwareDevice +
                                                 "micro,l1.latency,,cycles,33.5,33,34\n"
                                                 "kernel,bfs,expand,launches,12,,\n"
                                                 "kernel,bfs,expand,cycles,1000,900,1100\r\n"
                                                 "kernel,bfs,update,cycles,10,,\n"
                                                 "kernel,mum,update,cycles,20,,\n",
                                             "x.csv");
  EXPECT_EQ(data.device, "A GPU");
  EXPECT_EQ(data.core_clock, 1500U);
  ASSERT_EQ(data.micro.size(), 1U);
  EXPECT_EQ(data.micro[0].name, "l1.latency");
  EXPECT_EQ(data.micro[0].unit, "cycles");
  EXPECT_EQ(data.micro[0].value, 33.5);
  EXPECT_EQ(data.micro[0].least, 33);
  EXPECT_EQ(data.micro[0].most, 34);
  ASSERT_EQ(data.kernels.size(), 3U);  // kernels of one name in two workloads are two
  EXPECT_EQ(data.kernels[0].values.at("launches"), 12);
  EXPECT_EQ(data.kernels[0].values.at("cycles"), 1000);
  EXPECT_EQ(data.kernels[0].least_cycles, 900);
  EXPECT_EQ(data.kernels[0].most_cycles, 1100);
  EXPECT_EQ(data.kernels[1].least_cycles, 10);  // measured once
  EXPECT_EQ(data.kernels[2].workload, "mum");
}

TEST(HardwareData, SaysWhichLineIsWrong) {
  EXPECT_EQ(refused("kind,name\n"), "x.csv:1: must be kind,name,kernel,measure,value,least,most");
  EXPECT_EQ(refused(""), "x.csv:1: must be kind,name,kernel,measure,value,least,most");
  EXPECT_EQ(refused(kHardwareHead + kHardwareDevice + "micro,a,,cycles,1\n"), "x.csv:3: a row has 7 cells, not 5");
  EXPECT_EQ(refused(kHardwareHead + kHardwareDevice + "micro,a,,cycles,fast,,\n"), "x.csv:3: 'fast' is no number");
  EXPECT_EQ(refused(kHardwareHead + "micro,a,,cycles,1,2x,3\n"), "x.csv:2: '2x' is no number");
  EXPECT_EQ(refused(kHardwareHead + kHardwareDevice + "kernel,a,b,cycles,,,\n"), "x.csv:3: '' is no number");
  EXPECT_EQ(refused(kHardwareHead + kHardwareDevice + "\n"), "x.csv:3: a row has 7 cells, not 1");
  EXPECT_EQ(refused(kHardwareHead + "colonel,a,b,cycles,1,,\n"),
            "x.csv:2: a row is of a device, micro or kernel, not 'colonel'");
  EXPECT_EQ(refused(kHardwareHead), "x.csv: no row says the clock (device,NAME,,core_clock,MHZ,,)");
}

TEST(HardwareData, AFileThatIsNotThereIsNamed) {
  try {
    read_hardware_data("/nowhere/h300.csv");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot read /nowhere/h300.csv");
  }
}

// What is recorded can be asked of heddle, and what heddle can be asked was recorded.
TEST(HardwareData, TheH200HasEveryMicrobenchmarkInItsUnit) {
  const HardwareData data = read_hardware_data("h200");
  std::set<std::pair<std::string, std::string>> recorded, known;
  for (const HardwareData::Micro& micro : data.micro) {
    EXPECT_TRUE(recorded.emplace(micro.name, micro.unit).second) << micro.name;
    EXPECT_GT(micro.value, 0) << micro.name;
    EXPECT_LE(micro.least, micro.value) << micro.name;
    EXPECT_GE(micro.most, micro.value) << micro.name;
  }
  for (const hardware::Microbenchmark& bench : hardware::microbenchmarks())
    EXPECT_TRUE(known.emplace(bench.name, bench.unit).second) << bench.name;
  EXPECT_EQ(recorded, known);
}

TEST(HardwareData, TheH200HasKernelsOfEveryWorkloadOfThePapersAndOfNoOther) {
  const HardwareData data = read_hardware_data("h200");
  std::set<std::string> recorded;
  for (const HardwareData::Kernel& kernel : data.kernels) {
    recorded.insert(kernel.workload);
    for (const char* measure :
         {"launches", "cycles", "instructions", "thread_instructions", "l1_sectors", "l2_sectors"})
      EXPECT_TRUE(kernel.values.contains(measure)) << kernel.workload << " " << kernel.name << " " << measure;
    EXPECT_LE(kernel.least_cycles, kernel.values.at("cycles"));
    EXPECT_GE(kernel.most_cycles, kernel.values.at("cycles"));
    EXPECT_LE(kernel.values.at("thread_instructions"), 32 * kernel.values.at("instructions"));
    EXPECT_LE(kernel.values.at("l1_sector_hits"), kernel.values.at("l1_sectors"));
  }
  for (const workloads::Workload& workload : workloads::all())
    EXPECT_TRUE(workload.kind != workloads::Kind::Usual || recorded.contains(std::string(workload.name)))
        << workload.name;
  for (const std::string& name : recorded)
    EXPECT_TRUE(std::any_of(workloads::all().begin(), workloads::all().end(), [&](const workloads::Workload& workload) {
      return workload.name == name;
    })) << name;
}

}  // namespace
}  // namespace heddle

// The oracle itself is right: by the workloads' CPU checks, and by what an H200 computed.
#include "support/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "support/vectors.h"
#include "workloads/workload.h"

namespace heddle::test::oracle_test {
namespace {

using oracle::OracleDevice;

TEST(Oracle, passes_the_cpu_check_of_every_workload_that_does_not_lean_on_warp_synchrony) {
  for (const workloads::Workload& workload : workloads::all()) {
    if (workload.name == "nvrt") continue;       // lane 0 alone would take all the work before the others look
    if (workload.name == "workqueue") continue;  // whoever is alone waits for ever
    OracleDevice device;
    device.load(workload.name, workload.ptx());
    const workloads::Check check = workload.run(device, workloads::Size::Tiny);
    EXPECT_TRUE(check.passed) << workload.name << ": " << check.detail;
    EXPECT_GT(device.thread_instructions(), device.threads()) << workload.name;
  }
}

// Reads "kernel=k grid=1,1,1 …".
std::map<std::string, std::string> read_meta(const std::string& path) {
  std::map<std::string, std::string> meta;
  for (const std::string& word : split(read_file(path), ' '))
    if (const size_t equals = word.find('='); equals != std::string::npos)
      meta[word.substr(0, equals)] = word.substr(equals + 1);
  return meta;
}

Dim3 dim_of(const std::string& text) {
  const auto parts = split(text, ',');
  const auto at = [&](size_t i) { return static_cast<uint32_t>(std::stoul(parts[i])); };
  return {at(0), at(1), at(2)};
}

TEST(Oracle, gives_the_bytes_of_the_h200_for_the_recorded_programs) {
  unsigned programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_CONFORMANCE "/programs")) {
    if (entry.path().extension() != ".meta") continue;
    ++programs;
    const std::string stem = entry.path().parent_path() / entry.path().stem();
    const std::string name = entry.path().stem().string();
    auto meta = read_meta(entry.path());
    const std::string input = read_file(stem + ".in.bin"), expected = read_file(stem + ".out.bin");
    OracleDevice device;
    device.load(name, read_file(entry.path().parent_path() / (name.substr(0, name.find('.')) + ".ptx")));
    const Address in = device.allocate(input.size(), "in"), out = device.allocate(expected.size(), "out");
    std::string got(expected.size(), static_cast<char>(0xA5));
    device.write(in, input.data(), input.size());
    device.write(out, got.data(), got.size());
    const auto shared = static_cast<uint32_t>(std::stoul(meta["dynsmem"]));
    device.launch(meta["kernel"], {dim_of(meta["grid"]), dim_of(meta["block"]), shared, false},
                  Arguments(in, out, std::stoi(meta["n"])));
    device.read(got.data(), out, got.size());
    EXPECT_TRUE(got == expected) << name;
  }
  EXPECT_EQ(programs, 9U);
}

TEST(Oracle, reports_a_barrier_that_not_all_threads_reach) {
  OracleDevice device;
  device.load("deadlock.ptx", R"(
    .version 7.0
    .target sm_70
    .address_size 64
    .visible .entry k() {
      .reg .pred %p;
      .reg .b32 %r;
      mov.u32 %r, %tid.x;
      setp.eq.u32 %p, %r, 0;
      @%p bra ONE;
      bar.sync 0;
      exit;
    ONE:
      bar.sync 1;
      exit;
    })");
  try {
    device.launch("k", {{1}, {2}}, Arguments());
    FAIL() << "it ended";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Deadlock);
  }
}

}  // namespace
}  // namespace heddle::test::oracle_test

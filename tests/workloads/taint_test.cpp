// What branches depend on, against the oracle: threads that run alone carry the source of a value with the value.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/gpu.h"
#include "support/amount.h"
#include "support/oracle.h"
#include "support/random_kernel.h"

namespace heddle::test::taint_test {
namespace {

using Branches = std::map<Pc, oracle::BranchThreads>;

void run(Device& device, const RandomKernel& kernel, const std::string& ptx) {
  device.load("random.ptx", ptx);
  const Buffer<uint32_t> out(device, size_t{kernel.blocks} * kernel.threads * RandomKernel::kWords, "out");
  device.launch("k", {{kernel.blocks}, {kernel.threads}}, Arguments(out.address()));
}

Branches by_oracle(const RandomKernel& kernel, const std::string& ptx) {
  oracle::OracleDevice device;
  run(device, kernel, ptx);
  return device.branches();
}

// Nothing where the mechanism refuses the kernel.
std::optional<Branches> by_gpu(const RandomKernel& kernel, const std::string& ptx, std::string_view mechanism,
                               bool timed) {
  const std::string assignments[] = {fmt::format("warp_size={}", kernel.warp_size),
                                     fmt::format("simd_width={}", std::min(8U, kernel.warp_size)), "cores=2"};
  GpuOptions options;
  options.mechanism = mechanism;
  options.timed = timed;
  options.instruments.add("taint");
  Gpu gpu(make_config("default", assignments), options);
  try {
    run(gpu, kernel, ptx);
  } catch (const Error& error) {
    if (error.code() == ExitCode::Refused) return std::nullopt;
    throw;
  }
  Branches branches;
  for (const BranchRecord& record : gpu.launches()[0].branch_records)
    if (record.kind != BranchKind::Unknown) branches[record.pc] = {record.threads, record.data_threads};
  return branches;
}

std::string text_of(const Branches& branches) {
  std::string text;
  for (const auto& [pc, threads] : branches) text += fmt::format("{}:{}/{} ", pc, threads.data, threads.all);
  return text;
}

// A bound keeps no records of branches.
std::vector<std::string_view> real_mechanisms() {
  std::vector<std::string_view> names;
  for (const MechanismRow& row : mechanisms())
    if (!row.bound) names.push_back(row.name);
  return names;
}

TEST(TaintOfRandomKernels, IsUnderEveryMechanismWhatTheOracleSays) {
  const std::vector<std::string_view> names = real_mechanisms();
  unsigned failures = 0, mixed = 0;
  for (uint64_t seed = 1; seed <= amount(5000, 600, 100) && failures < 3; ++seed) {
    const RandomKernel kernel = random_kernel(seed);
    const std::string ptx = kernel.ptx();
    const Branches expected = by_oracle(kernel, ptx);
    for (const auto& [pc, threads] : expected) mixed += threads.data > 0 && threads.data < threads.all;
    for (size_t turn : {seed, seed + names.size() / 2}) {
      const std::string_view name = names[turn % names.size()];
      const std::optional<Branches> got = by_gpu(kernel, ptx, name, turn != seed && seed % 4 == 0);
      if (!got || *got == expected) continue;
      const RandomKernel small = shrunk(kernel, [&](const RandomKernel& other) {
        return by_gpu(other, other.ptx(), name, false) != by_oracle(other, other.ptx());
      });
      ADD_FAILURE() << "seed " << seed << " under " << name << "\n"
                    << text_of(*got) << "\n"
                    << text_of(expected) << "\n"
                    << small.ptx();
      ++failures;
    }
  }
  EXPECT_GT(mixed, amount(300, 30, 4));  // branches that depend on data for some threads only
}

}  // namespace
}  // namespace heddle::test::taint_test

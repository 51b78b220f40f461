// Random kernels leave under every mechanism what the oracle leaves, and execute as many thread instructions, with a
// clock and without.
#include "support/random_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/gpu.h"
#include "support/amount.h"
#include "support/memory_image.h"
#include "support/oracle.h"

namespace heddle::test::random_kernel_test {
namespace {

std::vector<uint32_t> run(Device& device, const RandomKernel& kernel) {
  Buffer<uint32_t> out(device, size_t{kernel.blocks} * kernel.threads * RandomKernel::kWords, "out");
  device.launch("k", {{kernel.blocks}, {kernel.threads}}, Arguments(out.address()));
  return out.download();
}

struct Left {  // what a run leaves
  std::vector<uint32_t> words;
  uint64_t thread_instructions = 0;
};

Left by_oracle(const RandomKernel& kernel, const std::string& ptx) {
  oracle::OracleDevice device;
  device.load("random.ptx", ptx);
  Left left;
  left.words = run(device, kernel);
  left.thread_instructions = device.thread_instructions();
  return left;
}

struct How {
  std::string_view mechanism;
  std::string_view machine = "";  // a preset with its clock; "": emulation
  std::string_view lanes = "none";
};

// "" or what is wrong.
std::string compare(const RandomKernel& kernel, const std::string& ptx, const Left& expected, const How& how) {
  const std::string assignments[] = {fmt::format("warp_size={}", kernel.warp_size),
                                     fmt::format("simd_width={}", std::min(8U, kernel.warp_size)),
                                     "max_slots=100000000", "cores=2"};
  GpuOptions options;
  options.mechanism = how.mechanism;
  options.timed = !how.machine.empty();
  options.lanes = LaneMap::named(how.lanes);
  Gpu gpu(make_config(options.timed ? how.machine : "default", assignments), options);
  gpu.load("random.ptx", ptx);
  try {
    const std::vector<uint32_t> got = run(gpu, kernel);
    for (size_t i = 0; i < got.size(); ++i)
      if (got[i] != expected.words[i])
        return fmt::format("word {} of thread {}: {:#x}, the oracle has {:#x}", i % RandomKernel::kWords,
                           i / RandomKernel::kWords, got[i], expected.words[i]);
  } catch (const Error& error) {
    if (error.code() == ExitCode::Refused) return "";
    return error.what();
  }
  if (gpu.total().thread_instructions != expected.thread_instructions)
    return fmt::format("{} thread instructions, the oracle has {}", gpu.total().thread_instructions,
                       expected.thread_instructions);
  return "";
}

std::string failure(const RandomKernel& kernel, const How& how) {
  const std::string ptx = kernel.ptx();
  return compare(kernel, ptx, by_oracle(kernel, ptx), how);
}

std::string report(const RandomKernel& kernel, const How& how) {
  const RandomKernel small = shrunk(kernel, [&](const RandomKernel& other) { return !failure(other, how).empty(); });
  return fmt::format(
      "seed {} under {} {}, lanes {}, shrunk from {} to {} statements, {} blocks of {} threads, warp_size={}:\n{}\n{}",
      kernel.seed, how.mechanism, how.machine, how.lanes, kernel.statements(), small.statements(), small.blocks,
      small.threads, small.warp_size, failure(small, how), small.ptx());
}

constexpr std::string_view kMachines[] = {"tbc-hpca11", "default", "large-warp-2010"};

// Every third mechanism in turn, every sixth with a clock too, under one lane map after the other.
std::vector<How> turns(uint64_t seed) {
  std::vector<How> result;
  for (const MechanismRow& mechanism : mechanisms()) {
    const std::string_view lanes = LaneMap::all()[seed / 3 % LaneMap::all().size()].name;
    const std::string_view machine = kMachines[seed / 6 % std::size(kMachines)];
    if (full_run() || seed % 3 == 0) result.push_back({mechanism.name, "", lanes});
    if (full_run() || seed % 6 == 0) result.push_back({mechanism.name, machine, lanes});
    ++seed;
  }
  return result;
}

TEST(RandomKernels, leave_under_every_mechanism_what_the_oracle_leaves) {
  const uint64_t count = amount(10000, 600, 120);
  unsigned failures = 0;
  for (uint64_t seed = 1; seed <= count && failures < 3; ++seed) {
    const RandomKernel kernel = random_kernel(seed);
    const std::string ptx = kernel.ptx();
    const Left expected = by_oracle(kernel, ptx);
    for (const How& how : turns(seed)) {
      if (compare(kernel, ptx, expected, how).empty()) continue;
      ADD_FAILURE() << report(kernel, how);
      ++failures;
    }
  }
}

TEST(RandomKernels, contain_every_kind_of_statement) {
  std::array<unsigned, static_cast<size_t>(Statement::Kind::Shuffle) + 1> seen{};
  const std::function<void(const std::vector<Statement>&)> note = [&](const std::vector<Statement>& body) {
    for (const Statement& s : body) {
      ++seen[static_cast<size_t>(s.kind)];
      for (const auto& inner : s.bodies) note(inner);
    }
  };
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomKernel kernel = random_kernel(seed);
    note(kernel.body);
    for (const auto& function : kernel.functions) note(function);
  }
  for (size_t kind = 0; kind < seen.size(); ++kind) EXPECT_GE(seen[kind], 20U) << "kind " << kind;
}

TEST(RandomKernels, are_the_same_for_the_same_seed_and_differ_between_seeds) {
  EXPECT_EQ(random_kernel(7).ptx(), random_kernel(7).ptx());
  EXPECT_NE(random_kernel(7).ptx(), random_kernel(8).ptx());
}

TEST(RandomKernels, shrink_to_what_is_needed_to_fail) {
  const auto recurses = [](const RandomKernel& kernel) {
    bool found = false;
    const std::function<void(const std::vector<Statement>&)> look = [&](const std::vector<Statement>& body) {
      for (const Statement& s : body) {
        found = found || s.kind == Statement::Kind::Recurse;
        for (const auto& inner : s.bodies) look(inner);
      }
    };
    for (const auto& function : kernel.functions) look(function);
    return found;
  };
  uint64_t seed = 1;
  while (!recurses(random_kernel(seed)) || random_kernel(seed).statements() < 15) ++seed;
  const RandomKernel small = shrunk(random_kernel(seed), recurses);
  EXPECT_EQ(small.statements(), 1U);
  EXPECT_EQ(small.threads, 1U);
}

}  // namespace
}  // namespace heddle::test::random_kernel_test

// Every instruction variant of the archive, through the very same PTX as on the H200, compared bit for bit.
// Approximations are held to the manual's error bound; their distance from the hardware is printed beside it.
#include "support/vectors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "conformance/approximations.h"
#include "gpu/gpu.h"

namespace heddle::test {
namespace {

struct Tally {
  unsigned passed = 0, failed = 0;
};

class Vectors : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    set_ = std::make_unique<VectorSet>(HEDDLE_CONFORMANCE "/vectors");
    unspecified_ = std::make_unique<VectorSet>(HEDDLE_CONFORMANCE "/vectors_unspec");
  }
  static void TearDownTestSuite() {
    set_.reset();
    unspecified_.reset();
  }

  static std::vector<std::byte> run(const VectorSet& set, const VectorCase& c, const std::string& mechanism = "pdom") {
    static std::map<std::string, std::shared_ptr<const Program>> programs;
    auto& program = programs[set.module_path(c)];
    if (!program) program = Program::load(ptx::Source::from_file(set.module_path(c)));
    GpuOptions options;
    options.mechanism = mechanism;
    Gpu gpu(make_config("default", {}), options);
    gpu.load(program);
    const Address in = gpu.allocate(c.in_bytes, "in"), out = gpu.allocate(c.out_bytes, "out");
    gpu.write(in, set.inputs(c), c.in_bytes);
    std::vector<std::byte> result(c.out_bytes, std::byte{0xA5});
    gpu.write(out, result.data(), result.size());
    Arguments arguments(in, out, c.n);
    for (const auto& parameter : c.extra_parameters) arguments.add(parameter.data(), parameter.size());
    gpu.launch(c.kernel, {c.grid, c.block, c.shared, false}, arguments);
    gpu.read(result.data(), out, result.size());
    return result;
  }

  // The first difference as text, or "" if there is none.
  static std::string difference(const VectorSet& set, const VectorCase& c, const std::vector<std::byte>& got) {
    const std::byte* expected = set.outputs(c);
    if (std::memcmp(got.data(), expected, c.out_bytes) == 0) return "";
    for (size_t record = 0; (record + 1) * c.out_stride <= c.out_bytes; ++record)
      for (const Field& field : c.outputs) {
        const uint64_t ours = bits_at(got.data() + record * c.out_stride, field);
        const uint64_t theirs = bits_at(expected + record * c.out_stride, field);
        if (same_value(ours, theirs, field.type)) continue;
        std::string inputs;
        for (const Field& input : c.inputs)
          inputs += fmt::format(" {}={:#x}", input.name, bits_at(set.inputs(c) + record * c.in_stride, input));
        return fmt::format("record {}:{} gives {}={:#x}, the H200 {:#x}", record, inputs, field.name, ours, theirs);
      }
    return "";
  }

  static inline std::unique_ptr<VectorSet> set_, unspecified_;
};

void print(const std::map<std::string, Tally>& tallies) {
  Tally all;
  fmt::print("{:<16}{:>8}{:>8}\n", "family", "passed", "failed");
  for (const auto& [family, tally] : tallies) {
    fmt::print("{:<16}{:>8}{:>8}\n", family, tally.passed, tally.failed);
    all.passed += tally.passed;
    all.failed += tally.failed;
  }
  fmt::print("{:<16}{:>8}{:>8}\n", "all", all.passed, all.failed);
}

TEST_F(Vectors, every_exact_variant_gives_the_bits_of_the_h200) {
  std::map<std::string, Tally> tallies;
  for (const VectorCase& c : set_->cases()) {
    if (c.kind != "exact") continue;
    Tally& tally = tallies[c.family];
    try {
      const std::string found = difference(*set_, c, run(*set_, c));
      ++(found.empty() ? tally.passed : tally.failed);
      EXPECT_TRUE(found.empty()) << c.id << " " << c.variant << ": " << found;
    } catch (const Error& error) {
      ++tally.failed;
      ADD_FAILURE() << c.id << " " << c.variant << ": " << error.what();
    }
  }
  print(tallies);
}

TEST_F(Vectors, every_approximation_is_within_the_bound_of_the_manual_or_has_the_bits_of_the_h200) {
  fmt::print("{:<24}{:>12}{:>16}{:>20}  {}\n", "instruction", "bound used", "ulp from exact", "ulp from the H200",
             "bound of the manual");
  for (const VectorCase& c : set_->cases()) {
    if (c.kind != "approx") continue;
    const std::vector<std::byte> got = run(*set_, c);
    const ApproximationReport report = check_approximation(c, set_->inputs(c), got.data(), set_->outputs(c));
    EXPECT_TRUE(report.first_violation.empty()) << c.id << " " << c.variant << ": " << report.first_violation;
    fmt::print("{:<24}{:>11.0f}%{:>16}{:>20}  {}\n", c.variant, 100 * report.worst_of_bound, report.worst_ulp_exact,
               report.worst_ulp_hardware, report.bound);
  }
}

TEST_F(Vectors, results_that_ptx_leaves_open_are_those_of_the_h200) {
  unsigned same = 0, all = 0;
  std::string others;
  for (const VectorCase& c : unspecified_->cases()) {
    ++all;
    const std::string found = difference(*unspecified_, c, run(*unspecified_, c));
    if (found.empty())
      ++same;
    else
      others += fmt::format("  {}: {}\n", c.variant, found);
  }
  fmt::print("{} of {} as the hardware does\n{}", same, all, others);
  EXPECT_EQ(same, all) << others;
}

}  // namespace
}  // namespace heddle::test

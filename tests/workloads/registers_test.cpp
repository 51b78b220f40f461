// Estimated registers against those that NVIDIA's assembler assigns to the same PTX (tools/measure-registers).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "program/program.h"

namespace heddle::test::registers_test {
namespace {

struct Assigned {
  std::string workload, text, stamp, kernel;
  unsigned registers = 0;
};

std::vector<Assigned> assigned_registers() {
  std::ifstream file(HEDDLE_SOURCE "/tests/data/ptxas-registers.txt");
  std::vector<Assigned> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    Assigned row;
    std::istringstream(line) >> row.workload >> row.text >> row.stamp >> row.kernel >> row.registers;
    rows.push_back(row);
  }
  return rows;
}

// The text a row was measured on; "" if it has changed since.
std::string text_of(const Assigned& row) {
  std::ifstream file(fmt::format("{}/workloads/{}/{}", HEDDLE_SOURCE, row.workload, row.text));
  std::ostringstream text;
  text << file.rdbuf();
  const std::string first = text.str().substr(0, text.str().find('\n'));
  return first.find(row.stamp) == std::string::npos ? "" : text.str();
}

// Up to 16 every thread of a full core has: 1024 threads, 16384 registers. Fewer change no occupancy, and real
// allocators do not save where there is nothing to gain.
double counted(unsigned registers) { return std::max(16U, registers); }

TEST(RegisterEstimate, IsThatOfARealAllocatorWithinATenthAndWithoutBias) {
  const std::vector<Assigned> rows = assigned_registers();
  std::map<std::string, std::shared_ptr<const Program>> programs;
  double errors = 0, bias = 0;
  unsigned compared = 0;
  std::string list;
  for (const Assigned& row : rows) {
    auto [entry, added] = programs.try_emplace(row.workload + "/" + row.text);
    const std::string text = added ? text_of(row) : "";
    if (!text.empty()) entry->second = Program::load(std::make_shared<ptx::Source>(entry->first, text));
    if (!entry->second) continue;  // the text has changed
    const unsigned estimate = entry->second->kernel(row.kernel)->registers;
    const double error = counted(estimate) / counted(row.registers) - 1;
    errors += std::abs(error);
    bias += error;
    ++compared;
    list += fmt::format("{:36} {:28} {:3} {:3} {:+4.0f} %\n", entry->first, row.kernel, row.registers, estimate,
                        100 * error);
  }
  ASSERT_GE(4 * compared, 3 * rows.size()) << "tools/measure-registers makes the figures anew";
  ASSERT_GT(compared, 150U);
  EXPECT_LT(errors / compared, 0.10) << list;
  EXPECT_LT(std::abs(bias / compared), 0.02) << list;
}

}  // namespace
}  // namespace heddle::test::registers_test

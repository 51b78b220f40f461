// Every run of the ledger comes out as it is written there. `tools/update-ledger` writes it anew; the commit that
// changes it says why.
#include "ledger/ledger.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "support/amount.h"

namespace heddle::ledger {
namespace {

std::vector<std::string> rows() {
  std::ifstream file(HEDDLE_SOURCE "/tests/ledger/ledger.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

Entry entry_of(const std::string& row) {
  std::istringstream words(row);
  Entry entry;
  words >> entry.workload >> entry.size >> entry.machine >> entry.mechanism;
  return entry;
}

// Each `every`-th row of a size comes out the same, from another one on with every commit.
void check(std::string_view size, size_t every) {
  size_t n = 0, checked = 0;
  for (const std::string& row : rows()) {
    const Entry entry = entry_of(row);
    if (entry.size != size || n++ % every != test::turn() % every) continue;
    EXPECT_EQ(row_of(entry), row);
    ++checked;
  }
  EXPECT_GT(checked, 0U);
}

TEST(Ledger, is_sorted_and_has_every_workload_mechanism_and_machine) {
  const std::vector<std::string> lines = rows();
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
  std::set<std::string> keys;
  for (const std::string& line : lines) keys.insert(entry_of(line).key());
  EXPECT_EQ(keys.size(), lines.size());
  for (const Entry& entry : all_entries(workloads::Size::Tiny)) EXPECT_TRUE(keys.contains(entry.key())) << entry.key();
}

// A prime that does not divide a workload's number of rows meets every workload, mechanism and machine.
TEST(Ledger, of_size_tiny_is_as_written) { check("tiny", test::amount(1, 29, 431)); }
TEST(Ledger, of_size_small_is_as_written) { check("small", test::amount(1, 29, 431)); }

}  // namespace
}  // namespace heddle::ledger

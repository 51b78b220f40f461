// Prints the ledger, or the rows of some workloads, mechanisms and machines: update_ledger [NAME…]. tools/update-ledger
// puts them where they belong.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

#include "ledger/ledger.h"

using namespace heddle;

int main(int argc, char** argv) {
  const std::vector<std::string> names(argv + 1, argv + argc);
  std::vector<std::pair<ledger::Entry, uint64_t>> work;
  const auto named = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto add = [&](workloads::Size size, uint64_t most) {
    for (ledger::Entry& entry : ledger::all_entries(size))
      if (names.empty() || named(entry.workload) || named(entry.mechanism) || named(entry.machine))
        work.emplace_back(std::move(entry), most);
  };
  add(workloads::Size::Tiny, 0);
  add(workloads::Size::Small, ledger::kSmallSlots);

  std::vector<std::string> rows(work.size());
  std::atomic<size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
    workers.emplace_back([&] {
      for (size_t k; (k = next++) < work.size();) rows[k] = ledger::row_of(work[k].first, work[k].second);
    });
  for (std::thread& worker : workers) worker.join();

  std::erase(rows, "");
  std::sort(rows.begin(), rows.end());
  for (const std::string& row : rows) std::puts(row.c_str());
}

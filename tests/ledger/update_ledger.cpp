// Prints the ledger: update_ledger [JOBS]. tools/update-ledger puts it where it belongs.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "ledger/ledger.h"

using namespace heddle;

int main(int argc, char** argv) {
  const unsigned jobs = argc > 1 ? std::max(1, std::atoi(argv[1])) : std::thread::hardware_concurrency();
  std::vector<std::pair<ledger::Entry, uint64_t>> work;
  for (ledger::Entry& entry : ledger::all_entries(workloads::Size::Tiny)) work.emplace_back(std::move(entry), 0);
  for (ledger::Entry& entry : ledger::all_entries(workloads::Size::Small))
    work.emplace_back(std::move(entry), ledger::kSmallSlots);

  std::vector<std::string> rows(work.size());
  std::atomic<size_t> next = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < jobs; ++i)
    workers.emplace_back([&] {
      for (size_t k; (k = next++) < work.size();) rows[k] = ledger::row_of(work[k].first, work[k].second);
    });
  for (std::thread& worker : workers) worker.join();

  std::erase(rows, "");
  std::sort(rows.begin(), rows.end());
  for (const std::string& row : rows) std::puts(row.c_str());
}

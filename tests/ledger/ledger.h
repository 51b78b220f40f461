// The ledger: what every workload costs under every mechanism on every machine, to the slot and the cycle, so that a
// change of timing is seen, and explained by the commit that makes it.
//
// A row of tests/ledger/ledger.txt is one run:
//   workload size machine mechanism  issue_slots active_threads cycles memory
// machine is a preset with its clock, or `emulation`. cycles are the sum over launches, `-` without a clock. memory is
// a fingerprint of every allocation at the end. A run that is refused or ends in an error has its exit code instead of
// figures. Rows are sorted as text. Size small has the rows that take few issue slots (kSmallSlots).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/workload.h"

namespace heddle::ledger {

inline constexpr uint64_t kSmallSlots = 400'000;  // under a second at cycle level
// More than any run that ends, of the rows there are: nvrt under implicit-stack goes round for ever, and has exit 6.
inline constexpr uint64_t kEndless = 4'000'000;
// Where lanes may wait for each other for ever, that is found out soon.
inline constexpr uint64_t kSpinLimit = 20'000;

struct Entry {
  std::string workload, size, machine, mechanism;
  std::string key() const;
};

std::vector<Entry> all_entries(workloads::Size size);  // every workload x mechanism x machine that has a meaning
// The whole row, or "" where the run takes more issue slots than `most` (0: any number that ends).
std::string row_of(const Entry& entry, uint64_t most = 0);

}  // namespace heddle::ledger

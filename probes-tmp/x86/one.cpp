#include <cstdio>
#include <cstdlib>
#include "ledger/ledger.h"
using namespace heddle;
int main(int argc, char** argv) {
  const bool small = argv[1][0] == 's';
  const uint64_t most = std::strtoull(argv[2], 0, 10);
  const size_t from = std::strtoull(argv[3],0,10), step = std::strtoull(argv[4],0,10);
  auto all = ledger::all_entries(small ? workloads::Size::Small : workloads::Size::Tiny);
  for (size_t i = from; i < all.size(); i += step) { auto r = ledger::row_of(all[i], most); if (!r.empty()) { std::puts(r.c_str()); std::fflush(stdout);} }
}

#include "divergence/support/adequacy_table.h"

#include <algorithm>

#include "base/error.h"

namespace heddle {

AdequacyTable::History AdequacyTable::history_named(std::string_view name) {
  if (name == "1b-latest") return History::Latest;
  if (name == "1b-sticky") return History::Sticky;
  if (name == "2b-counter") return History::Counter;
  if (name == "always") return History::Always;
  require(name == "never", "unknown history of capri");
  return History::Never;
}

unsigned AdequacyTable::first() const {
  switch (history_) {
    case History::Latest:
    case History::Sticky:
    case History::Always: return 1;
    case History::Counter: return 2;
    case History::Never: return 0;
  }
  return 1;
}

bool AdequacyTable::look_up(Pc branch) {
  ++lookups_;
  auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& each) { return each.branch == branch; });
  if (row == rows_.end()) {
    ++misses_;
    if (entries_ > 0 && rows_.size() == entries_) {
      ++evictions_;
      rows_.erase(
          std::min_element(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.used < b.used; }));
    }
    rows_.push_back({branch, first(), 0});
    most_rows_ = std::max(most_rows_, rows_.size());
    row = rows_.end() - 1;
  }
  row->used = lookups_;
  return adequate(*row);
}

void AdequacyTable::update(Pc branch, bool adequate) {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& each) { return each.branch == branch; });
  if (row == rows_.end()) return;
  switch (history_) {
    case History::Latest: row->history = adequate ? 1 : 0; break;
    case History::Sticky:
    case History::Always:
    case History::Never: break;
    case History::Counter:
      row->history = adequate ? std::min(row->history + 1, 3U) : row->history - (row->history > 0);
      break;
  }
}

bool AdequacyTable::has(Pc branch) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return row.branch == branch; });
}

uint64_t AdequacyTable::bits() const { return 32 + 1 + (history_ == History::Counter ? 2 : 1); }

}  // namespace heddle

#include "memory/mshrs.h"

#include "base/error.h"

namespace heddle {

Mshrs::Mshrs(unsigned entries, unsigned targets, bool each)
    : limit_(targets), all_targets_(each ? entries : kNone), entries_(entries) {
  require(entries > 0 && targets > 0, "an MSHR file needs entries and targets");
  for (unsigned entry = 0; entry < entries; ++entry) entries_[entry].first = entry + 1 < entries ? entry + 1 : kNone;
  free_entry_ = 0;
  nodes_.reserve(entries);
}

}  // namespace heddle

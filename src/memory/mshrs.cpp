#include "memory/mshrs.h"

#include "base/error.h"

namespace heddle {

Mshrs::Mshrs(unsigned entries, unsigned targets, bool each)
    : most_(entries), limit_(targets), all_targets_(each ? entries : kNone) {
  require(entries > 0 && targets > 0, "an MSHR file needs entries and targets");
  entries_.reserve(entries);
  nodes_.reserve(entries);
}

}  // namespace heddle

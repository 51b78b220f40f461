// A place in a run of the code: a PC at a call depth.
#pragma once

#include "base/types.h"

namespace heddle {

struct CodePoint {
  Pc pc = kNoPc;  // kNoPc: never reached
  unsigned depth = 0;
  bool operator==(const CodePoint&) const = default;
};

}  // namespace heddle

// A part of many runs, for machines that share the folder of results: of N parts the I-th has every N-th run.
#pragma once

#include <cstddef>
#include <string_view>

namespace heddle {

struct Shard {
  size_t index = 0, count = 1;  // from 0 on

  static Shard of(std::string_view text);  // "2/4" is the second of four; Error (Usage) if it is none
  bool has(size_t run) const { return run % count == index; }
  bool whole() const { return count == 1; }
};

}  // namespace heddle

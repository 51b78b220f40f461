// A set of code addresses, lowest first.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle {

class PcSet {
 public:
  explicit PcSet(size_t size) : words_((size + 63) / 64) {}
  void insert(Pc pc) { words_[pc / 64] |= uint64_t{1} << pc % 64; }
  void erase(Pc pc) { words_[pc / 64] &= ~(uint64_t{1} << pc % 64); }
  template <class F>
  void for_each(F&& f) const {
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t left = words_[i]; left != 0; left &= left - 1)
        f(static_cast<Pc>(i * 64 + static_cast<size_t>(std::countr_zero(left))));
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace heddle

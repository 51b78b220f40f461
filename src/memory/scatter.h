// Numbers dealt out over places in a random order: of `rounds` rounds together each place gets as many, but not one of
// each round, so that few numbers in a row meet some places more often than others. What a place gets it keeps in
// the order of the numbers. All that many rounds are alike, but that they start elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/deal.h"

namespace heddle {

class Scatter {
 public:
  Scatter(unsigned places, unsigned rounds);  // no rounds: it is not used

  bool used() const { return !dealt_.empty(); }
  Deal::Dealt operator()(uint64_t number) const {
    const Deal::Dealt turned = start_(number);
    const Entry& entry = dealt_[turned.place];
    return {entry.place, turned.round * rounds_ + entry.order};
  }

 private:
  struct Entry {
    uint16_t place, order;
  };
  unsigned rounds_;
  Deal start_;
  std::vector<Entry> dealt_;
};

}  // namespace heddle

#include "memory/scatter.h"

#include <cstddef>
#include <utility>

namespace heddle {

Scatter::Scatter(unsigned places, unsigned rounds)
    : rounds_(rounds), start_(places * rounds, true), dealt_(size_t{places} * rounds) {
  for (size_t i = 0; i < dealt_.size(); ++i) dealt_[i].place = static_cast<uint16_t>(i % places);
  uint64_t state = 1;
  for (size_t i = dealt_.size(); i > 1; --i) {
    state = state * 0x5851'F42D'4C95'7F2Du + 1;
    std::swap(dealt_[i - 1].place, dealt_[(state >> 32) * i >> 32].place);
  }
  std::vector<uint16_t> given(places);
  for (Entry& entry : dealt_) entry.order = given[entry.place]++;
}

}  // namespace heddle

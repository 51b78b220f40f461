// "100:200", "100:", ":200": from one number up to another, which is not included.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct Range {
  uint64_t from = 0, to = UINT64_MAX;
  bool contains(uint64_t number) const { return number >= from && number < to; }
};

// `what` are its numbers, for the message. Error (Usage) for what is no range, or an empty one.
Range range_of(const std::string& text, const std::string& what);

}  // namespace heddle

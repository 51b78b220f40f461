// What a mechanism counts beside what every machine does.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace heddle {

struct Counter {
  enum class Kind : uint8_t { Sum, Peak };  // of several cores and launches
  std::string_view name;                    // a constant
  uint64_t value = 0;
  Kind kind = Kind::Sum;
  bool operator==(const Counter&) const = default;
};

void add_counters(std::vector<Counter>& to, std::span<const Counter> from);

}  // namespace heddle

// A column of numbers as compact text, for recordings of many events.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace heddle {

// The differences from number to number (the first from 0), zigzag, as LEB128 bytes in base64. Where all numbers are a
// step apart, [first, step, count] stands for it. docs/json.md describes both.
nlohmann::ordered_json column_json(const std::vector<uint64_t>& numbers);

template <class Items, class Pick>
nlohmann::ordered_json column_of(const Items& items, Pick&& pick) {
  std::vector<uint64_t> numbers;
  numbers.reserve(items.size());
  for (const auto& item : items) numbers.push_back(static_cast<uint64_t>(pick(item)));
  return column_json(numbers);
}

}  // namespace heddle

// A range of numbers as experiments write it: "> 1.02", ">= 1", "< 0.9", "<= 0", "= 0", "0.95 .. 1.05".
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace heddle {

struct Condition {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool with_low = true, with_high = true;  // the ends belong to it

  bool contains(double value) const {
    return (with_low ? value >= low : value > low) && (with_high ? value <= high : value < high);
  }
  std::string text() const;

  static Condition around(double centre, double distance) { return {centre - distance, centre + distance}; }
  static Condition parse(std::string_view text, std::string_view place);  // Error (Usage) that names the place
};

}  // namespace heddle

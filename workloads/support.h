// What several workloads share: seeded inputs that are the same on every platform, and comparisons that
// name the first difference.
//
// Inputs must not depend on the compiler: a*b+c may or may not be contracted into one rounding, and the
// distributions of the standard library are not specified. So Random is written out, uses fma by name, and
// workloads make their inputs with nothing else.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/workload.h"

namespace heddle::workloads {

template <class T>
constexpr T by_size(Size size, T tiny, T small, T paper) {
  switch (size) {
    case Size::Tiny: return tiny;
    case Size::Small: return small;
    case Size::Paper: return paper;
  }
  return paper;
}

constexpr uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

// splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  uint32_t below(uint32_t bound);              // 0 … bound-1; the bias of 2^-32 does not matter here
  int32_t between(int32_t low, int32_t high);  // low … high, both included
  float unit();                                // [0, 1), a multiple of 2^-24
  float between(float low, float high);        // [low, high]

 private:
  uint64_t state_;
};

// |got - expected| <= absolute + relative * |expected|
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

// Every element equal; not a number equals nothing.
Check compare(std::string_view what, const std::vector<uint8_t>& expected, const std::vector<uint8_t>& got);
Check compare(std::string_view what, const std::vector<int32_t>& expected, const std::vector<int32_t>& got);
Check compare(std::string_view what, const std::vector<uint32_t>& expected, const std::vector<uint32_t>& got);
Check compare(std::string_view what, const std::vector<float>& expected, const std::vector<float>& got);
// Every element within the tolerance of a reference computed in double precision.
Check compare(std::string_view what, const std::vector<double>& expected, const std::vector<float>& got,
              Tolerance tolerance);

// Passed if all passed; the details of those that failed, or of all when none did.
Check all_of(std::initializer_list<Check> checks);

}  // namespace heddle::workloads

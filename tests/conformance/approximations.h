// How far an approximation is from the true value, against the bound the PTX manual gives.
#pragma once

#include <string>

#include "support/vectors.h"

namespace heddle::test {

struct ApproximationReport {
  std::string bound;                // the manual's words
  double worst_of_bound = 0;        // largest error as a fraction of the bound
  uint64_t worst_ulp_exact = 0;     // against the correctly rounded result
  uint64_t worst_ulp_hardware = 0;  // against the H200
  std::string
      first_violation;  // empty if none; special results (NaN, infinity, zero of either sign) must be the hardware's
};

ApproximationReport check_approximation(const VectorCase& c, const std::byte* inputs, const std::byte* got,
                                        const std::byte* hardware);

}  // namespace heddle::test

#pragma once

// Elementary functions in double, good to about 1e-15. The host's libm would do, but its last bits
// differ between hosts; plain additions and multiplications do not.

namespace heddle::numeric {

// 2^x for -1100 < x < 1100, without overflow care.
double exp2_double(double x);
// log2 of a positive, finite, normal x.
double log2_double(double x);
// sin and cos of a full turn times x, |x| <= 1.
double sin_turns(double x);
double cos_turns(double x);
double tanh_double(double x);

}  // namespace heddle::numeric

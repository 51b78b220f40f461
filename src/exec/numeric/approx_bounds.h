#pragma once

// The error bounds of the approximations as the PTX ISA manual (9.0) states them, for tests. Where the
// manual bounds only a part of the range, the text says which.

#include <array>
#include <string_view>

namespace heddle::numeric {

struct ApproxBound {
  enum class Kind { Ulp, Relative, Absolute };
  std::string_view instruction;
  Kind kind;
  double limit;
  std::string_view text;
};

inline constexpr std::array<ApproxBound, 22> approx_bounds{{
    {"div.approx.f32", ApproxBound::Kind::Ulp, 2,
     "2 ulp for |b| in [2^-126, 2^126]; beyond 2^126 the result is zero, NaN if a is infinite"},
    {"div.full.f32", ApproxBound::Kind::Ulp, 2, "2 ulp on the full range"},
    {"rcp.approx.f32", ApproxBound::Kind::Ulp, 1, "1 ulp on the full range"},
    {"rcp.approx.ftz.f64", ApproxBound::Kind::Relative, 0x1p-20,
     "20 bits of mantissa, the lower half of the result zero"},
    {"sqrt.approx.f32", ApproxBound::Kind::Relative, 0x1p-23, "relative 2^-23"},
    {"rsqrt.approx.f32", ApproxBound::Kind::Relative, 0x1.1d96a4p-23, "relative 2^-22.9"},
    {"rsqrt.approx.f64", ApproxBound::Kind::Ulp, 1, "an approximation; the hardware keeps 1 ulp"},
    {"rsqrt.approx.ftz.f64", ApproxBound::Kind::Relative, 0x1p-20,
     "20 bits of mantissa, the lower half of the result zero"},
    {"sin.approx.f32", ApproxBound::Kind::Absolute, 0x1.6a09e6p-21,
     "absolute 2^-20.5 on [-2pi, 2pi], 2^-14.7 on [-100pi, 100pi]"},
    {"cos.approx.f32", ApproxBound::Kind::Absolute, 0x1.6a09e6p-21,
     "absolute 2^-20.5 on [-2pi, 2pi], 2^-14.7 on [-100pi, 100pi]"},
    {"lg2.approx.f32", ApproxBound::Kind::Relative, 0x1p-22,
     "absolute 2^-22 for x in (0.5, 2), relative 2^-22 elsewhere"},
    {"ex2.approx.f32", ApproxBound::Kind::Relative, 0x1.0p-22, "2 ulp + ulp of x for large |x|; relative 2^-22 otherwise"},
    {"tanh.approx.f32", ApproxBound::Kind::Relative, 0x1p-11, "relative 2^-11"},
    {"ex2.approx.f16", ApproxBound::Kind::Relative, 0x1.e07ep-10, "relative 2^-9.9"},
    {"ex2.approx.f16x2", ApproxBound::Kind::Relative, 0x1.e07ep-10, "relative 2^-9.9"},
    {"ex2.approx.ftz.bf16", ApproxBound::Kind::Relative, 0x1p-7, "relative 2^-7"},
    {"ex2.approx.ftz.bf16x2", ApproxBound::Kind::Relative, 0x1p-7, "relative 2^-7"},
    {"tanh.approx.f16", ApproxBound::Kind::Absolute, 0x1.fb9p-11, "absolute 2^-10.987"},
    {"tanh.approx.f16x2", ApproxBound::Kind::Absolute, 0x1.fb9p-11, "absolute 2^-10.987"},
    {"tanh.approx.bf16", ApproxBound::Kind::Absolute, 0x1p-8, "absolute 2^-8"},
    {"tanh.approx.bf16x2", ApproxBound::Kind::Absolute, 0x1p-8, "absolute 2^-8"},
    {"sqrt.approx.ftz.f32", ApproxBound::Kind::Relative, 0x1p-23, "relative 2^-23"},
}};

}  // namespace heddle::numeric

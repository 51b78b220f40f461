#pragma once

// The error bounds of the approximations as the PTX ISA manual gives them, for tests against
// mathematics. (Against an H200 the functions of approximate.h are exact.) Where the manual bounds only
// a part of the range, the text says which. The .ftz forms keep the bounds of the plain ones.

#include <array>
#include <string_view>

namespace heddle::numeric {

struct ApproxBound {
  enum class Kind {
    Ulp,       // distance from the correctly rounded result, in steps of the format
    Relative,  // to the exact result, where the computed one is normal
    Absolute,
  };
  std::string_view instruction;
  Kind kind;
  double limit;
  std::string_view text;
};

inline constexpr std::array<ApproxBound, 21> approx_bounds{{
    {"div.approx.f32", ApproxBound::Kind::Ulp, 2,
     "2 ulp for |b| in [2^-126, 2^126]; beyond 2^126 zero, or NaN if a is infinite"},
    {"div.full.f32", ApproxBound::Kind::Ulp, 2, "2 ulp on the full range"},
    {"rcp.approx.f32", ApproxBound::Kind::Ulp, 1, "1 ulp on the full range"},
    {"sqrt.approx.f32", ApproxBound::Kind::Relative, 0x1p-23, "relative 2^-23"},
    {"rsqrt.approx.f32", ApproxBound::Kind::Relative, 0x1.125fbfp-23, "relative 2^-22.9"},
    {"sin.approx.f32", ApproxBound::Kind::Absolute, 0x1.6a09e7p-21,
     "absolute 2^-20.5 on [-2pi, 2pi], 2^-14.7 on [-100pi, 100pi]"},
    {"cos.approx.f32", ApproxBound::Kind::Absolute, 0x1.6a09e7p-21,
     "absolute 2^-20.5 on [-2pi, 2pi], 2^-14.7 on [-100pi, 100pi]"},
    {"lg2.approx.f32", ApproxBound::Kind::Relative, 0x1p-22,
     "relative 2^-22; for x in (0.5, 2) absolute 2^-22 instead"},
    {"ex2.approx.f32", ApproxBound::Kind::Relative, 0x1p-22, "relative 2^-22"},
    {"tanh.approx.f32", ApproxBound::Kind::Relative, 0x1p-11, "relative 2^-11"},
    {"rcp.approx.ftz.f64", ApproxBound::Kind::Relative, 0x1p-20, "the upper 32 bits of the result; the lower are zero"},
    {"rsqrt.approx.ftz.f64", ApproxBound::Kind::Relative, 0x1p-20,
     "the upper 32 bits of the result; the lower are zero"},
    {"rsqrt.approx.f64", ApproxBound::Kind::Ulp, 1, "no bound in the manual; the hardware keeps 1 ulp"},
    {"ex2.approx.f16", ApproxBound::Kind::Relative, 0x1.125fbfp-10, "relative 2^-9.9"},
    {"ex2.approx.f16x2", ApproxBound::Kind::Relative, 0x1.125fbfp-10, "relative 2^-9.9"},
    {"ex2.approx.ftz.bf16", ApproxBound::Kind::Relative, 0x1p-7, "relative 2^-7"},
    {"ex2.approx.ftz.bf16x2", ApproxBound::Kind::Relative, 0x1p-7, "relative 2^-7"},
    {"tanh.approx.f16", ApproxBound::Kind::Absolute, 0x1.027p-11, "absolute 2^-10.987"},
    {"tanh.approx.f16x2", ApproxBound::Kind::Absolute, 0x1.027p-11, "absolute 2^-10.987"},
    {"tanh.approx.bf16", ApproxBound::Kind::Absolute, 0x1p-8, "absolute 2^-8"},
    {"tanh.approx.bf16x2", ApproxBound::Kind::Absolute, 0x1p-8, "absolute 2^-8"},
}};

}  // namespace heddle::numeric

// The approximations: everything .approx, and div.full.
#include "exec/numeric/approximate.h"

#include "exec/scalar/form.h"

namespace heddle {
namespace {

// f32 takes .ftz.
template <class F>
Scalar f32(const Instruction& i, F) {
  return unary(Types<float>{}, i, [](const Instruction& i, float x) { return F{}(x, i.has(Mod::Ftz)); });
}

Scalar rcp(const Instruction& i) {
  if (i.type == Type::F64) return scalar_of<double>([](double x) { return numeric::rcp_approx_ftz(x); });
  return f32(i, [](float x, bool ftz) { return numeric::rcp_approx(x, ftz); });
}
Scalar rsqrt(const Instruction& i) {
  if (i.type == Type::F32) return f32(i, [](float x, bool ftz) { return numeric::rsqrt_approx(x, ftz); });
  if (i.has(Mod::Ftz)) return scalar_of<double>([](double x) { return numeric::rsqrt_approx_ftz(x); });
  return scalar_of<double>([](double x) { return numeric::rsqrt_approx(x); });
}
Scalar sqrt(const Instruction& i) {
  return f32(i, [](float x, bool ftz) { return numeric::sqrt_approx(x, ftz); });
}
Scalar sin(const Instruction& i) {
  return f32(i, [](float x, bool ftz) { return numeric::sin_approx(x, ftz); });
}
Scalar cos(const Instruction& i) {
  return f32(i, [](float x, bool ftz) { return numeric::cos_approx(x, ftz); });
}
Scalar lg2(const Instruction& i) {
  return f32(i, [](float x, bool ftz) { return numeric::lg2_approx(x, ftz); });
}

Scalar ex2(const Instruction& i) {
  if (i.type == Type::F32) return f32(i, [](float x, bool ftz) { return numeric::ex2_approx(x, ftz); });
  return unary(kHalves, i, [](auto x) {
    if constexpr (std::is_same_v<decltype(x), Bf16>)
      return numeric::ex2_approx_ftz(x);
    else
      return numeric::ex2_approx(x);
  });
}
Scalar tanh(const Instruction& i) {
  return unary(Types<float, F16, Bf16, Pair<F16>, Pair<Bf16>>{}, i, [](auto x) { return numeric::tanh_approx(x); });
}

Scalar div(const Instruction&) {
  return scalar_of<float, float>([](const Instruction& i, float a, float b) {
    const bool ftz = i.has(Mod::Ftz);
    return i.has(Mod::Full) ? numeric::div_full(a, b, ftz) : numeric::div_approx(a, b, ftz);
  });
}

constexpr ScalarRow kRows[] = {
    {Op::Cos, cos},     {Op::Div, div}, {Op::Ex2, ex2},   {Op::Lg2, lg2},   {Op::Rcp, rcp},
    {Op::Rsqrt, rsqrt}, {Op::Sin, sin}, {Op::Sqrt, sqrt}, {Op::Tanh, tanh},
};

}  // namespace

Scalar select_approximate(const Instruction& i) {
  if (!i.has(Mod::Approx) && !i.has(Mod::Full)) return nullptr;
  return select_from(kRows, i);
}

}  // namespace heddle

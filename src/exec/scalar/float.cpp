// f32 and f64 arithmetic, correctly rounded.
#include "exec/numeric/float32.h"
#include "exec/numeric/float64.h"
#include "exec/numeric/min_max.h"
#include "exec/numeric/sign.h"
#include "exec/scalar/form.h"

namespace heddle {
namespace {

// One operation, with all its overloads: (a, b) to nearest, (a, b, rounding), (a, b, rounding, ftz).
constexpr auto kAdd = [](auto... x) { return numeric::add(x...); };
constexpr auto kSub = [](auto... x) { return numeric::sub(x...); };
constexpr auto kMul = [](auto... x) { return numeric::mul(x...); };
constexpr auto kFma = [](auto... x) { return numeric::fma(x...); };
constexpr auto kDiv = [](auto... x) { return numeric::div(x...); };
constexpr auto kRcp = [](auto... x) { return numeric::rcp(x...); };
constexpr auto kSqrt = [](auto... x) { return numeric::sqrt(x...); };
constexpr auto kAddFtz = [](auto... x) { return numeric::add_ftz(x...); };
constexpr auto kSubFtz = [](auto... x) { return numeric::sub_ftz(x...); };
constexpr auto kMulFtz = [](auto... x) { return numeric::mul_ftz(x...); };
constexpr auto kFmaFtz = [](auto... x) { return numeric::fma_ftz(x...); };

// Short operands of a mixed operation are widened first, which is exact.
template <class T>
T widened(T x) {
  return x;
}
inline float widened(F16 x) { return numeric::widen(x); }
inline float widened(Bf16 x) { return numeric::widen(x); }

// f32 to nearest without .ftz, or anything else.
template <class... Sources, class Operation>
Scalar f32_form(const Instruction& i, Operation) {
  if (rounding_of(i) == Rounding::Rn && !i.has(Mod::Ftz))
    return scalar_of<Sources...>(
        [](const Instruction& i, auto... x) { return clamped(i, Operation{}(widened(x)...)); });
  return scalar_of<Sources...>([](const Instruction& i, auto... x) {
    return clamped(i, Operation{}(widened(x)..., rounding_of(i), i.has(Mod::Ftz)));
  });
}
// The same for operations that have a quick form with .ftz.
template <class... Sources, class Operation, class Flushing>
Scalar f32_form(const Instruction& i, Operation operation, Flushing) {
  if (rounding_of(i) == Rounding::Rn && i.has(Mod::Ftz))
    return scalar_of<Sources...>([](const Instruction& i, auto... x) { return clamped(i, Flushing{}(x...)); });
  return f32_form<Sources...>(i, operation);
}
template <class... Sources, class Operation>
Scalar f64_form(const Instruction& i, Operation) {
  if (rounding_of(i) == Rounding::Rn)
    return scalar_of<Sources...>([](const Instruction&, auto... x) { return Operation{}(x...); });
  return scalar_of<Sources...>([](const Instruction& i, auto... x) { return Operation{}(x..., rounding_of(i)); });
}

template <class Operation, class Flushing>
Scalar sum(const Instruction& i, Operation operation, Flushing flushing) {
  if (i.type == Type::F64) return f64_form<double, double>(i, operation);
  if (i.source_type == Type::F16) return f32_form<F16, float>(i, operation);
  if (i.source_type == Type::BF16) return f32_form<Bf16, float>(i, operation);
  return f32_form<float, float>(i, operation, flushing);
}
Scalar add(const Instruction& i) { return sum(i, kAdd, kAddFtz); }
Scalar sub(const Instruction& i) { return sum(i, kSub, kSubFtz); }
Scalar mul(const Instruction& i) {
  if (i.type == Type::F64) return f64_form<double, double>(i, kMul);
  return f32_form<float, float>(i, kMul, kMulFtz);
}
Scalar fma(const Instruction& i) {
  if (i.type == Type::F64) return f64_form<double, double, double>(i, kFma);
  if (i.source_type == Type::F16) return f32_form<F16, F16, float>(i, kFma);
  if (i.source_type == Type::BF16) return f32_form<Bf16, Bf16, float>(i, kFma);
  return f32_form<float, float, float>(i, kFma, kFmaFtz);
}
Scalar div(const Instruction& i) {
  return i.type == Type::F64 ? f64_form<double, double>(i, kDiv) : f32_form<float, float>(i, kDiv);
}
Scalar rcp(const Instruction& i) { return i.type == Type::F64 ? f64_form<double>(i, kRcp) : f32_form<float>(i, kRcp); }
Scalar sqrt(const Instruction& i) {
  return i.type == Type::F64 ? f64_form<double>(i, kSqrt) : f32_form<float>(i, kSqrt);
}

Scalar abs(const Instruction& i) {
  return unary(kFloats, i,
               [](const Instruction& i, auto a) { return numeric::abs(numeric::flush_if(i.has(Mod::Ftz), a)); });
}
Scalar neg(const Instruction& i) {
  return unary(kFloats, i,
               [](const Instruction& i, auto a) { return numeric::neg(numeric::flush_if(i.has(Mod::Ftz), a)); });
}
Scalar copy_sign(const Instruction& i) {
  return binary(kFloats, i, [](auto a, auto b) { return numeric::copy_sign(a, b); });
}

template <bool want_max>
Scalar order(const Instruction& i) {
  if (i.src_count == 3)
    return scalar_of<float, float, float>([](const Instruction& i, float a, float b, float c) {
      return numeric::order(want_max, a, b, c, order_modifiers(i));
    });
  if (i.mods.any())
    return binary(kFloats, i, [](const Instruction& i, auto a, auto b) {
      return numeric::order(want_max, a, b, order_modifiers(i));
    });
  return binary(kFloats, i, [](auto a, auto b) { return want_max ? numeric::max(a, b) : numeric::min(a, b); });
}

constexpr ScalarRow kRows[] = {
    {Op::Abs, abs}, {Op::Add, add},         {Op::CopySign, copy_sign}, {Op::Div, div},
    {Op::Fma, fma}, {Op::Max, order<true>}, {Op::Min, order<false>},   {Op::Mul, mul},
    {Op::Neg, neg}, {Op::Rcp, rcp},         {Op::Sqrt, sqrt},          {Op::Sub, sub},
};

}  // namespace

Scalar select_float(const Instruction& i) { return select_from(kRows, i); }

}  // namespace heddle

// f16, bf16 and pairs of them: to nearest, .ftz for f16 only.
#include "exec/numeric/half.h"

#include "exec/numeric/min_max.h"
#include "exec/numeric/sign.h"
#include "exec/scalar/form.h"

namespace heddle {
namespace {

Scalar add(const Instruction& i) {
  return binary(kHalves, i, [](const Instruction& i, auto a, auto b) {
    if constexpr (std::is_same_v<decltype(a), F16>)
      if (i.has(Mod::Ftz)) return clamped(i, numeric::add_ftz(a, b));
    return clamped(i, numeric::add(a, b));
  });
}
Scalar sub(const Instruction& i) {
  return binary(kHalves, i, [](const Instruction& i, auto a, auto b) {
    if constexpr (std::is_same_v<decltype(a), F16>)
      if (i.has(Mod::Ftz)) return clamped(i, numeric::sub_ftz(a, b));
    return clamped(i, numeric::sub(a, b));
  });
}
Scalar mul(const Instruction& i) {
  return binary(kHalves, i, [](const Instruction& i, auto a, auto b) {
    if constexpr (std::is_same_v<decltype(a), F16>)
      if (i.has(Mod::Ftz)) return clamped(i, numeric::mul_ftz(a, b));
    return clamped(i, numeric::mul(a, b));
  });
}

// .oob: a factor that is the "out of bounds" NaN makes the result zero.
constexpr uint16_t kOutOfBounds = 0xffff;

Scalar fma(const Instruction& i) {
  return ternary(kHalves, i, [](const Instruction& i, auto a, auto b, auto c) {
    if (i.has(Mod::Oob) && (a.bits == kOutOfBounds || b.bits == kOutOfBounds)) return decltype(a){0};
    if constexpr (std::is_same_v<decltype(a), F16>)
      if (i.has(Mod::Ftz)) return clamped(i, numeric::fma_ftz(a, b, c));
    return clamped(i, numeric::fma(a, b, c));
  });
}

Scalar abs(const Instruction& i) {
  return unary(kHalves, i,
               [](const Instruction& i, auto a) { return numeric::abs(numeric::flush_if(i.has(Mod::Ftz), a)); });
}
Scalar neg(const Instruction& i) {
  return unary(kHalves, i,
               [](const Instruction& i, auto a) { return numeric::neg(numeric::flush_if(i.has(Mod::Ftz), a)); });
}

template <bool want_max>
Scalar order(const Instruction& i) {
  return binary(kHalves, i, [](const Instruction& i, auto a, auto b) {
    return numeric::order(want_max, a, b, order_modifiers(i));
  });
}

constexpr ScalarRow kRows[] = {
    {Op::Abs, abs},          {Op::Add, add}, {Op::Fma, fma}, {Op::Max, order<true>},
    {Op::Min, order<false>}, {Op::Mul, mul}, {Op::Neg, neg}, {Op::Sub, sub},
};

}  // namespace

Scalar select_half(const Instruction& i) { return select_from(kRows, i); }

}  // namespace heddle

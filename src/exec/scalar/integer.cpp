// Arithmetic on integers. Everything wraps unless .sat says otherwise.
#include "exec/numeric/integer.h"

#include "exec/numeric/divide.h"
#include "exec/numeric/dot_product.h"
#include "exec/scalar/form.h"

namespace heddle {
namespace {

// Integers and pairs of them.
template <class F>
Scalar each(const Instruction& i, F f) {
  const Scalar found = binary(kIntegers, i, f);
  return found ? found : binary(kIntegerPairs, i, f);
}

Scalar add(const Instruction& i) {
  if (i.has(Mod::Sat)) return scalar_of<int32_t, int32_t>([](auto a, auto b) { return numeric::add_sat(a, b); });
  return each(i, [](auto a, auto b) { return numeric::add(a, b); });
}
Scalar sub(const Instruction& i) {
  if (i.has(Mod::Sat)) return scalar_of<int32_t, int32_t>([](auto a, auto b) { return numeric::sub_sat(a, b); });
  return each(i, [](auto a, auto b) { return numeric::sub(a, b); });
}

// With a carry in, it is the last source.
Scalar add_carry(const Instruction& i) {
  if (i.src_count == 2) return binary(kIntegerWords, i, [](auto a, auto b) { return numeric::add_cc(a, b); });
  return among(kIntegerWords, i.type, []<class T>() {
    return scalar_of<T, T, bool>([](T a, T b, bool carry) { return numeric::addc_cc(a, b, carry); });
  });
}
Scalar sub_carry(const Instruction& i) {
  if (i.src_count == 2) return binary(kIntegerWords, i, [](auto a, auto b) { return numeric::sub_cc(a, b); });
  return among(kIntegerWords, i.type, []<class T>() {
    return scalar_of<T, T, bool>([](T a, T b, bool carry) { return numeric::subc_cc(a, b, carry); });
  });
}
Scalar mad_carry(const Instruction& i) {
  const bool high = i.has(Mod::Hi), carry_in = i.src_count == 4;
  return among(kIntegerWords, i.type, [&]<class T>() {
    if (carry_in && high)
      return scalar_of<T, T, T, bool>([](T a, T b, T c, bool carry) { return numeric::madc_hi_cc(a, b, c, carry); });
    if (carry_in)
      return scalar_of<T, T, T, bool>([](T a, T b, T c, bool carry) { return numeric::madc_lo_cc(a, b, c, carry); });
    if (high) return scalar_of<T, T, T>([](T a, T b, T c) { return numeric::mad_hi_cc(a, b, c); });
    return scalar_of<T, T, T>([](T a, T b, T c) { return numeric::mad_lo_cc(a, b, c); });
  });
}

inline constexpr Types<uint16_t, uint32_t, int16_t, int32_t> kWidening;

Scalar mul(const Instruction& i) {
  if (i.has(Mod::Wide)) return binary(kWidening, i, [](auto a, auto b) { return numeric::mul_wide(a, b); });
  if (i.has(Mod::Hi)) return binary(kIntegers, i, [](auto a, auto b) { return numeric::mul_hi(a, b); });
  return binary(kIntegers, i, [](auto a, auto b) { return numeric::mul_lo(a, b); });
}
Scalar mad(const Instruction& i) {
  if (i.has(Mod::Sat))
    return scalar_of<int32_t, int32_t, int32_t>([](auto a, auto b, auto c) { return numeric::mad_hi_sat(a, b, c); });
  if (i.has(Mod::Wide))
    return among(kWidening, i.type, []<class T>() {
      using Wide = numeric::WidenedType<T>;
      return scalar_of<T, T, Wide>([](T a, T b, Wide c) { return numeric::mad_wide(a, b, c); });
    });
  if (i.has(Mod::Hi)) return ternary(kIntegers, i, [](auto a, auto b, auto c) { return numeric::mad_hi(a, b, c); });
  return ternary(kIntegers, i, [](auto a, auto b, auto c) { return numeric::mad_lo(a, b, c); });
}

Scalar mul24(const Instruction& i) {
  if (i.has(Mod::Hi)) return binary(kIntegers32, i, [](auto a, auto b) { return numeric::mul24_hi(a, b); });
  return binary(kIntegers32, i, [](auto a, auto b) { return numeric::mul24_lo(a, b); });
}
Scalar mad24(const Instruction& i) {
  if (i.has(Mod::Sat))
    return scalar_of<int32_t, int32_t, int32_t>([](auto a, auto b, auto c) { return numeric::mad24_hi_sat(a, b, c); });
  if (i.has(Mod::Hi)) return ternary(kIntegers32, i, [](auto a, auto b, auto c) { return numeric::mad24_hi(a, b, c); });
  return ternary(kIntegers32, i, [](auto a, auto b, auto c) { return numeric::mad24_lo(a, b, c); });
}

Scalar min(const Instruction& i) {
  if (i.has(Mod::Relu)) return each(i, [](auto a, auto b) { return numeric::rectify(numeric::min(a, b)); });
  return each(i, [](auto a, auto b) { return numeric::min(a, b); });
}
Scalar max(const Instruction& i) {
  if (i.has(Mod::Relu)) return each(i, [](auto a, auto b) { return numeric::rectify(numeric::max(a, b)); });
  return each(i, [](auto a, auto b) { return numeric::max(a, b); });
}

// a and b extend by their own types; the sum is the same in both.
Scalar dp4a(const Instruction& i) {
  return among(kIntegers32, i.type, [&]<class A>() {
    return among(kIntegers32, i.source_type, []<class B>() {
      return scalar_of<uint32_t, uint32_t, uint32_t>(
          [](uint32_t a, uint32_t b, uint32_t c) { return numeric::dp4a<A, B>(a, b, c); });
    });
  });
}
Scalar dp2a(const Instruction& i) {
  return among(kIntegers32, i.type, [&]<class A>() {
    return among(kIntegers32, i.source_type, []<class B>() {
      return scalar_of<uint32_t, uint32_t, uint32_t>([](const Instruction& i, uint32_t a, uint32_t b, uint32_t c) {
        return numeric::dp2a<A, B>(a, b, c, i.has(Mod::Hi));
      });
    });
  });
}

constexpr ScalarRow kRows[] = {
    {Op::Abs, [](const Instruction& i) { return unary(kSigned, i, [](auto a) { return numeric::abs(a); }); }},
    {Op::Add, add},
    {Op::AddCarry, add_carry},
    {Op::Div,
     [](const Instruction& i) { return binary(kIntegers, i, [](auto a, auto b) { return numeric::div(a, b); }); }},
    {Op::Dp2a, dp2a},
    {Op::Dp4a, dp4a},
    {Op::Mad, mad},
    {Op::Mad24, mad24},
    {Op::MadCarry, mad_carry},
    {Op::Max, max},
    {Op::Min, min},
    {Op::Mul, mul},
    {Op::Mul24, mul24},
    {Op::Neg, [](const Instruction& i) { return unary(kSigned, i, [](auto a) { return numeric::neg(a); }); }},
    {Op::Rem,
     [](const Instruction& i) { return binary(kIntegers, i, [](auto a, auto b) { return numeric::rem(a, b); }); }},
    {Op::Sad,
     [](const Instruction& i) {
       return ternary(kIntegers, i, [](auto a, auto b, auto c) { return numeric::sad(a, b, c); });
     }},
    {Op::Sub, sub},
    {Op::SubCarry, sub_carry},
};

}  // namespace

Scalar select_integer(const Instruction& i) { return select_from(kRows, i); }

}  // namespace heddle

// cvt between numbers: integers, floats, and the integral values of a float format.
#include "exec/numeric/convert_float.h"
#include "exec/scalar/form.h"

namespace heddle {
namespace {

template <class To, class From>
Scalar between_integers(const Instruction& i) {
  if (i.has(Mod::Sat)) return scalar_of<From>([](From x) { return numeric::integer_to_integer_sat<To>(x); });
  return scalar_of<From>([](From x) { return numeric::integer_to_integer<To>(x); });
}

template <class To, class From>
Scalar integer_to_float(const Instruction& i) {
  if (rounding_of(i) == Rounding::Rn)
    return scalar_of<From>([](const Instruction& i, From x) { return clamped(i, numeric::integer_to_float<To>(x)); });
  return scalar_of<From>(
      [](const Instruction& i, From x) { return clamped(i, numeric::integer_to_float<To>(x, rounding_of(i))); });
}

// Out of range is clamped, .sat or not.
template <class To, class From>
Scalar float_to_integer(const Instruction& i) {
  if (i.has(Mod::Rzi) && !i.has(Mod::Ftz))
    return scalar_of<From>([](From x) { return numeric::float_to_integer<To>(x, Rounding::Rz); });
  return scalar_of<From>([](const Instruction& i, From x) {
    return numeric::float_to_integer<To>(numeric::flush_if(i.has(Mod::Ftz), x), rounding_of(i));
  });
}

// Within one format: to an integral value, or only through the modifiers.
template <class F>
Scalar within_format(const Instruction& i) {
  const bool integral = i.has(Mod::Rni) || i.has(Mod::Rzi) || i.has(Mod::Rmi) || i.has(Mod::Rpi);
  if (integral)
    return scalar_of<F>([](const Instruction& i, F x) {
      return clamped(i, numeric::to_integral(numeric::flush_if(i.has(Mod::Ftz), x), rounding_of(i)));
    });
  return scalar_of<F>([](const Instruction& i, F x) { return clamped(i, numeric::convert_same(x, i.has(Mod::Ftz))); });
}

// The conversions worth a short way: to nearest, without .ftz.
template <class To, class From>
constexpr bool is_hot = (std::is_same_v<To, float> || std::is_same_v<To, double> || std::is_same_v<From, float>);
template <class To, class From>
To nearest(From x) {
  if constexpr (std::is_same_v<To, float>)
    return numeric::to_f32(x);
  else if constexpr (std::is_same_v<To, double>)
    return numeric::to_f64(x);
  else if constexpr (std::is_same_v<To, F16>)
    return numeric::to_f16(x);
  else
    return numeric::to_bf16(x);
}

template <class To, class From>
Scalar between_floats(const Instruction& i) {
  if constexpr (is_hot<To, From>)
    if (rounding_of(i) == Rounding::Rn && !i.has(Mod::Ftz))
      return scalar_of<From>([](const Instruction& i, From x) { return clamped(i, nearest<To>(x)); });
  return scalar_of<From>([](const Instruction& i, From x) {
    return clamped(i, numeric::convert<To>(x, rounding_of(i), i.has(Mod::Ftz)));
  });
}

template <class To, class From>
Scalar convert(const Instruction& i) {
  constexpr bool to_integer = std::is_integral_v<To>, from_integer = std::is_integral_v<From>;
  if constexpr (to_integer && from_integer)
    return between_integers<To, From>(i);
  else if constexpr (to_integer)
    return float_to_integer<To, From>(i);
  else if constexpr (from_integer)
    return integer_to_float<To, From>(i);
  else if constexpr (std::is_same_v<To, From>)
    return within_format<To>(i);
  else
    return between_floats<To, From>(i);
}

inline constexpr Types<uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t, F16, Bf16, float,
                       double>
    kNumbers;

}  // namespace

Scalar select_convert(const Instruction& i) {
  if (i.op != Op::Cvt) return nullptr;
  return among(kNumbers, i.type, [&]<class To>() {
    return among(kNumbers, i.source_type, [&]<class From>() { return convert<To, From>(i); });
  });
}

}  // namespace heddle

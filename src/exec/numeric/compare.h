#pragma once

// Comparisons for set, setp and slct. Called with a constant Comparison they fold to one compare.

#include <cstdint>
#include <type_traits>

#include "exec/numeric/half.h"

namespace heddle::numeric {

enum class Comparison : uint8_t {
  // False when an operand is NaN, Ne included.
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  // The unsigned names of Lt Le Gt Ge.
  Lo,
  Ls,
  Hi,
  Hs,
  // True when an operand is NaN.
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  // Both operands are numbers; any is NaN.
  Num,
  Nan,
};

inline float comparable(F16 x) { return widen(x); }
inline float comparable(Bf16 x) { return widen(x); }
template <class T>
constexpr T comparable(T x) requires std::is_arithmetic_v<T> {
  return x;
}

// Integers are always ordered.
template <class T>
constexpr bool is_unordered(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return is_nan(x);
  else
    return (void)x, false;
}

template <class T>
constexpr bool compare(Comparison comparison, T left, T right) {
  const auto a = comparable(left);
  const auto b = comparable(right);
  const bool unordered = is_unordered(a) || is_unordered(b);
  switch (comparison) {
    case Comparison::Eq: return a == b;
    case Comparison::Ne: return a != b && !unordered;
    case Comparison::Lt:
    case Comparison::Lo: return a < b;
    case Comparison::Le:
    case Comparison::Ls: return a <= b;
    case Comparison::Gt:
    case Comparison::Hi: return a > b;
    case Comparison::Ge:
    case Comparison::Hs: return a >= b;
    case Comparison::Equ: return a == b || unordered;
    case Comparison::Neu: return a != b;
    case Comparison::Ltu: return !(a >= b);
    case Comparison::Leu: return !(a > b);
    case Comparison::Gtu: return !(a <= b);
    case Comparison::Geu: return !(a < b);
    case Comparison::Num: return !unordered;
    case Comparison::Nan: return unordered;
  }
  return false;
}

template <class F>
constexpr bool compare_ftz(Comparison comparison, F a, F b) {
  return compare(comparison, flush(a), flush(b));
}

// How set and setp join the comparison with a predicate.
enum class BoolOp : uint8_t { And, Or, Xor };

constexpr bool combine(BoolOp op, bool compared, bool predicate) {
  switch (op) {
    case BoolOp::And: return compared && predicate;
    case BoolOp::Or: return compared || predicate;
    case BoolOp::Xor: return compared != predicate;
  }
  return false;
}

// set's "true": all ones for integers, one for floats.
template <class T>
constexpr T set_value(bool truth) {
  if constexpr (std::is_integral_v<T>)
    return truth ? static_cast<T>(-1) : T{0};
  else
    return from_bits<T>(truth ? one_bits<T> : 0);
}

// slct: a when the selector is not negative. A NaN selects b, a negative zero a.
constexpr bool selects_first(int32_t selector) { return selector >= 0; }
constexpr bool selects_first(float selector) { return selector >= 0; }
constexpr bool selects_first_ftz(float selector) { return flush(selector) >= 0; }

}  // namespace heddle::numeric

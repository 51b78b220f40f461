// How a Scalar is written: a function of typed values becomes a function of raw registers.
//
//   binary(kIntegers, i, [](auto a, auto b) { return numeric::add(a, b); })
//
// gives the Scalar for the type the instruction names, or null where the list does not have it. A function that
// wants modifiers takes the instruction first. Packed types (Pair) call the function once for each half, the lower
// first. Functions are lambdas without captures, so that a Scalar stays a plain pointer.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "exec/numeric/carry.h"
#include "exec/numeric/convert_packed.h"
#include "exec/numeric/min_max.h"
#include "exec/numeric/packed.h"
#include "exec/scalar/scalar.h"

namespace heddle {

using numeric::Bf16;
using numeric::F16;
using numeric::Rounding;

// The host's name of u16x2, s16x2, f16x2, bf16x2.
template <class T>
struct Pair {};

template <class T>
inline constexpr bool is_pair = false;
template <class T>
inline constexpr bool is_pair<Pair<T>> = true;

// clang-format off
template <class T>
inline constexpr Type type_of = Type::None;
template <> inline constexpr Type type_of<bool> = Type::Pred;
template <> inline constexpr Type type_of<uint8_t> = Type::U8;
template <> inline constexpr Type type_of<uint16_t> = Type::U16;
template <> inline constexpr Type type_of<uint32_t> = Type::U32;
template <> inline constexpr Type type_of<uint64_t> = Type::U64;
template <> inline constexpr Type type_of<int8_t> = Type::S8;
template <> inline constexpr Type type_of<int16_t> = Type::S16;
template <> inline constexpr Type type_of<int32_t> = Type::S32;
template <> inline constexpr Type type_of<int64_t> = Type::S64;
template <> inline constexpr Type type_of<Pair<uint16_t>> = Type::U16x2;
template <> inline constexpr Type type_of<Pair<int16_t>> = Type::S16x2;
template <> inline constexpr Type type_of<F16> = Type::F16;
template <> inline constexpr Type type_of<Bf16> = Type::BF16;
template <> inline constexpr Type type_of<Pair<F16>> = Type::F16x2;
template <> inline constexpr Type type_of<Pair<Bf16>> = Type::BF16x2;
template <> inline constexpr Type type_of<float> = Type::F32;
template <> inline constexpr Type type_of<double> = Type::F64;
// clang-format on

template <class... Ts>
struct Types {};

inline constexpr Types<uint16_t, uint32_t, uint64_t> kUnsigned;
inline constexpr Types<int16_t, int32_t, int64_t> kSigned;
inline constexpr Types<uint16_t, uint32_t, uint64_t, int16_t, int32_t, int64_t> kIntegers;
inline constexpr Types<Pair<uint16_t>, Pair<int16_t>> kIntegerPairs;
inline constexpr Types<uint32_t, uint64_t> kWords;
inline constexpr Types<uint32_t, int32_t> kIntegers32;
inline constexpr Types<uint32_t, uint64_t, int32_t, int64_t> kIntegerWords;
inline constexpr Types<float, double> kFloats;
inline constexpr Types<F16, Bf16, Pair<F16>, Pair<Bf16>> kHalves;

// .b32 counts as .u32.
constexpr Type number_type(Type type) {
  if (type < Type::B8 || type > Type::B64) return type;
  return static_cast<Type>(static_cast<int>(type) - static_cast<int>(Type::B8) + static_cast<int>(Type::U8));
}

// Half 0 or 1 of a Pair; other types have no halves.
template <class T>
struct SourceOf {
  static constexpr T of(uint64_t bits, unsigned) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(bits);
    else
      return numeric::from_bits<T>(static_cast<numeric::BitsOf<T>>(bits));
  }
};
template <class T>
struct SourceOf<Pair<T>> {
  static constexpr T of(uint64_t bits, unsigned half) { return SourceOf<T>::of(bits >> (16 * half), 0); }
};

// Signed values are extended by their sign; the register they go to keeps what it can hold.
template <class T>
constexpr uint64_t bits_of(T value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<uint64_t>(value);
  else
    return numeric::to_bits(value);
}
template <class T>
constexpr Results results_of(T value) {
  return {bits_of(value), 0};
}
template <class T>
constexpr Results results_of(numeric::Carried<T> value) {
  return {bits_of(value.value), value.carry};
}
constexpr Results results_of(Results results) { return results; }

// The results of a Pair: a packed value, or two predicates.
template <class T>
constexpr Results results_of(T low, T high) {
  if constexpr (std::is_same_v<T, bool>)
    return {low, high};
  else
    return {numeric::pack(low, high), 0};
}

template <class F, class... Values>
constexpr auto call(const Instruction& instruction, Values... values) {
  if constexpr (std::is_invocable_v<F, const Instruction&, Values...>)
    return F{}(instruction, values...);
  else
    return F{}(values...);
}

// The Scalar that calls F with sources of the given types.
template <class... Sources, class F>
Scalar scalar_of(F) {
  return [](const Instruction& instruction, const uint64_t* source) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      const auto half = [&](unsigned which) {
        return call<F>(instruction, SourceOf<Sources>::of(source[I], which)...);
      };
      if constexpr ((is_pair<Sources> || ...))
        return results_of(half(0), half(1));
      else
        return results_of(half(0));
    }
    (std::index_sequence_for<Sources...>{});
  };
}

// select.operator()<T>() for the T of the list that is the host's name of `type`.
template <class... Ts, class Select>
Scalar among(Types<Ts...>, Type type, Select select) {
  Scalar chosen = nullptr;
  (void)((type_of<Ts> == number_type(type) && (chosen = select.template operator()<Ts>(), true)) || ...);
  return chosen;
}

// All sources have the instruction's first type.
template <class List, class F>
Scalar unary(List types, const Instruction& i, F f) {
  return among(types, i.type, [f]<class T>() { return scalar_of<T>(f); });
}
template <class List, class F>
Scalar binary(List types, const Instruction& i, F f) {
  return among(types, i.type, [f]<class T>() { return scalar_of<T, T>(f); });
}
template <class List, class F>
Scalar ternary(List types, const Instruction& i, F f) {
  return among(types, i.type, [f]<class T>() { return scalar_of<T, T, T>(f); });
}

// .rn where nothing is said; the integer roundings (.rni …) count as their plain namesakes.
inline Rounding rounding_of(const Instruction& i) {
  if (i.has(Mod::Rz) || i.has(Mod::Rzi)) return Rounding::Rz;
  if (i.has(Mod::Rm) || i.has(Mod::Rmi)) return Rounding::Rm;
  if (i.has(Mod::Rp) || i.has(Mod::Rpi)) return Rounding::Rp;
  return Rounding::Rn;
}

// What .sat, .satfinite and .relu make of a float result.
template <class F>
F clamped(const Instruction& i, F x) {
  if (i.has(Mod::Sat)) return numeric::saturate(x);
  if (i.has(Mod::SatFinite)) x = numeric::saturate_finite(x);
  return i.has(Mod::Relu) ? numeric::rectify(x) : x;
}

// How min and max look at their operands.
inline numeric::OrderModifiers order_modifiers(const Instruction& i) {
  const bool xorsign = i.has(Mod::XorSign);
  return {.ftz = i.has(Mod::Ftz), .nan = i.has(Mod::NaN), .xorsign_abs = xorsign, .abs = i.has(Mod::Abs) && !xorsign};
}

// One theme is a table of these.
struct ScalarRow {
  Op op;
  Scalar (*select)(const Instruction&);
};
inline Scalar select_from(std::span<const ScalarRow> rows, const Instruction& i) {
  for (const ScalarRow& row : rows)
    if (row.op == i.op) return row.select(i);
  return nullptr;
}

// By theme; null where the theme does not know the instruction.
Scalar select_integer(const Instruction& i);         // arithmetic on integers
Scalar select_bits(const Instruction& i);            // logic, shifts, bit fields
Scalar select_compare(const Instruction& i);         // setp, set, and choosing by a predicate or a sign
Scalar select_convert(const Instruction& i);         // cvt between numbers
Scalar select_convert_packed(const Instruction& i);  // cvt to and from packed and narrow formats
Scalar select_float(const Instruction& i);           // f32 and f64
Scalar select_half(const Instruction& i);            // f16, bf16 and their pairs
Scalar select_video(const Instruction& i);           // pieces of words: vadd … vset4
Scalar select_approximate(const Instruction& i);     // .approx and div.full

}  // namespace heddle

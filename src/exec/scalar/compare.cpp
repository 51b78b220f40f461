// setp and set, and what chooses: selp, slct, testp.
#include "exec/numeric/compare.h"

#include "exec/numeric/sign.h"
#include "exec/scalar/form.h"

namespace heddle {
namespace {

using numeric::Comparison;
using numeric::FloatClass;

// The unsigned names (lo, ls, hi, hs) are those of the plain comparisons: the type says what is unsigned.
Comparison comparison_of(const Instruction& i) {
  static constexpr std::pair<Mod, Comparison> names[] = {
      {Mod::Eq, Comparison::Eq},   {Mod::Ne, Comparison::Ne},   {Mod::Lt, Comparison::Lt},
      {Mod::Le, Comparison::Le},   {Mod::Gt, Comparison::Gt},   {Mod::Ge, Comparison::Ge},
      {Mod::Lo, Comparison::Lt},   {Mod::Ls, Comparison::Le},   {Mod::Hi, Comparison::Gt},
      {Mod::Hs, Comparison::Ge},   {Mod::Equ, Comparison::Equ}, {Mod::Neu, Comparison::Neu},
      {Mod::Ltu, Comparison::Ltu}, {Mod::Leu, Comparison::Leu}, {Mod::Gtu, Comparison::Gtu},
      {Mod::Geu, Comparison::Geu}, {Mod::Num, Comparison::Num}, {Mod::Nan, Comparison::Nan},
  };
  for (const auto& [mod, comparison] : names)
    if (i.has(mod)) return comparison;
  return Comparison::Eq;
}

// The comparison as a constant, so that a compare is one instruction of the host's.
template <Comparison... Cs>
struct Comparisons {};
inline constexpr Comparisons<Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt,
                             Comparison::Ge>
    kOrdered;
inline constexpr Comparisons<Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt,
                             Comparison::Ge, Comparison::Equ, Comparison::Neu, Comparison::Ltu, Comparison::Leu,
                             Comparison::Gtu, Comparison::Geu, Comparison::Num, Comparison::Nan>
    kOrderedOrNot;

template <Comparison... Cs, class Select>
Scalar among(Comparisons<Cs...>, Comparison comparison, Select select) {
  Scalar chosen = nullptr;
  (void)((Cs == comparison && (chosen = select.template operator()<Cs>(), true)) || ...);
  return chosen;
}

template <Comparison C, class T>
bool compare(const Instruction& i, T a, T b) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, F16>)
    if (i.has(Mod::Ftz)) return numeric::compare_ftz(C, a, b);
  return numeric::compare(C, a, b);
}

// The comparison joined with the predicate c.
bool joined(const Instruction& i, bool compared, bool c) {
  if (i.has(Mod::And)) return compared && c;
  return i.has(Mod::Or) ? compared || c : compared != c;
}

// p and its counterpart q, which starts from the opposite comparison; of a packed type p and q are the halves.
template <Comparison C, class T>
Scalar setp_of(const Instruction& i) {
  const bool with_predicate = i.src_count == 3;
  if constexpr (is_pair<T>) {
    if (!with_predicate)
      return scalar_of<T, T>([](const Instruction& i, auto a, auto b) { return compare<C>(i, a, b); });
    return scalar_of<T, T, bool>(
        [](const Instruction& i, auto a, auto b, bool c) { return joined(i, compare<C>(i, a, b), c); });
  } else {
    if (!with_predicate)
      return scalar_of<T, T>([](const Instruction& i, T a, T b) {
        const bool p = compare<C>(i, a, b);
        return Results{p, !p};
      });
    return scalar_of<T, T, bool>([](const Instruction& i, T a, T b, bool c) {
      const bool compared = compare<C>(i, a, b);
      return Results{joined(i, compared, c), joined(i, !compared, c)};
    });
  }
}

// set's "true": all ones for integers, one for floats.
uint32_t true_bits(Type type) {
  if (type == Type::F32) return numeric::one_bits<float>;
  if (type == Type::F16 || type == Type::F16x2) return numeric::one_bits<F16>;
  if (type == Type::BF16 || type == Type::BF16x2) return numeric::one_bits<Bf16>;
  return ~0u;
}

template <Comparison C, class T>
Scalar set_of(const Instruction& i) {
  using Bits = std::conditional_t<is_pair<T>, uint16_t, uint32_t>;
  if (i.src_count == 2)
    return scalar_of<T, T>([](const Instruction& i, auto a, auto b) {
      return static_cast<Bits>(compare<C>(i, a, b) ? true_bits(i.type) : 0);
    });
  return scalar_of<T, T, bool>([](const Instruction& i, auto a, auto b, bool c) {
    return static_cast<Bits>(joined(i, compare<C>(i, a, b), c) ? true_bits(i.type) : 0);
  });
}

inline constexpr Types<float, double, F16, Bf16, Pair<F16>, Pair<Bf16>> kComparableFloats;

// select.operator()<C, T>() for the instruction's comparison and source type.
template <class Select>
Scalar by_comparison(const Instruction& i, Select select) {
  const auto with = [&](auto types, auto comparisons) {
    return among(types, i.source_type, [&]<class T>() {
      return among(comparisons, comparison_of(i), [&]<Comparison C>() { return select.template operator()<C, T>(); });
    });
  };
  return ptx::is_float(i.source_type) ? with(kComparableFloats, kOrderedOrNot) : with(kIntegers, kOrdered);
}

Scalar setp(const Instruction& i) {
  return by_comparison(i, [&]<Comparison C, class T>() { return setp_of<C, T>(i); });
}
Scalar set(const Instruction& i) {
  return by_comparison(i, [&]<Comparison C, class T>() { return set_of<C, T>(i); });
}

Scalar selp(const Instruction&) {
  return scalar_of<uint64_t, uint64_t, bool>([](uint64_t a, uint64_t b, bool c) { return c ? a : b; });
}

Scalar slct(const Instruction& i) {
  if (i.source_type == Type::S32)
    return scalar_of<uint64_t, uint64_t, int32_t>(
        [](uint64_t a, uint64_t b, int32_t c) { return numeric::selects_first(c) ? a : b; });
  return scalar_of<uint64_t, uint64_t, float>([](const Instruction& i, uint64_t a, uint64_t b, float c) {
    const bool first = i.has(Mod::Ftz) ? numeric::selects_first_ftz(c) : numeric::selects_first(c);
    return first ? a : b;
  });
}

FloatClass property_of(const Instruction& i) {
  if (i.has(Mod::Finite)) return FloatClass::Finite;
  if (i.has(Mod::Infinite)) return FloatClass::Infinite;
  if (i.has(Mod::Number)) return FloatClass::Number;
  if (i.has(Mod::NotANumber)) return FloatClass::NotANumber;
  return i.has(Mod::Normal) ? FloatClass::Normal : FloatClass::Subnormal;
}
Scalar testp(const Instruction& i) {
  return unary(kFloats, i, [](const Instruction& i, auto a) { return numeric::test_property(property_of(i), a); });
}

constexpr ScalarRow kRows[] = {
    {Op::Selp, selp}, {Op::Set, set}, {Op::Setp, setp}, {Op::Slct, slct}, {Op::Testp, testp},
};

}  // namespace

Scalar select_compare(const Instruction& i) { return select_from(kRows, i); }

}  // namespace heddle

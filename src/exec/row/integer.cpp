// Row forms of the integer instructions that compiled kernels are full of.
#include "exec/numeric/integer.h"

#include "exec/row/row.h"
#include "exec/row/select.h"

namespace heddle {
namespace {

// Addition, multiplication and shifts of the low half do not see the sign: one form for s and u.
template <class T>
Handler arithmetic(const Instruction& i) {
  using U = std::make_unsigned_t<T>;
  constexpr auto add = [](U a, U b) { return numeric::add(a, b); };
  constexpr auto sub = [](U a, U b) { return numeric::sub(a, b); };
  constexpr auto mul = [](U a, U b) { return numeric::mul_lo(a, b); };
  constexpr auto mad = [](U a, U b, U c) { return numeric::mad_lo(a, b, c); };
  constexpr auto neg = [](T a) { return numeric::neg(a); };
  constexpr auto absolute = [](T a) { return numeric::abs(a); };
  constexpr auto smaller = [](T a, T b) { return numeric::min(a, b); };
  constexpr auto larger = [](T a, T b) { return numeric::max(a, b); };
  switch (i.op) {
    case Op::Add: return i.has(Mod::Sat) ? nullptr : &map_row<add, U, U, U>;
    case Op::Sub: return i.has(Mod::Sat) ? nullptr : &map_row<sub, U, U, U>;
    case Op::Mul: return i.has(Mod::Lo) ? &map_row<mul, U, U, U> : nullptr;
    case Op::Mad: return i.has(Mod::Lo) ? &map_row<mad, U, U, U, U> : nullptr;
    case Op::Neg: return &map_row<neg, T, T>;
    case Op::Abs: return &map_row<absolute, T, T>;
    case Op::Min: return i.has(Mod::Relu) ? nullptr : &map_row<smaller, T, T, T>;
    case Op::Max: return i.has(Mod::Relu) ? nullptr : &map_row<larger, T, T, T>;
    default: return nullptr;
  }
}

// Products of 32 bits: wide, and the high half.
template <class T>
Handler products(const Instruction& i) {
  using W = numeric::WidenedType<T>;
  constexpr auto wide = [](T a, T b) { return numeric::mul_wide(a, b); };
  constexpr auto mad_wide = [](T a, T b, W c) { return numeric::mad_wide(a, b, c); };
  constexpr auto high = [](T a, T b) { return numeric::mul_hi(a, b); };
  if (i.op == Op::Mul && i.has(Mod::Wide)) return &map_row<wide, W, T, T>;
  if (i.op == Op::Mad && i.has(Mod::Wide)) return &map_row<mad_wide, W, T, T, W>;
  if (i.op == Op::Mul && i.has(Mod::Hi)) return &map_row<high, T, T, T>;
  return nullptr;
}

}  // namespace

Handler select_row_integer(const Instruction& i) {
  switch (i.type) {
    case Type::S16: return arithmetic<int16_t>(i);
    case Type::U16: return arithmetic<uint16_t>(i);
    case Type::S32:
      if (Handler handler = products<int32_t>(i)) return handler;
      return arithmetic<int32_t>(i);
    case Type::U32:
      if (Handler handler = products<uint32_t>(i)) return handler;
      return arithmetic<uint32_t>(i);
    case Type::S64: return arithmetic<int64_t>(i);
    case Type::U64: return arithmetic<uint64_t>(i);
    default: return nullptr;
  }
}

}  // namespace heddle

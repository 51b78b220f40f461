// Row forms of f32 and f64 arithmetic, round to nearest.
#include "exec/numeric/convert_float.h"
#include "exec/numeric/convert_integer.h"
#include "exec/numeric/float32.h"
#include "exec/numeric/float64.h"
#include "exec/numeric/min_max.h"
#include "exec/numeric/sign.h"
#include "exec/row/row.h"
#include "exec/row/select.h"

namespace heddle {
namespace {

bool directed(const Instruction& i) { return i.has(Mod::Rz) || i.has(Mod::Rm) || i.has(Mod::Rp); }

template <class T>
Handler float_arithmetic(const Instruction& i) {
  constexpr auto add = [](T a, T b) { return numeric::add(a, b); };
  constexpr auto sub = [](T a, T b) { return numeric::sub(a, b); };
  constexpr auto mul = [](T a, T b) { return numeric::mul(a, b); };
  constexpr auto fma = [](T a, T b, T c) { return numeric::fma(a, b, c); };
  constexpr auto div = [](T a, T b) { return numeric::div(a, b); };
  constexpr auto rcp = [](T a) { return numeric::rcp(a); };
  constexpr auto sqrt = [](T a) { return numeric::sqrt(a); };
  constexpr auto neg = [](T a) { return numeric::neg(a); };
  constexpr auto absolute = [](T a) { return numeric::abs(a); };
  constexpr auto smaller = [](T a, T b) { return numeric::min(a, b); };
  constexpr auto larger = [](T a, T b) { return numeric::max(a, b); };
  const bool plain_order = i.src_count == 2 && i.mods.none();
  if (i.source_type != i.type || i.has(Mod::Sat) || i.has(Mod::Ftz) || directed(i)) return nullptr;
  switch (i.op) {
    case Op::Add: return &map_row<add, T, T, T>;
    case Op::Sub: return &map_row<sub, T, T, T>;
    case Op::Mul: return &map_row<mul, T, T, T>;
    case Op::Fma: return &map_row<fma, T, T, T, T>;
    case Op::Div: return i.has(Mod::Rn) ? &map_row<div, T, T, T> : nullptr;
    case Op::Rcp: return i.has(Mod::Rn) ? &map_row<rcp, T, T> : nullptr;
    case Op::Sqrt: return i.has(Mod::Rn) ? &map_row<sqrt, T, T> : nullptr;
    case Op::Neg: return &map_row<neg, T, T>;
    case Op::Abs: return &map_row<absolute, T, T>;
    case Op::Min: return plain_order ? &map_row<smaller, T, T, T> : nullptr;
    case Op::Max: return plain_order ? &map_row<larger, T, T, T> : nullptr;
    default: return nullptr;
  }
}

// .ftz, as nvcc writes with -use_fast_math.
Handler flushing(const Instruction& i) {
  constexpr auto add = [](float a, float b) { return numeric::add_ftz(a, b); };
  constexpr auto sub = [](float a, float b) { return numeric::sub_ftz(a, b); };
  constexpr auto mul = [](float a, float b) { return numeric::mul_ftz(a, b); };
  if (i.source_type != Type::F32 || i.has(Mod::Sat) || !i.has(Mod::Ftz) || directed(i)) return nullptr;
  switch (i.op) {
    case Op::Add: return &map_row<add, float, float, float>;
    case Op::Sub: return &map_row<sub, float, float, float>;
    case Op::Mul: return &map_row<mul, float, float, float>;
    default: return nullptr;
  }
}

// Conversions between the 32- and 64-bit types that address and loop arithmetic use.
Handler conversions(const Instruction& i) {
  constexpr auto sign_extend = [](int32_t a) { return static_cast<int64_t>(a); };
  constexpr auto zero_extend = [](uint32_t a) { return static_cast<uint64_t>(a); };
  constexpr auto low_half = [](uint64_t a) { return static_cast<uint32_t>(a); };
  constexpr auto from_int = [](int32_t a) { return static_cast<float>(a); };
  constexpr auto from_unsigned = [](uint32_t a) { return static_cast<float>(a); };
  constexpr auto to_int = [](float a) { return numeric::float_to_integer<int32_t>(a, numeric::Rounding::Rz); };
  if (i.op != Op::Cvt || i.has(Mod::Sat) || i.has(Mod::Ftz)) return nullptr;
  const auto is = [&](Type to, Type from, unsigned to_bytes, unsigned from_bytes) {
    return i.type == to && i.source_type == from && i.dst[0].bytes == to_bytes && i.src[0].bytes == from_bytes;
  };
  if (is(Type::S64, Type::S32, 8, 4)) return &map_row<sign_extend, int64_t, int32_t>;
  if (is(Type::U64, Type::U32, 8, 4)) return &map_row<zero_extend, uint64_t, uint32_t>;
  if (is(Type::U32, Type::U64, 4, 8)) return &map_row<low_half, uint32_t, uint64_t>;
  if (is(Type::F32, Type::S32, 4, 4) && i.has(Mod::Rn)) return &map_row<from_int, float, int32_t>;
  if (is(Type::F32, Type::U32, 4, 4) && i.has(Mod::Rn)) return &map_row<from_unsigned, float, uint32_t>;
  if (is(Type::S32, Type::F32, 4, 4) && i.has(Mod::Rzi)) return &map_row<to_int, int32_t, float>;
  return nullptr;
}

}  // namespace

Handler select_row_float(const Instruction& i) {
  if (Handler handler = conversions(i)) return handler;
  if (i.type == Type::F32) {
    if (Handler handler = flushing(i)) return handler;
    return float_arithmetic<float>(i);
  }
  if (i.type == Type::F64) return float_arithmetic<double>(i);
  return nullptr;
}

}  // namespace heddle

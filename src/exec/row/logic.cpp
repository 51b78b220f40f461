// Row forms of bitwise instructions, shifts, comparison and selection; predicates as words.
#include "exec/numeric/bits.h"
#include "exec/numeric/compare.h"
#include "exec/row/row.h"
#include "exec/row/select.h"

namespace heddle {
namespace {

// A predicate operation on a whole row is one word operation.
template <auto F>
void predicate_row(Context& context, const Instruction& i, const Lanes& lanes) {
  if (lanes.is_row()) {
    const auto word = [&](const Operand& operand) {
      const uint32_t bits = *context.source_row<uint32_t>(operand, lanes.first);
      return operand.negated ? ~bits : bits;
    };
    const uint32_t result = F(word(i.src[0]), i.src_count > 1 ? word(i.src[1]) : 0);
    uint32_t& to = *context.row<uint32_t>(i.dst[0], lanes.first);
    to = (result & lanes.mask.bits()) | (to & ~lanes.mask.bits());
    return;
  }
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.threads[k];
    const uint32_t a = context.predicate(i.src[0], thread), b = i.src_count > 1 && context.predicate(i.src[1], thread);
    context.set_predicate(i.dst[0], thread, F(a, b) & 1U);
  });
}

Handler predicates(const Instruction& i) {
  constexpr auto both = [](uint32_t a, uint32_t b) { return a & b; };
  constexpr auto either = [](uint32_t a, uint32_t b) { return a | b; };
  constexpr auto differ = [](uint32_t a, uint32_t b) { return a ^ b; };
  constexpr auto invert = [](uint32_t a, uint32_t) { return ~a; };
  constexpr auto same = [](uint32_t a, uint32_t) { return a; };
  switch (i.op) {
    case Op::And: return &predicate_row<both>;
    case Op::Or: return &predicate_row<either>;
    case Op::Xor: return &predicate_row<differ>;
    case Op::Not: return &predicate_row<invert>;
    case Op::Mov: return &predicate_row<same>;
    default: return nullptr;
  }
}

// A shift by the width or more gives what shifting bit by bit would.
template <class T>
Handler bitwise(const Instruction& i) {
  using S = std::make_signed_t<T>;
  constexpr uint32_t width = sizeof(T) * 8;
  constexpr auto both = [](T a, T b) { return static_cast<T>(a & b); };
  constexpr auto either = [](T a, T b) { return static_cast<T>(a | b); };
  constexpr auto differ = [](T a, T b) { return static_cast<T>(a ^ b); };
  constexpr auto invert = [](T a) { return static_cast<T>(~a); };
  constexpr auto same = [](T a) { return a; };
  constexpr auto left = [](T a, uint32_t n) {
    return static_cast<T>(n >= width ? T{0} : static_cast<T>(a << (n % width)));
  };
  constexpr auto right = [](T a, uint32_t n) {
    return static_cast<T>(n >= width ? T{0} : static_cast<T>(a >> (n % width)));
  };
  constexpr auto signed_right = [](S a, uint32_t n) { return static_cast<S>(a >> (n >= width ? width - 1 : n)); };
  switch (i.op) {
    case Op::And: return &map_row<both, T, T, T>;
    case Op::Or: return &map_row<either, T, T, T>;
    case Op::Xor: return &map_row<differ, T, T, T>;
    case Op::Not: return &map_row<invert, T, T>;
    case Op::Mov: return i.dst[0].bytes == sizeof(T) ? &map_row<same, T, T> : nullptr;
    case Op::Shl: return &map_row<left, T, T, uint32_t>;
    case Op::Shr: return is_signed(i.type) ? &map_row<signed_right, S, S, uint32_t> : &map_row<right, T, T, uint32_t>;
    default: return nullptr;
  }
}

template <class T, numeric::Comparison C>
constexpr bool holds(T a, T b) {
  return numeric::compare<T>(C, a, b);
}

template <class T>
Handler comparison(const Instruction& i) {
  using numeric::Comparison;
  if (i.has(Mod::Eq)) return &test_row<holds<T, Comparison::Eq>, T, T>;
  if (i.has(Mod::Ne)) return &test_row<holds<T, Comparison::Ne>, T, T>;
  if (i.has(Mod::Lt) || i.has(Mod::Lo)) return &test_row<holds<T, Comparison::Lt>, T, T>;
  if (i.has(Mod::Le) || i.has(Mod::Ls)) return &test_row<holds<T, Comparison::Le>, T, T>;
  if (i.has(Mod::Gt) || i.has(Mod::Hi)) return &test_row<holds<T, Comparison::Gt>, T, T>;
  if (i.has(Mod::Ge) || i.has(Mod::Hs)) return &test_row<holds<T, Comparison::Ge>, T, T>;
  if constexpr (std::is_floating_point_v<T>) {
    if (i.has(Mod::Equ)) return &test_row<holds<T, Comparison::Equ>, T, T>;
    if (i.has(Mod::Neu)) return &test_row<holds<T, Comparison::Neu>, T, T>;
    if (i.has(Mod::Ltu)) return &test_row<holds<T, Comparison::Ltu>, T, T>;
    if (i.has(Mod::Leu)) return &test_row<holds<T, Comparison::Leu>, T, T>;
    if (i.has(Mod::Gtu)) return &test_row<holds<T, Comparison::Gtu>, T, T>;
    if (i.has(Mod::Geu)) return &test_row<holds<T, Comparison::Geu>, T, T>;
  }
  return nullptr;
}

// The plain form only: one destination, nothing combined, nothing flushed.
Handler comparisons(const Instruction& i) {
  if (i.op != Op::Setp || i.dst_count != 1 || i.src_count != 2 || i.has(Mod::Ftz)) return nullptr;
  switch (i.type) {
    case Type::B16:
    case Type::U16: return comparison<uint16_t>(i);
    case Type::S16: return comparison<int16_t>(i);
    case Type::B32:
    case Type::U32: return comparison<uint32_t>(i);
    case Type::S32: return comparison<int32_t>(i);
    case Type::B64:
    case Type::U64: return comparison<uint64_t>(i);
    case Type::S64: return comparison<int64_t>(i);
    case Type::F32: return comparison<float>(i);
    case Type::F64: return comparison<double>(i);
    default: return nullptr;
  }
}

template <class T>
void select_row(Context& context, const Instruction& i, const Lanes& lanes) {
  const LaneMask first = context.predicate_mask(i.src[2], lanes);
  if (lanes.is_row()) {
    alignas(64) T result[kRow];
    std::memcpy(result, context.source_row<T>(i.src[1], lanes.first), sizeof result);
    blend(result, context.source_row<T>(i.src[0], lanes.first), first);
    blend(context.row<T>(i.dst[0], lanes.first), result, lanes.mask);
    return;
  }
  const RegisterOf<T> to = context.register_of<T>(i.dst[0]);
  const RegisterOf<const T> from[] = {context.source_of<T>(i.src[1]), context.source_of<T>(i.src[0])};
  for_each_lane(lanes.mask, [&](unsigned k) { to(lanes.threads[k]) = from[first.has(k)](lanes.threads[k]); });
}

}  // namespace

Handler select_row_logic(const Instruction& i) {
  if (i.type == Type::Pred) return predicates(i);
  if (Handler handler = comparisons(i)) return handler;
  const unsigned bytes = bytes_of(i.type);
  if (i.op == Op::Selp)
    return bytes == 2 ? &select_row<uint16_t> : bytes == 4 ? &select_row<uint32_t> : &select_row<uint64_t>;
  switch (bytes) {
    case 2: return bitwise<uint16_t>(i);
    case 4: return bitwise<uint32_t>(i);
    case 8: return bitwise<uint64_t>(i);
    default: return nullptr;
  }
}

}  // namespace heddle

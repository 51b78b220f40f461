// Logic, shifts and bit fields.
#include "exec/numeric/bits.h"

#include "exec/numeric/permute.h"
#include "exec/scalar/form.h"

namespace heddle {
namespace {

using numeric::PermuteMode;

inline constexpr Types<bool, uint16_t, uint32_t, uint64_t> kLogic;

Scalar and_(const Instruction& i) {
  return binary(kLogic, i, [](auto a, auto b) { return static_cast<decltype(a)>(a & b); });
}
Scalar or_(const Instruction& i) {
  return binary(kLogic, i, [](auto a, auto b) { return static_cast<decltype(a)>(a | b); });
}
Scalar xor_(const Instruction& i) {
  return binary(kLogic, i, [](auto a, auto b) { return static_cast<decltype(a)>(a ^ b); });
}
Scalar not_(const Instruction& i) {
  if (i.type == Type::Pred) return scalar_of<bool>([](bool a) { return !a; });
  return unary(kUnsigned, i, [](auto a) { return static_cast<decltype(a)>(~a); });
}
Scalar cnot(const Instruction& i) {
  return unary(kUnsigned, i, [](auto a) { return numeric::cnot(a); });
}

// Shift amounts have 32 bits whatever the type.
Scalar shl(const Instruction& i) {
  return among(kUnsigned, i.type, []<class T>() {
    return scalar_of<T, uint32_t>([](T a, uint32_t amount) { return numeric::shl(a, amount); });
  });
}
Scalar shr(const Instruction& i) {
  return among(kIntegers, i.type, []<class T>() {
    return scalar_of<T, uint32_t>([](T a, uint32_t amount) { return numeric::shr(a, amount); });
  });
}
Scalar shf(const Instruction&) {
  return scalar_of<uint32_t, uint32_t, uint32_t>([](const Instruction& i, uint32_t a, uint32_t b, uint32_t amount) {
    const bool wrap = i.has(Mod::Wrap);
    return i.has(Mod::L) ? numeric::shf_l(a, b, amount, wrap) : numeric::shf_r(a, b, amount, wrap);
  });
}

Scalar bfe(const Instruction& i) {
  return among(kIntegerWords, i.type, []<class T>() {
    return scalar_of<T, uint32_t, uint32_t>(
        [](T a, uint32_t position, uint32_t length) { return numeric::bfe(a, position, length); });
  });
}
Scalar bfi(const Instruction& i) {
  return among(kWords, i.type, []<class T>() {
    return scalar_of<T, T, uint32_t, uint32_t>(
        [](T a, T b, uint32_t position, uint32_t length) { return numeric::bfi(a, b, position, length); });
  });
}
Scalar bfind(const Instruction& i) {
  return unary(kIntegerWords, i, [](const Instruction& i, auto a) { return numeric::bfind(a, i.has(Mod::ShiftAmt)); });
}
Scalar bmsk(const Instruction&) {
  return scalar_of<uint32_t, uint32_t>([](const Instruction& i, uint32_t position, uint32_t length) {
    return numeric::bmsk(position, length, i.has(Mod::Wrap));
  });
}
Scalar szext(const Instruction& i) {
  return among(kIntegers32, i.type, []<class T>() {
    return scalar_of<T, uint32_t>(
        [](const Instruction& i, T a, uint32_t length) { return numeric::szext(a, length, i.has(Mod::Wrap)); });
  });
}
Scalar fns(const Instruction&) {
  return scalar_of<uint32_t, uint32_t, int32_t>(
      [](uint32_t mask, uint32_t base, int32_t n) { return numeric::fns(mask, base, n); });
}
Scalar brev(const Instruction& i) {
  return unary(kWords, i, [](auto a) { return numeric::brev(a); });
}
Scalar clz(const Instruction& i) {
  return unary(kWords, i, [](auto a) { return numeric::clz(a); });
}
Scalar popc(const Instruction& i) {
  return unary(kWords, i, [](auto a) { return numeric::popc(a); });
}

// lop3.and, lop3.or: the second result is (d != 0) joined with the last source.
Scalar lop3(const Instruction& i) {
  if (i.src_count == 4)
    return scalar_of<uint32_t, uint32_t, uint32_t, uint32_t>(
        [](uint32_t a, uint32_t b, uint32_t c, uint32_t table) { return numeric::lop3(a, b, c, table); });
  return scalar_of<uint32_t, uint32_t, uint32_t, uint32_t, bool>(
      [](const Instruction& i, uint32_t a, uint32_t b, uint32_t c, uint32_t table, bool q) {
        const uint32_t d = numeric::lop3(a, b, c, table);
        const bool some = d != 0;
        return Results{d, i.has(Mod::And) ? some && q : some || q};
      });
}

PermuteMode permute_mode(const Instruction& i) {
  if (i.has(Mod::F4e)) return PermuteMode::Forward4;
  if (i.has(Mod::B4e)) return PermuteMode::Backward4;
  if (i.has(Mod::Rc8)) return PermuteMode::Replicate8;
  if (i.has(Mod::Ecl)) return PermuteMode::EdgeLeft;
  if (i.has(Mod::Ecr)) return PermuteMode::EdgeRight;
  if (i.has(Mod::Rc16)) return PermuteMode::Replicate16;
  return PermuteMode::Generic;
}
Scalar prmt(const Instruction&) {
  return scalar_of<uint32_t, uint32_t, uint32_t>([](const Instruction& i, uint32_t a, uint32_t b, uint32_t selectors) {
    return numeric::prmt(a, b, selectors, permute_mode(i));
  });
}

constexpr ScalarRow kRows[] = {
    {Op::And, and_},  {Op::Bfe, bfe}, {Op::Bfi, bfi},     {Op::Bfind, bfind}, {Op::Bmsk, bmsk},
    {Op::Brev, brev}, {Op::Clz, clz}, {Op::Cnot, cnot},   {Op::Fns, fns},     {Op::Lop3, lop3},
    {Op::Not, not_},  {Op::Or, or_},  {Op::Popc, popc},   {Op::Prmt, prmt},   {Op::Shf, shf},
    {Op::Shl, shl},   {Op::Shr, shr}, {Op::Szext, szext}, {Op::Xor, xor_},
};

}  // namespace

Scalar select_bits(const Instruction& i) { return select_from(kRows, i); }

}  // namespace heddle

// cvt to and from packed and narrow formats: f16x2, tf32, e4m3x2, e5m2x2, and cvt.pack.
#include "exec/numeric/convert_packed.h"

#include "exec/scalar/form.h"

namespace heddle {
namespace {

using numeric::Tiny;

// Of two sources the first goes to the upper half.
template <class To>
Scalar f32_to_pair() {
  return scalar_of<float, float>([](const Instruction& i, float a, float b) {
    const auto half = [&](float x) { return clamped(i, numeric::convert<To>(x, rounding_of(i))); };
    return numeric::pack(half(b), half(a));
  });
}

Scalar f32_to_tf32() {
  return scalar_of<float>([](const Instruction& i, float x) {
    if (i.has(Mod::Relu)) x = numeric::rectify(x);
    const bool away = i.has(Mod::Rna);
    const uint32_t tf32 = away ? numeric::to_tf32_away(x) : numeric::to_tf32(x, rounding_of(i));
    if (!i.has(Mod::SatFinite)) return tf32;
    return away ? numeric::saturate_finite_tf32_away(tf32) : numeric::saturate_finite_tf32(tf32);
  });
}

constexpr Tiny tiny_of(Type type) { return type == Type::E4M3x2 ? Tiny::E4m3 : Tiny::E5m2; }

template <class F>
uint16_t tiny_pair(const Instruction& i, F low, F high) {
  const auto tiny = [&](F x) { return numeric::to_tiny(tiny_of(i.type), i.has(Mod::Relu) ? numeric::rectify(x) : x); };
  return static_cast<uint16_t>(tiny(high) << 8 | tiny(low));
}
Scalar f32_to_tiny() {
  return scalar_of<float, float>([](const Instruction& i, float a, float b) { return tiny_pair(i, b, a); });
}
Scalar f16x2_to_tiny() {
  return scalar_of<uint32_t>([](const Instruction& i, uint32_t x) {
    return tiny_pair(i, numeric::low_half<F16>(x), numeric::high_half<F16>(x));
  });
}
Scalar tiny_to_f16x2() {
  return scalar_of<uint16_t>([](const Instruction& i, uint16_t x) {
    const auto half = [&](int bits) {
      return clamped(i, numeric::from_tiny(tiny_of(i.source_type), static_cast<uint8_t>(bits)));
    };
    return numeric::pack(half(x), half(x >> 8));
  });
}

int width_of(Type type) {
  if (type == Type::U2 || type == Type::S2) return 2;
  if (type == Type::U4 || type == Type::S4) return 4;
  return static_cast<int>(ptx::bytes_of(type)) * 8;
}
Scalar convert_pack(const Instruction& i) {
  if (i.src_count == 2)
    return scalar_of<int32_t, int32_t>([](const Instruction& i, int32_t a, int32_t b) {
      return numeric::convert_pack(a, b, width_of(i.type), ptx::is_signed(i.type), 0);
    });
  return scalar_of<int32_t, int32_t, uint32_t>([](const Instruction& i, int32_t a, int32_t b, uint32_t c) {
    return numeric::convert_pack(a, b, width_of(i.type), ptx::is_signed(i.type), c);
  });
}

struct PackedConversion {
  Type to, from;
  Scalar (*select)();
};
constexpr PackedConversion kConversions[] = {
    {Type::F16x2, Type::F32, f32_to_pair<F16>}, {Type::BF16x2, Type::F32, f32_to_pair<Bf16>},
    {Type::TF32, Type::F32, f32_to_tf32},       {Type::E4M3x2, Type::F32, f32_to_tiny},
    {Type::E5M2x2, Type::F32, f32_to_tiny},     {Type::E4M3x2, Type::F16x2, f16x2_to_tiny},
    {Type::E5M2x2, Type::F16x2, f16x2_to_tiny}, {Type::F16x2, Type::E4M3x2, tiny_to_f16x2},
    {Type::F16x2, Type::E5M2x2, tiny_to_f16x2},
};

}  // namespace

Scalar select_convert_packed(const Instruction& i) {
  if (i.op == Op::CvtPack) return convert_pack(i);
  if (i.op != Op::Cvt) return nullptr;
  for (const PackedConversion& row : kConversions)
    if (row.to == i.type && row.from == i.source_type) return row.select();
  return nullptr;
}

}  // namespace heddle

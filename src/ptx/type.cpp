#include "ptx/type.h"

namespace heddle::ptx {
namespace {

// All names have at most 8 letters, so a name is one integer and finding it a switch.
constexpr uint64_t key(std::string_view name) {
  uint64_t bits = 0;
  for (char c : name) bits = bits << 8 | static_cast<unsigned char>(c);
  return bits;
}

}  // namespace

std::optional<Type> type_named(std::string_view name) {
  if (name.size() > 8) return std::nullopt;
  switch (key(name)) {
    case key("pred"): return Type::Pred;
    case key("b8"): return Type::B8;
    case key("b16"): return Type::B16;
    case key("b32"): return Type::B32;
    case key("b64"): return Type::B64;
    case key("b128"): return Type::B128;
    case key("u8"): return Type::U8;
    case key("u16"): return Type::U16;
    case key("u32"): return Type::U32;
    case key("u64"): return Type::U64;
    case key("s8"): return Type::S8;
    case key("s16"): return Type::S16;
    case key("s32"): return Type::S32;
    case key("s64"): return Type::S64;
    case key("u16x2"): return Type::U16x2;
    case key("s16x2"): return Type::S16x2;
    case key("u8x4"): return Type::U8x4;
    case key("s8x4"): return Type::S8x4;
    case key("f16"): return Type::F16;
    case key("f16x2"): return Type::F16x2;
    case key("bf16"): return Type::BF16;
    case key("bf16x2"): return Type::BF16x2;
    case key("f32"): return Type::F32;
    case key("f32x2"): return Type::F32x2;
    case key("f64"): return Type::F64;
    case key("tf32"): return Type::TF32;
    case key("e4m3x2"): return Type::E4M3x2;
    case key("e5m2x2"): return Type::E5M2x2;
    case key("e4m3"): return Type::E4M3;
    case key("e5m2"): return Type::E5M2;
    case key("s2"): return Type::S2;
    case key("u2"): return Type::U2;
    case key("s4"): return Type::S4;
    case key("u4"): return Type::U4;
    case key("b1"): return Type::B1;
  }
  return std::nullopt;
}

std::string_view name_of(Type type) {
  switch (type) {
    case Type::None: return "none";
    case Type::Pred: return "pred";
    case Type::B8: return "b8";
    case Type::B16: return "b16";
    case Type::B32: return "b32";
    case Type::B64: return "b64";
    case Type::B128: return "b128";
    case Type::U8: return "u8";
    case Type::U16: return "u16";
    case Type::U32: return "u32";
    case Type::U64: return "u64";
    case Type::S8: return "s8";
    case Type::S16: return "s16";
    case Type::S32: return "s32";
    case Type::S64: return "s64";
    case Type::U16x2: return "u16x2";
    case Type::S16x2: return "s16x2";
    case Type::U8x4: return "u8x4";
    case Type::S8x4: return "s8x4";
    case Type::F16: return "f16";
    case Type::F16x2: return "f16x2";
    case Type::BF16: return "bf16";
    case Type::BF16x2: return "bf16x2";
    case Type::F32: return "f32";
    case Type::F32x2: return "f32x2";
    case Type::F64: return "f64";
    case Type::TF32: return "tf32";
    case Type::E4M3x2: return "e4m3x2";
    case Type::E5M2x2: return "e5m2x2";
    case Type::E4M3: return "e4m3";
    case Type::E5M2: return "e5m2";
    case Type::S2: return "s2";
    case Type::U2: return "u2";
    case Type::S4: return "s4";
    case Type::U4: return "u4";
    case Type::B1: return "b1";
  }
  return "none";
}

unsigned bytes_of(Type type) {
  switch (type) {
    case Type::None:
    case Type::Pred: return 0;
    case Type::B8:
    case Type::U8:
    case Type::S8:
    case Type::E4M3:
    case Type::E5M2:
    case Type::S2:
    case Type::U2:
    case Type::S4:
    case Type::U4:
    case Type::B1: return 1;
    case Type::B16:
    case Type::U16:
    case Type::S16:
    case Type::F16:
    case Type::BF16:
    case Type::E4M3x2:
    case Type::E5M2x2: return 2;
    case Type::B32:
    case Type::U32:
    case Type::S32:
    case Type::U16x2:
    case Type::S16x2:
    case Type::U8x4:
    case Type::S8x4:
    case Type::F16x2:
    case Type::BF16x2:
    case Type::F32:
    case Type::TF32: return 4;
    case Type::B64:
    case Type::U64:
    case Type::S64:
    case Type::F32x2:
    case Type::F64: return 8;
    case Type::B128: return 16;
  }
  return 0;
}

bool is_signed(Type type) {
  switch (type) {
    case Type::S8:
    case Type::S16:
    case Type::S32:
    case Type::S64:
    case Type::S16x2:
    case Type::S8x4:
    case Type::S2:
    case Type::S4: return true;
    case Type::None:
    case Type::Pred:
    case Type::B8:
    case Type::B16:
    case Type::B32:
    case Type::B64:
    case Type::B128:
    case Type::U8:
    case Type::U16:
    case Type::U32:
    case Type::U64:
    case Type::U16x2:
    case Type::U8x4:
    case Type::F16:
    case Type::F16x2:
    case Type::BF16:
    case Type::BF16x2:
    case Type::F32:
    case Type::F32x2:
    case Type::F64:
    case Type::TF32:
    case Type::E4M3x2:
    case Type::E5M2x2:
    case Type::E4M3:
    case Type::E5M2:
    case Type::U2:
    case Type::U4:
    case Type::B1: return false;
  }
  return false;
}

bool is_float(Type type) {
  switch (type) {
    case Type::F16:
    case Type::F16x2:
    case Type::BF16:
    case Type::BF16x2:
    case Type::F32:
    case Type::F32x2:
    case Type::F64:
    case Type::TF32:
    case Type::E4M3x2:
    case Type::E5M2x2:
    case Type::E4M3:
    case Type::E5M2: return true;
    case Type::None:
    case Type::Pred:
    case Type::B8:
    case Type::B16:
    case Type::B32:
    case Type::B64:
    case Type::B128:
    case Type::U8:
    case Type::U16:
    case Type::U32:
    case Type::U64:
    case Type::S8:
    case Type::S16:
    case Type::S32:
    case Type::S64:
    case Type::U16x2:
    case Type::S16x2:
    case Type::U8x4:
    case Type::S8x4:
    case Type::S2:
    case Type::U2:
    case Type::S4:
    case Type::U4:
    case Type::B1: return false;
  }
  return false;
}

}  // namespace heddle::ptx

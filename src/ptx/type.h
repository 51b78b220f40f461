// The types of PTX, as written after a dot.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::ptx {

enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  U16x2,
  S16x2,
  U8x4,
  S8x4,
  F16,
  F16x2,
  BF16,
  BF16x2,
  F32,
  F32x2,
  F64,
  TF32,
  E4M3x2,
  E5M2x2,
  E4M3,
  E5M2,
  S2,
  U2,
  S4,
  U4,  // cvt.pack and mma only
  B1,  // mma only
};

std::optional<Type> type_named(std::string_view name);  // "u32" -> U32; no dot
std::string_view name_of(Type);
unsigned bytes_of(Type);  // storage of one value; Pred counts 0, sub-byte types 1
bool is_signed(Type);     // S*
bool is_float(Type);      // F*, BF*, packed ones too

}  // namespace heddle::ptx

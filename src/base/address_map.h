// Where the windows of generic addresses lie. Global memory starts above them.
#pragma once

#include "base/types.h"

namespace heddle {

inline constexpr Address kSharedWindow = 0x0000'0001'0000'0000;
inline constexpr Address kLocalWindow = 0x0000'0002'0000'0000;
inline constexpr Address kWindowBytes = 0x0000'0001'0000'0000;
inline constexpr Address kGlobalBase = 0x0000'0010'0000'0000;

}  // namespace heddle

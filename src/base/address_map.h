// Where things lie in the one space of generic addresses. All that a module with addresses of 32 bits can name lies
// below 4 GiB: functions, the windows of shared and local memory, and then its global memory.
#pragma once

#include "base/types.h"

namespace heddle {

inline constexpr Address kFunctionBase = 0x0010'0000;
inline constexpr Address kSharedWindow = 0x1000'0000;
inline constexpr Address kLocalWindow = 0x2000'0000;
inline constexpr Address kWindowBytes = 0x1000'0000;
inline constexpr Address kShortGlobalBase = 0x4000'0000;  // global memory where addresses have 32 bits,
inline constexpr Address kShortEnd = 0x1'0000'0000;       // and where it ends
inline constexpr Address kGlobalBase = 0x0000'0010'0000'0000;

}  // namespace heddle

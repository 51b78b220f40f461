#include "exec/special_values.h"

namespace heddle {

uint64_t value_of(Special special, const LaunchInfo& launch, const BlockState& block, unsigned thread) {
  const Dim3& size = launch.block;
  const unsigned lane = thread % kRow;
  switch (special) {
    case Special::TidX: return thread % size.x;
    case Special::TidY: return thread / size.x % size.y;
    case Special::TidZ: return thread / size.x / size.y;
    case Special::NtidX: return size.x;
    case Special::NtidY: return size.y;
    case Special::NtidZ: return size.z;
    case Special::CtaidX: return block.index.x;
    case Special::CtaidY: return block.index.y;
    case Special::CtaidZ: return block.index.z;
    case Special::NctaidX: return launch.grid.x;
    case Special::NctaidY: return launch.grid.y;
    case Special::NctaidZ: return launch.grid.z;
    case Special::LaneId: return lane;
    case Special::WarpId: return thread / kRow;
    case Special::NwarpId: return (block.threads + kRow - 1) / kRow;
    case Special::SmId: return launch.core;
    case Special::NsmId: return launch.cores;
    case Special::GridId: return launch.grid_id;
    case Special::LanemaskEq: return 1U << lane;
    case Special::LanemaskLe: return (2U << lane) - 1U;
    case Special::LanemaskLt: return (1U << lane) - 1U;
    case Special::LanemaskGe: return ~((1U << lane) - 1U);
    case Special::LanemaskGt: return ~((2U << lane) - 1U);
    case Special::EnvReg1: return launch.cooperative_workspace >> 32;
    case Special::EnvReg2: return launch.cooperative_workspace & 0xffffffffU;
    case Special::Zero: return 0;
    case Special::One: return 1;
    case Special::DynamicShared: return launch.dynamic_shared;
    case Special::TotalShared: return block.shared.size();
  }
  return 0;
}

}  // namespace heddle

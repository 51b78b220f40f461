// A recording as JSON ("heddle-view-1", docs/json.md).
#pragma once

#include <nlohmann/json.hpp>

#include "observe/recording.h"
#include "report/view/kernel_list.h"

namespace heddle {

// Kernels are added to the list.
nlohmann::ordered_json recording_json(const Recording& recording, KernelList& kernels);

}  // namespace heddle

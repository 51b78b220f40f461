// What a result depends on beside its configuration: the sources of the simulator and of the workload,
// or of the runtime of CUDA programs (tools/results_version.cmake). Results are meant to be the same whatever compiler
// built them; its name and version are part of the first all the same.
#pragma once

#include <string_view>

namespace heddle {

std::string_view simulator_version();
std::string_view runtime_version();
std::string_view workload_version(std::string_view workload);  // "" if there is no such folder

}  // namespace heddle

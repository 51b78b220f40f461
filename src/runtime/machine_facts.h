// What CUDA programs ask about the machine and its kernels, from the configuration and what was decoded.
#pragma once

#include "gpu/gpu.h"
#include "wire/protocol.h"

namespace heddle::runtime {

Machine machine_of(Gpu& gpu);
std::vector<std::string_view> keys_shown();  // of the machine, that a program is told
size_t most_in_flight(const Gpu& gpu);       // launches; who watches sees one at a time
KernelFacts facts_of(const Kernel& kernel, const Config& config);

// The program's time. Emulation has no clock: an issue slot counts as a core cycle.
double cycle_seconds(const Gpu& gpu);
uint64_t simulated_cycles(const KernelStats& launch);

}  // namespace heddle::runtime

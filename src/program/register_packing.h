// Registers whose values are never wanted at the same time share a place: PTX has a new register for nearly every
// value, and what many warps never read again would fill the cache of the host.
//
// A register keeps its name for who waits for it (Kernel::uses), so that packing changes nothing but where values lie.
#pragma once

#include "program/kernel.h"

namespace heddle {

void pack_registers(Kernel& kernel);  // of an analysed kernel, whose analyses stay true; nothing may edit it afterwards

}  // namespace heddle

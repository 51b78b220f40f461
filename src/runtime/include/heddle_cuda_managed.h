// __managed__ variables. clang has none: these are variables of kernels whose shadows have a section of their own,
// which the runtime moves to the GPU. It is told where that is before it hears of the variables.
#pragma once

#define __managed__ __attribute__((device, section("heddle_managed")))

#ifndef __CUDA_ARCH__
extern "C" {
extern char __start_heddle_managed[] __attribute__((weak)), __stop_heddle_managed[] __attribute__((weak));
void __cudaRegisterHostVar(void** handle, const char* name, char* begin, size_t bytes);
}
static __attribute__((constructor(101))) void heddle_tell_of_managed() {
  if (__start_heddle_managed)
    __cudaRegisterHostVar(nullptr, "heddle_managed", __start_heddle_managed,
                          (size_t)(__stop_heddle_managed - __start_heddle_managed));
}
#endif

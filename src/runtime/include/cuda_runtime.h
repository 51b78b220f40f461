// What clang needs to compile a CUDA program, host side and kernels, without the CUDA toolkit: this folder stands in
// for the toolkit's include folder, and cuda_minimal.h for the language inside kernels. nvcc has all this by itself and
// never sees these files.
//
// The numbers and layouts are those of CUDA 13, since programs built by nvcc and by clang meet the same library.
#pragma once

// What programs ask for to know whether the toolkit's headers are there.
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__

// nvcc's programs have these without asking.
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

// What is inlined from these headers bears the line that calls it: a barrier is the program's, not a header's.
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#include "../../../workloads/cuda_minimal.h"

// libstdc++ writes __attribute__((__noinline__)); with the macro in place <memory> does not compile. clang has taken
// the word itself as an attribute since version 15 only, so here the macro yields to the headers.
#undef __noinline__

#include "heddle_cuda_api.h"
#include "heddle_cuda_device.h"
#include "heddle_cuda_templates.h"

#pragma clang attribute pop

// What clang needs to compile a CUDA program, host side and kernels, without the CUDA toolkit: this folder stands in
// for the toolkit's include folder, and cuda_minimal.h for the language inside kernels. nvcc has all this by itself and
// never sees these files.
//
// The numbers and layouts are those of CUDA 13, since programs built by nvcc and by clang meet the same library.
#pragma once

// What programs ask for to know whether they are compiled as CUDA, and whether the toolkit's headers are there.
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __grid_constant__  // what kernels only read is not copied in any case
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__

// The order of these counts.
// clang-format off

// What is inlined from these headers bears the line that calls it: a barrier is the program's, not a header's.
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
// Of these the workloads have forms that are enough for them; whole programs get others. isnan is in clang's header.
#define isnan heddle_minimal_isnan
#define powf heddle_minimal_powf
#define sinf heddle_minimal_sinf
#define cosf heddle_minimal_cosf
#define sincosf heddle_minimal_sincosf
#include "../../../workloads/cuda_minimal.h"
#undef isnan
#undef powf
#undef sinf
#undef cosf
#undef sincosf
#include "heddle_cuda_vectors.h"
// clang: the functions of kernels must be known before the library's constexpr ones, or these are taken in kernels.
#include "heddle_cuda_math.h"
#include "heddle_cuda_math_angles.h"
#include "heddle_cuda_math_special.h"
#include "heddle_cuda_math_float.h"
#include "heddle_cuda_overloads.h"
#include <__clang_cuda_math_forward_declares.h>
#pragma clang attribute pop

// libstdc++ writes __attribute__((__noinline__)); with the macro in place <memory> does not compile. clang has taken
// the word itself as an attribute since version 15 only, so here the macro yields to the headers.
#undef __noinline__

// nvcc's programs have these without asking.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <tuple>
#include <utility>

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#include "heddle_cuda_api.h"
#include "heddle_cuda_managed.h"
#include "heddle_cuda_device.h"
#include "heddle_cuda_templates.h"
#include <__clang_cuda_cmath.h>
#pragma clang attribute pop

// clang-format on

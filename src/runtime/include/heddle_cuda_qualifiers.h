// What clang's own <algorithm>, <complex> and <new> ask for when they are compiled as CUDA: all that host sources have
// of CUDA's names unless they include a header of it.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))

#include <stdlib.h>

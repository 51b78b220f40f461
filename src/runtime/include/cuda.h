// The driver API. Programs include this one for the runtime's too.
#pragma once

#include "cuda_runtime.h"
#include "heddle_cuda_driver.h"

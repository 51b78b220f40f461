// What programs of the driver API share, beside check.h: a text of kernels, and what they compute.
#pragma once

#include <cuda.h>

#include "check.h"

#define EXPECT_DRIVER(call, expected)                                 \
  do {                                                                \
    const CUresult found_ = (call);                                   \
    const char* name_ = "?";                                          \
    cuGetErrorName(found_, &name_);                                   \
    if (found_ != (expected)) fail(__FILE__, __LINE__, #call, name_); \
  } while (0)

#define DRIVER(call) EXPECT_DRIVER(call, CUDA_SUCCESS)

// scale: to[i] = from[i] * by + bias, of i < count.
// add_one: to[i] += 1, without a limit.
inline const char kKernels[] = R"(
.version 7.0
.target sm_75
.address_size 64

.visible .global .align 4 .f32 bias = 0f3F000000;

.visible .entry scale(.param .u64 to, .param .u64 from, .param .u32 count, .param .f32 by)
{
  .reg .pred %outside;
  .reg .u32 %i, %count, %block, %size, %thread;
  .reg .u64 %offset, %to, %from;
  .reg .f32 %value, %by, %bias;
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %i, %block, %size, %thread;
  ld.param.u32 %count, [count];
  setp.ge.u32 %outside, %i, %count;
  @%outside ret;
  ld.param.u64 %to, [to];
  ld.param.u64 %from, [from];
  ld.param.f32 %by, [by];
  mul.wide.u32 %offset, %i, 4;
  add.u64 %to, %to, %offset;
  add.u64 %from, %from, %offset;
  ld.global.f32 %value, [%from];
  ld.global.f32 %bias, [bias];
  fma.rn.f32 %value, %value, %by, %bias;
  st.global.f32 [%to], %value;
  ret;
}

.visible .entry add_one(.param .u64 to)
{
  .reg .u32 %i, %value, %block, %size, %thread;
  .reg .u64 %offset, %to;
  mov.u32 %block, %ctaid.x;
  mov.u32 %size, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %i, %block, %size, %thread;
  ld.param.u64 %to, [to];
  mul.wide.u32 %offset, %i, 4;
  add.u64 %to, %to, %offset;
  ld.global.u32 %value, [%to];
  add.u32 %value, %value, 1;
  st.global.u32 [%to], %value;
  ret;
}
)";
inline const float kBias = 0.5f;

// A context, and the module of these kernels in it.
inline CUcontext begin(CUmodule* module) {
  CUcontext context;
  DRIVER(cuInit(0));
  DRIVER(cuCtxCreate(&context, nullptr, 0, 0));
  DRIVER(cuModuleLoadData(module, kKernels));
  return context;
}

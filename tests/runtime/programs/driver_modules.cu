// The driver API's ways to code: PTX, what is wrong with it, its kernels and variables, linking, libraries.
#include <string.h>

#include "driver_check.h"

static const char kCaller[] = R"(
.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .u32 result) twice (.param .u32 value);
.visible .entry double_all(.param .u64 to)
{
  .reg .u32 %value, %thread;
  .reg .u64 %offset, %to;
  mov.u32 %thread, %tid.x;
  ld.param.u64 %to, [to];
  mul.wide.u32 %offset, %thread, 4;
  add.u64 %to, %to, %offset;
  ld.global.u32 %value, [%to];
  {
    .param .u32 given;
    .param .u32 got;
    st.param.u32 [given], %value;
    call (got), twice, (given);
    ld.param.u32 %value, [got];
  }
  st.global.u32 [%to], %value;
  ret;
}
)";
static const char kCallee[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .func (.param .u32 result) twice (.param .u32 value)
{
  .reg .u32 %value;
  ld.param.u32 %value, [value];
  add.u32 %value, %value, %value;
  st.param.u32 [result], %value;
  ret;
}
)";

static const int kCount = 1000;
static float from[kCount], to[kCount];

static void expect_scaled(CUdeviceptr device, float by, float bias) {
  DRIVER(cuMemcpyDtoH(to, device, sizeof to));
  for (int i = 0; i < kCount; ++i) EXPECT(to[i] == from[i] * by + bias);
}

static void launches(CUmodule module) {
  CUfunction scale, nothing;
  DRIVER(cuModuleGetFunction(&scale, module, "scale"));
  EXPECT_DRIVER(cuModuleGetFunction(&nothing, module, "shrink"), CUDA_ERROR_NOT_FOUND);
  unsigned kernels = 0;
  DRIVER(cuModuleGetFunctionCount(&kernels, module));
  EXPECT(kernels == 2);

  CUdeviceptr in, out;
  DRIVER(cuMemAlloc(&in, sizeof from));
  DRIVER(cuMemAlloc(&out, sizeof to));
  DRIVER(cuMemcpyHtoD(in, from, sizeof from));
  unsigned count = kCount;
  float by = 3;
  void* arguments[] = {&out, &in, &count, &by};
  DRIVER(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  expect_scaled(out, 3, kBias);

  // All arguments in one buffer, as the kernel has them.
  struct {
    CUdeviceptr to, from;
    unsigned count;
    float by;
  } buffer = {out, in, kCount, 5};
  size_t bytes = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  DRIVER(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  expect_scaled(out, 5, kBias);

  EXPECT_DRIVER(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, extra), CUDA_ERROR_INVALID_VALUE);
  EXPECT_DRIVER(cuLaunchKernel(scale, 0, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_DRIVER(cuLaunchKernel(nullptr, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr), CUDA_ERROR_INVALID_HANDLE);

  CUdeviceptr bias;
  DRIVER(cuModuleGetGlobal(&bias, &bytes, module, "bias"));
  EXPECT(bytes == sizeof(float));
  EXPECT_DRIVER(cuModuleGetGlobal(&bias, &bytes, module, "taste"), CUDA_ERROR_NOT_FOUND);
  const float other = -2;
  DRIVER(cuMemcpyHtoD(bias, &other, sizeof other));
  DRIVER(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  expect_scaled(out, 3, -2);

  // Another module of the same text has a variable of its own.
  CUmodule second;
  CUfunction same_name;
  DRIVER(cuModuleLoadData(&second, kKernels));
  DRIVER(cuModuleGetFunction(&same_name, second, "scale"));
  DRIVER(cuLaunchKernel(same_name, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  expect_scaled(out, 3, kBias);
  DRIVER(cuModuleUnload(second));
  DRIVER(cuMemFree(in));
  DRIVER(cuMemFree(out));
}

static void wrong_code() {
  char log[512] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  CUmodule module;
  EXPECT_DRIVER(cuModuleLoadDataEx(&module, ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry f( { ret; }",
                                   2, options, values),
                CUDA_ERROR_INVALID_PTX);
  EXPECT(strlen(log) > 0 && strlen(log) < sizeof log);
  EXPECT_DRIVER(cuModuleLoadData(&module, "no code"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_DRIVER(cuModuleLoad(&module, "there-is-no-such-file.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
}

static void linking() {
  CUlinkState state;
  void* code;
  size_t bytes;
  DRIVER(cuLinkCreate(0, nullptr, nullptr, &state));
  DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void*)kCaller, sizeof kCaller, "caller.ptx", 0, nullptr, nullptr));
  DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void*)kCallee, sizeof kCallee, "callee.ptx", 0, nullptr, nullptr));
  DRIVER(cuLinkComplete(state, &code, &bytes));
  EXPECT(bytes > 0);
  CUmodule module;
  DRIVER(cuModuleLoadData(&module, code));
  DRIVER(cuLinkDestroy(state));
  CUfunction function;
  DRIVER(cuModuleGetFunction(&function, module, "double_all"));
  unsigned values[32];
  for (unsigned i = 0; i < 32; ++i) values[i] = i * i;
  CUdeviceptr device;
  DRIVER(cuMemAlloc(&device, sizeof values));
  DRIVER(cuMemcpyHtoD(device, values, sizeof values));
  void* arguments[] = {&device};
  DRIVER(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuMemcpyDtoH(values, device, sizeof values));
  for (unsigned i = 0; i < 32; ++i) EXPECT(values[i] == 2 * i * i);
  DRIVER(cuMemFree(device));
}

static void libraries() {
  CUlibrary library;
  DRIVER(cuLibraryLoadData(&library, kKernels, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  DRIVER(cuLibraryGetKernelCount(&count, library));
  EXPECT(count == 2);
  CUkernel kernels[2], add_one, nothing;
  DRIVER(cuLibraryEnumerateKernels(kernels, 2, library));
  DRIVER(cuLibraryGetKernel(&add_one, library, "add_one"));
  EXPECT(kernels[0] == add_one || kernels[1] == add_one);
  EXPECT_DRIVER(cuLibraryGetKernel(&nothing, library, "add_two"), CUDA_ERROR_NOT_FOUND);
  const char* name;
  DRIVER(cuKernelGetName(&name, add_one));
  EXPECT(strcmp(name, "add_one") == 0);
  CUfunction function;
  DRIVER(cuKernelGetFunction(&function, add_one));
  unsigned values[64] = {};
  CUdeviceptr device;
  DRIVER(cuMemAlloc(&device, sizeof values));
  DRIVER(cuMemsetD32(device, 41, 64));
  void* arguments[] = {&device};
  DRIVER(cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuLaunchKernel((CUfunction)add_one, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuMemcpyDtoH(values, device, sizeof values));
  for (int i = 0; i < 64; ++i) EXPECT(values[i] == (i < 32 ? 43u : 42u));
  DRIVER(cuMemFree(device));
  DRIVER(cuLibraryUnload(library));
}

int main() {
  for (int i = 0; i < kCount; ++i) from[i] = (float)(i % 97);
  CUmodule module;
  CUcontext context = begin(&module);
  launches(module);
  wrong_code();
  linking();
  libraries();
  DRIVER(cuModuleUnload(module));
  DRIVER(cuCtxDestroy(context));
  return passed();
}

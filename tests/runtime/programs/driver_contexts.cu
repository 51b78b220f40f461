// How a program of the driver API begins: cuInit, a context, which is current; and beside the runtime API.
#include <string.h>

#include "driver_check.h"

static void errors() {
  const char* text;
  DRIVER(cuGetErrorName(CUDA_ERROR_LAUNCH_FAILED, &text));
  EXPECT(strcmp(text, "CUDA_ERROR_LAUNCH_FAILED") == 0);
  DRIVER(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  EXPECT(strcmp(text, "invalid argument") == 0);
  EXPECT_DRIVER(cuGetErrorName((CUresult)123456, &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT(text == nullptr);
}

static void the_device() {
  int count, major, cores;
  char name[64], start[4];
  size_t bytes;
  DRIVER(cuDeviceGetCount(&count));
  EXPECT(count >= 1);
  CUdevice device = -1;
  DRIVER(cuDeviceGet(&device, 0));
  EXPECT_DRIVER(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
  DRIVER(cuDeviceGet(&device, 0));
  DRIVER(cuDeviceGetName(name, sizeof name, device));
  DRIVER(cuDeviceGetName(start, sizeof start, device));
  EXPECT(strlen(start) == 3 && strncmp(name, start, 3) == 0);
  DRIVER(cuDeviceTotalMem(&bytes, device));
  DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  DRIVER(cuDeviceGetAttribute(&cores, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  EXPECT(bytes > 0 && major > 0 && cores > 0);
}

static void contexts() {
  CUdeviceptr pointer;
  CUcontext current, first, second;
  DRIVER(cuCtxGetCurrent(&current));
  EXPECT(current == nullptr);
  EXPECT_DRIVER(cuMemAlloc(&pointer, 4), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_DRIVER(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_DRIVER(cuCtxPopCurrent(&current), CUDA_ERROR_INVALID_CONTEXT);

  DRIVER(cuCtxCreate(&first, nullptr, 0, 0));
  DRIVER(cuCtxGetCurrent(&current));
  EXPECT(current == first);
  DRIVER(cuCtxCreate(&second, nullptr, 0, 0));
  DRIVER(cuCtxPopCurrent(&current));
  EXPECT(current == second);
  DRIVER(cuCtxGetCurrent(&current));
  EXPECT(current == first);
  DRIVER(cuCtxPushCurrent(second));
  DRIVER(cuCtxSetCurrent(first));
  DRIVER(cuCtxPopCurrent(&current));
  DRIVER(cuCtxPopCurrent(&current));
  EXPECT_DRIVER(cuCtxPopCurrent(&current), CUDA_ERROR_INVALID_CONTEXT);

  DRIVER(cuCtxSetCurrent(first));
  size_t stack;
  DRIVER(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  DRIVER(cuCtxGetLimit(&stack, CU_LIMIT_STACK_SIZE));
  EXPECT(stack == 4096);
  DRIVER(cuCtxDestroy(second));
  DRIVER(cuCtxDestroy(first));
  EXPECT_DRIVER(cuMemAlloc(&pointer, 4), CUDA_ERROR_INVALID_CONTEXT);
}

static void primary_context() {
  CUcontext primary, again, current;
  int active = 1;
  unsigned flags;
  DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 0);
  DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
  DRIVER(cuDevicePrimaryCtxRetain(&again, 0));
  EXPECT(primary == again);
  DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 1);
  DRIVER(cuCtxGetCurrent(&current));
  EXPECT(current == nullptr);
  DRIVER(cuDevicePrimaryCtxRelease(0));
  DRIVER(cuDevicePrimaryCtxRelease(0));
  EXPECT_DRIVER(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
}

// Memory, streams and errors of one API in the other.
static void beside_the_runtime() {
  int* memory;
  CUDA(cudaMalloc(&memory, 128 * sizeof(int)));
  CUcontext current, primary;
  DRIVER(cuCtxGetCurrent(&current));
  DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT(current != nullptr && current == primary);

  CUmodule module;
  CUfunction add_one;
  CUstream stream;
  DRIVER(cuModuleLoadData(&module, kKernels));
  DRIVER(cuModuleGetFunction(&add_one, module, "add_one"));
  DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUDA(cudaMemsetAsync(memory, 0, 128 * sizeof(int), stream));
  void* arguments[] = {&memory};
  DRIVER(cuLaunchKernel(add_one, 4, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  int values[128];
  CUDA(cudaMemcpyAsync(values, memory, sizeof values, cudaMemcpyDeviceToHost, stream));
  CUDA(cudaStreamSynchronize(stream));
  for (int value : values) EXPECT(value == 1);

  EXPECT_DRIVER(cuMemFree((CUdeviceptr)values), CUDA_ERROR_INVALID_VALUE);
  CUDA(cudaGetLastError());  // an error of the driver API is not the runtime's
  DRIVER(cuStreamDestroy(stream));
  DRIVER(cuMemFree((CUdeviceptr)memory));
}

static void entry_points() {
  int version;
  DRIVER(cuDriverGetVersion(&version));
  EXPECT(version >= 13000);
  void* function = nullptr;
  CUdriverProcAddressQueryResult found;
  DRIVER(cuGetProcAddress("cuMemAlloc", &function, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  EXPECT(function != nullptr && found == CU_GET_PROC_ADDRESS_SUCCESS);
  CUdeviceptr pointer = 0;
  DRIVER(((CUresult(*)(CUdeviceptr*, size_t))function)(&pointer, 64));
  DRIVER(cuMemFree(pointer));
  // Of another version another function.
  void *old = nullptr, *current = nullptr;
  DRIVER(cuGetProcAddress("cuCtxGetDevice", &old, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  DRIVER(cuGetProcAddress("cuCtxGetDevice", &current, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  EXPECT(old && current && old != current);
  cuGetProcAddress("cuKernelGetFunction", &function, 11000, CU_GET_PROC_ADDRESS_DEFAULT, &found);
  EXPECT(function == nullptr && found == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  cuGetProcAddress("cuMakeCoffee", &function, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &found);
  EXPECT(function == nullptr && found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

int main() {
  int count;
  EXPECT_DRIVER(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_DRIVER(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuInit(0));
  errors();
  the_device();
  contexts();
  primary_context();
  beside_the_runtime();
  entry_points();
  return passed();
}

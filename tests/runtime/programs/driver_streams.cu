// Streams, events, graphs and shapes of launches by the driver API.
#include "driver_check.h"

static const unsigned kCount = 256;
static CUfunction add_one, scale;
static CUdeviceptr values;

static void expect_all(unsigned expected) {
  unsigned out[kCount];
  DRIVER(cuMemcpyDtoH(out, values, sizeof out));
  for (unsigned each : out) EXPECT(each == expected);
}

static void in_order() {
  CUstream first, second;
  CUevent begin, done;
  void* arguments[] = {&values};
  DRIVER(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
  DRIVER(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  DRIVER(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  DRIVER(cuEventCreate(&done, CU_EVENT_DEFAULT));
  DRIVER(cuEventRecord(begin, first));
  DRIVER(cuMemsetD32Async(values, 10, kCount, first));
  DRIVER(cuLaunchKernel(add_one, 8, 1, 1, 32, 1, 1, 0, first, arguments, nullptr));
  DRIVER(cuEventRecord(done, first));
  DRIVER(cuStreamWaitEvent(second, done, 0));
  DRIVER(cuLaunchKernel(add_one, 8, 1, 1, 32, 1, 1, 0, second, arguments, nullptr));
  DRIVER(cuStreamSynchronize(second));
  expect_all(12);
  float milliseconds = -1;
  DRIVER(cuEventSynchronize(done));
  DRIVER(cuEventElapsedTime(&milliseconds, begin, done));
  EXPECT(milliseconds > 0);
  int told = 0;
  DRIVER(cuLaunchHostFunc(first, [](void* data) { *(int*)data = 5; }, &told));
  DRIVER(cuStreamSynchronize(first));
  EXPECT(told == 5);
  EXPECT_DRIVER(cuEventRecord(nullptr, first), CUDA_ERROR_INVALID_HANDLE);
  DRIVER(cuEventDestroy(begin));
  DRIVER(cuEventDestroy(done));
  DRIVER(cuStreamDestroy(first));
  DRIVER(cuStreamDestroy(second));
}

static void graphs(CUcontext context) {
  CUgraph graph;
  CUgraphNode fill, kernel, copy;
  CUgraphExec exec;
  unsigned out[kCount] = {};
  DRIVER(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS how = {};
  how.dst = values;
  how.value = 100;
  how.elementSize = 4;
  how.width = kCount;
  how.height = 1;
  DRIVER(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &how, context));
  void* arguments[] = {&values};
  CUDA_KERNEL_NODE_PARAMS launch = {};
  launch.func = add_one;
  launch.gridDimX = kCount / 32;
  launch.blockDimX = 32;
  launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
  launch.kernelParams = arguments;
  DRIVER(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
  CUDA_MEMCPY3D move = {}, told = {};
  move.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  move.srcDevice = values;
  move.dstMemoryType = CU_MEMORYTYPE_HOST;
  move.dstHost = out;
  move.srcPitch = move.dstPitch = move.WidthInBytes = sizeof out;
  move.Height = move.Depth = 1;
  DRIVER(cuGraphAddMemcpyNode(&copy, graph, &kernel, 1, &move, context));
  DRIVER(cuGraphMemcpyNodeGetParams(copy, &told));
  EXPECT(told.WidthInBytes == sizeof out && told.Height == 1 && told.Depth == 1);
  size_t count = 0;
  DRIVER(cuGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 3);
  DRIVER(cuGraphInstantiate(&exec, graph, 0));
  DRIVER(cuGraphLaunch(exec, nullptr));
  DRIVER(cuCtxSynchronize());
  for (unsigned each : out) EXPECT(each == 101);
  // Half of the blocks from now on.
  launch.gridDimX /= 2;
  DRIVER(cuGraphExecKernelNodeSetParams(exec, kernel, &launch));
  DRIVER(cuGraphLaunch(exec, nullptr));
  DRIVER(cuCtxSynchronize());
  for (unsigned i = 0; i < kCount; ++i) EXPECT(out[i] == (i < kCount / 2 ? 101u : 100u));
  DRIVER(cuGraphExecDestroy(exec));
  DRIVER(cuGraphDestroy(graph));
}

static void captured() {
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  void* arguments[] = {&values};
  DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  DRIVER(cuMemsetD32(values, 0, kCount));
  DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  for (int i = 0; i < 3; ++i)
    DRIVER(cuLaunchKernel(add_one, 8, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  DRIVER(cuStreamEndCapture(stream, &graph));
  expect_all(0);
  DRIVER(cuGraphInstantiate(&exec, graph, 0));
  DRIVER(cuGraphLaunch(exec, stream));
  DRIVER(cuGraphLaunch(exec, stream));
  DRIVER(cuStreamSynchronize(stream));
  expect_all(6);
  DRIVER(cuGraphExecDestroy(exec));
  DRIVER(cuGraphDestroy(graph));
  DRIVER(cuStreamDestroy(stream));
}

static void shapes() {
  int threads = 0, registers = 0, blocks = 0, best_grid = 0, best_block = 0, cores = 0;
  DRIVER(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add_one));
  DRIVER(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
  EXPECT(threads > 0 && registers > 0);
  DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 128, 0));
  EXPECT(blocks > 0);
  DRIVER(cuDeviceGetAttribute(&cores, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  DRIVER(cuOccupancyMaxPotentialBlockSize(&best_grid, &best_block, add_one, nullptr, 0, 0));
  DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, best_block, 0));
  EXPECT(best_block > 0 && best_grid == blocks * cores);

  void* arguments[] = {&values};
  DRIVER(cuMemsetD32(values, 0, kCount));
  DRIVER(cuLaunchCooperativeKernel(add_one, 1, 1, 1, kCount, 1, 1, 0, nullptr, arguments));
  expect_all(1);
  EXPECT_DRIVER(cuLaunchCooperativeKernel(add_one, 1 << 20, 1, 1, kCount, 1, 1, 0, nullptr, arguments),
                CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CUlaunchAttribute cooperative = {};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  cooperative.value.cooperative = 1;
  CUlaunchConfig how = {};
  how.gridDimX = 1;
  how.blockDimX = kCount;
  how.gridDimY = how.gridDimZ = how.blockDimY = how.blockDimZ = 1;
  how.attrs = &cooperative;
  how.numAttrs = 1;
  DRIVER(cuLaunchKernelEx(&how, add_one, arguments, nullptr));
  expect_all(2);
  how.numAttrs = 0;
  DRIVER(cuLaunchKernelEx(&how, add_one, arguments, nullptr));
  expect_all(3);
}

int main() {
  CUmodule module;
  CUcontext context = begin(&module);
  DRIVER(cuModuleGetFunction(&add_one, module, "add_one"));
  DRIVER(cuModuleGetFunction(&scale, module, "scale"));
  DRIVER(cuMemAlloc(&values, kCount * sizeof(unsigned)));
  in_order();
  graphs(context);
  captured();
  shapes();
  DRIVER(cuMemFree(values));
  DRIVER(cuCtxDestroy(context));
  return passed();
}

// The functions of the runtime API that other files call: other functions of it, and the driver API (src/cuda).
#pragma once

#include "cudart/graph_node.h"
#include "cudart/stream.h"
#include "cudart/texture.h"

namespace heddle::shim {

struct Pool;

// Device.
HEDDLE_API Status cudaGetDeviceCount(int* count);
HEDDLE_API Status cudaDeviceGetAttribute(int* value, int attribute, int device);
HEDDLE_API Status cudaDeviceGetPCIBusId(char* text, int length, int device);
HEDDLE_API Status cudaDeviceGetByPCIBusId(int* device, const char* text);
HEDDLE_API Status cudaDeviceCanAccessPeer(int* can, int device, int peer);
HEDDLE_API Status cudaDeviceSynchronize();
HEDDLE_API Status cudaDeviceSetLimit(int limit, size_t value);
HEDDLE_API Status cudaDeviceGetLimit(size_t* value, int limit);
HEDDLE_API Status cudaDeviceGetCacheConfig(int* configuration);
HEDDLE_API Status cudaDeviceGetSharedMemConfig(int* configuration);
HEDDLE_API Status cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
HEDDLE_API Status cudaDeviceGetGraphMemAttribute(int device, int attribute, void* value);
HEDDLE_API Status cudaDriverGetVersion(int* version);

// Memory.
HEDDLE_API Status cudaMalloc(void** pointer, size_t bytes);
HEDDLE_API Status cudaMallocManaged(void** pointer, size_t bytes, unsigned flags);
HEDDLE_API Status cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
HEDDLE_API Status cudaFree(void* pointer);
HEDDLE_API Status cudaMallocAsync(void** pointer, size_t bytes, Stream* stream);
HEDDLE_API Status cudaMallocFromPoolAsync(void** pointer, size_t bytes, Pool* pool, Stream* stream);
HEDDLE_API Status cudaFreeAsync(void* pointer, Stream* stream);
HEDDLE_API Status cudaMemGetInfo(size_t* unused, size_t* total);
HEDDLE_API Status cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer);
HEDDLE_API Status cudaHostAlloc(void** pointer, size_t bytes, unsigned flags);
HEDDLE_API Status cudaMallocHost(void** pointer, size_t bytes);
HEDDLE_API Status cudaFreeHost(void* pointer);
HEDDLE_API Status cudaHostRegister(void* pointer, size_t bytes, unsigned flags);
HEDDLE_API Status cudaHostUnregister(void* pointer);
HEDDLE_API Status cudaHostGetDevicePointer(void** device, void* pointer, unsigned flags);
HEDDLE_API Status cudaHostGetFlags(unsigned* flags, void* pointer);
HEDDLE_API Status cudaDeviceGetDefaultMemPool(Pool** pool, int device);
HEDDLE_API Status cudaMemPoolCreate(Pool** pool, const void* properties);
HEDDLE_API Status cudaMemPoolDestroy(Pool* pool);
HEDDLE_API Status cudaMemPoolSetAttribute(Pool* pool, int attribute, const void* value);
HEDDLE_API Status cudaMemPoolGetAttribute(Pool* pool, int attribute, void* value);
HEDDLE_API Status cudaMemPoolGetAccess(int* access, Pool* pool, const void* location);
HEDDLE_API Status cudaMemcpy(void* to, const void* from, size_t bytes, CopyKind kind);
HEDDLE_API Status cudaMemcpyAsync(void* to, const void* from, size_t bytes, CopyKind kind, Stream* stream);
HEDDLE_API Status cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* bytes, size_t count,
                                       const void* attributes, const size_t* indices, size_t attribute_count,
                                       Stream* stream);
HEDDLE_API Status cudaMemcpy3D(const Copy3D* what);
HEDDLE_API Status cudaMemcpy3DAsync(const Copy3D* what, Stream* stream);

// Arrays and textures.
HEDDLE_API Status cudaMalloc3DArray(Array** array, const ChannelFormat* format, Extent extent, unsigned flags);
HEDDLE_API Status cudaFreeArray(Array* array);
HEDDLE_API Status cudaMallocMipmappedArray(Mipmaps** result, const ChannelFormat* format, Extent extent,
                                           unsigned levels, unsigned flags);
HEDDLE_API Status cudaGetMipmappedArrayLevel(Array** level, const Mipmaps* mipmaps, unsigned number);
HEDDLE_API Status cudaFreeMipmappedArray(Mipmaps* mipmaps);
HEDDLE_API Status cudaCreateTextureObject(uint64_t* object, const ResourceDescription* resource,
                                          const TextureDescription* how, const void* view);
HEDDLE_API Status cudaDestroyTextureObject(uint64_t object);
HEDDLE_API Status cudaCreateSurfaceObject(uint64_t* object, const ResourceDescription* resource);
HEDDLE_API Status cudaDestroySurfaceObject(uint64_t object);

// Streams and events.
HEDDLE_API Status cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority);
HEDDLE_API Status cudaStreamCreateWithFlags(Stream** stream, unsigned flags);
HEDDLE_API Status cudaStreamDestroy(Stream* stream);
HEDDLE_API Status cudaStreamSynchronize(Stream* stream);
HEDDLE_API Status cudaStreamQuery(Stream* stream);
HEDDLE_API Status cudaStreamGetFlags(Stream* stream, unsigned* flags);
HEDDLE_API Status cudaStreamGetPriority(Stream* stream, int* priority);
HEDDLE_API Status cudaStreamGetId(Stream* stream, unsigned long long* id);
HEDDLE_API Status cudaStreamGetDevice(Stream* stream, int* device);
HEDDLE_API Status cudaStreamWaitEvent(Stream* stream, Event* event, unsigned flags);
HEDDLE_API Status cudaStreamGetAttribute(Stream* stream, int attribute, void* value);
HEDDLE_API Status cudaLaunchHostFunc(Stream* stream, void (*function)(void*), void* argument);
HEDDLE_API Status cudaStreamAddCallback(Stream* stream, void (*function)(Stream*, Status, void*), void* argument,
                                        unsigned flags);
HEDDLE_API Status cudaStreamBeginCapture(Stream* stream, int mode);
HEDDLE_API Status cudaStreamBeginCaptureToGraph(Stream* stream, Graph* graph, Node** nodes, const void* data,
                                                size_t count, int mode);
HEDDLE_API Status cudaStreamEndCapture(Stream* stream, Graph** graph);
HEDDLE_API Status cudaStreamIsCapturing(Stream* stream, int* status);
HEDDLE_API Status cudaThreadExchangeStreamCaptureMode(int* mode);
HEDDLE_API Status heddle_capture_info_old(Stream* stream, int* status, unsigned long long* id);
HEDDLE_API Status cudaStreamGetCaptureInfo_v2(Stream* stream, int* status, unsigned long long* id, Graph** graph,
                                              Node* const** after, size_t* count);
HEDDLE_API Status cudaStreamGetCaptureInfo_v3(Stream* stream, int* status, unsigned long long* id, Graph** graph,
                                              Node* const** after, const void** edges, size_t* count);
HEDDLE_API Status heddle_change_place_old(Stream* stream, Node** nodes, size_t count, unsigned flags);
HEDDLE_API Status heddle_change_place(Stream* stream, Node** nodes, const void* data, size_t count, unsigned flags);
HEDDLE_API Status cudaEventCreateWithFlags(Event** event, unsigned flags);
HEDDLE_API Status cudaEventDestroy(Event* event);
HEDDLE_API Status cudaEventRecord(Event* event, Stream* stream);
HEDDLE_API Status cudaEventRecordWithFlags(Event* event, Stream* stream, unsigned flags);
HEDDLE_API Status cudaEventSynchronize(Event* event);
HEDDLE_API Status cudaEventQuery(Event* event);
HEDDLE_API Status cudaEventElapsedTime(float* milliseconds, Event* begin, Event* end);

// Kernels.
HEDDLE_API Status cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* stub, void** arguments);
HEDDLE_API Status cudaFuncGetAttributes(FunctionAttributes* attributes, const void* stub);
HEDDLE_API Status cudaFuncSetAttribute(const void* stub, int attribute, int value);
HEDDLE_API Status cudaFuncSetCacheConfig(const void* stub, int configuration);
HEDDLE_API Status cudaFuncSetSharedMemConfig(const void* stub, int configuration);
HEDDLE_API Status cudaFuncGetName(const char** name, const void* stub);
HEDDLE_API Status cudaFuncGetParamInfo(const void* stub, size_t index, size_t* offset, size_t* bytes);
HEDDLE_API Status cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int threads,
                                                                size_t dynamic_shared);
HEDDLE_API Status cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub, int threads,
                                                                         size_t dynamic_shared, unsigned flags);
HEDDLE_API Status cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* stub, int blocks, int threads);

}  // namespace heddle::shim

// Memory by the driver API: filled, copied in planes and blocks, arrays, textures, of the host, and what is known of it.
#include <string.h>

#include "driver_check.h"

static void filled() {
  unsigned char bytes[64];
  unsigned short halves[32];
  unsigned words[16];
  CUdeviceptr device;
  DRIVER(cuMemAlloc(&device, 64));
  DRIVER(cuMemsetD8(device, 0xab, 64));
  DRIVER(cuMemcpyDtoH(bytes, device, 64));
  for (unsigned char each : bytes) EXPECT(each == 0xab);
  DRIVER(cuMemsetD16(device + 2, 0x1234, 30));
  DRIVER(cuMemcpyDtoH(halves, device, 64));
  for (int i = 0; i < 32; ++i) EXPECT(halves[i] == (i == 0 || i == 31 ? 0xabab : 0x1234));
  DRIVER(cuMemsetD32(device, 0xdeadbeef, 16));
  DRIVER(cuMemcpyDtoH(words, device, 64));
  for (unsigned each : words) EXPECT(each == 0xdeadbeef);
  EXPECT_DRIVER(cuMemsetD32(device + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_DRIVER(cuMemsetD16(device + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_DRIVER(cuMemsetD8(device, 0, 65), CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemFree(device));
}

static void planes() {
  const size_t width = 40, height = 6;
  CUdeviceptr device;
  size_t pitch;
  DRIVER(cuMemAllocPitch(&device, &pitch, width, height, 4));
  EXPECT(pitch >= width);
  DRIVER(cuMemsetD2D8(device, pitch, 7, width, height));
  DRIVER(cuMemsetD2D32(device, pitch, 0x01020304, 2, height - 1));
  DRIVER(cuMemsetD2D16(device + 12, pitch, 0x0909, 1, 2));
  unsigned char out[height][width], expected[height][width];
  memset(expected, 7, sizeof expected);
  for (size_t y = 0; y + 1 < height; ++y)
    for (size_t x = 0; x < 8; ++x) expected[y][x] = (unsigned char)(4 - x % 4);
  for (size_t y = 0; y < 2; ++y) expected[y][12] = expected[y][13] = 9;
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = device;
  copy.srcPitch = pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = out;
  copy.dstPitch = width;
  copy.WidthInBytes = width;
  copy.Height = height;
  DRIVER(cuMemcpy2D(&copy));
  EXPECT(memcmp(out, expected, sizeof out) == 0);

  // A part, to another place.
  copy.srcXInBytes = 4;
  copy.srcY = 1;
  copy.dstXInBytes = 20;
  copy.dstY = 3;
  copy.WidthInBytes = 10;
  copy.Height = 2;
  DRIVER(cuMemcpy2D(&copy));
  for (size_t y = 0; y < 2; ++y) memcpy(&expected[3 + y][20], &expected[1 + y][4], 10);
  EXPECT(memcmp(out, expected, sizeof out) == 0);
  copy.srcMemoryType = (CUmemorytype)9;
  EXPECT_DRIVER(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemFree(device));
}

static void blocks_and_arrays() {
  const size_t width = 5, height = 4, depth = 3;
  unsigned in[depth][height][width], out[depth][height][width];
  for (unsigned i = 0; i < depth * height * width; ++i) (&in[0][0][0])[i] = i * 7;
  CUDA_ARRAY3D_DESCRIPTOR shape = {};
  shape.Width = width;
  shape.Height = height;
  shape.Depth = depth;
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT32;
  shape.NumChannels = 1;
  CUarray array;
  DRIVER(cuArray3DCreate(&array, &shape));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = in;
  copy.srcPitch = width * 4;
  copy.srcHeight = height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = width * 4;
  copy.Height = height;
  copy.Depth = depth;
  DRIVER(cuMemcpy3D(&copy));
  CUDA_MEMCPY3D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  back.srcArray = array;
  back.srcXInBytes = 4;
  back.srcZ = 1;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = out;
  back.dstPitch = width * 4;
  back.dstHeight = height;
  back.WidthInBytes = (width - 1) * 4;
  back.Height = height;
  back.Depth = depth - 1;
  DRIVER(cuMemcpy3D(&back));
  for (size_t z = 0; z + 1 < depth; ++z)
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x + 1 < width; ++x) EXPECT(out[z][y][x] == in[z + 1][y][x + 1]);
  DRIVER(cuArrayDestroy(array));

  CUDA_ARRAY_DESCRIPTOR flat = {16, 2, CU_AD_FORMAT_FLOAT, 2}, told = {};
  DRIVER(cuArrayCreate(&array, &flat));
  DRIVER(cuArrayGetDescriptor(&told, array));
  EXPECT(told.Width == 16 && told.Height == 2 && told.Format == CU_AD_FORMAT_FLOAT && told.NumChannels == 2);
  DRIVER(cuArrayDestroy(array));
  flat = {8, 0, CU_AD_FORMAT_FLOAT, 1};
  const float row[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float part[3];
  DRIVER(cuArrayCreate(&array, &flat));
  DRIVER(cuMemcpyHtoA(array, 0, row, sizeof row));
  DRIVER(cuMemcpyAtoH(part, array, 8, sizeof part));
  EXPECT(part[0] == 3 && part[1] == 4 && part[2] == 5);
  DRIVER(cuArrayDestroy(array));
}

static const char kFetch[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry fetch(.param .u64 to, .param .u64 texture)
{
  .reg .u32 %thread;
  .reg .u64 %to, %texture, %offset;
  .reg .f32 %x, %red, %green, %blue, %alpha;
  mov.u32 %thread, %tid.x;
  cvt.rn.f32.u32 %x, %thread;
  add.f32 %x, %x, 0f3F000000;
  ld.param.u64 %to, [to];
  ld.param.u64 %texture, [texture];
  tex.2d.v4.f32.f32 {%red, %green, %blue, %alpha}, [%texture, {%x, %x}];
  mul.wide.u32 %offset, %thread, 4;
  add.u64 %to, %to, %offset;
  st.global.f32 [%to], %red;
  ret;
}
)";

// The diagonal of an image of bytes, which are read as fractions of 255; behind it is the border.
static void textures() {
  const unsigned size = 8, threads = 16;
  unsigned char image[size][size];
  for (unsigned i = 0; i < size * size; ++i) (&image[0][0])[i] = (unsigned char)(i * 3);
  CUDA_ARRAY_DESCRIPTOR shape = {size, size, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray array;
  DRIVER(cuArrayCreate(&array, &shape));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = image;
  copy.srcPitch = copy.WidthInBytes = copy.Height = size;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  DRIVER(cuMemcpy2D(&copy));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  for (CUaddress_mode& mode : how.addressMode) mode = CU_TR_ADDRESS_MODE_BORDER;
  CUtexObject texture;
  DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  CUmodule module;
  CUfunction fetch;
  CUdeviceptr device;
  float out[threads];
  DRIVER(cuModuleLoadData(&module, kFetch));
  DRIVER(cuModuleGetFunction(&fetch, module, "fetch"));
  DRIVER(cuMemAlloc(&device, sizeof out));
  void* arguments[] = {&device, &texture};
  DRIVER(cuLaunchKernel(fetch, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuMemcpyDtoH(out, device, sizeof out));
  for (unsigned i = 0; i < threads; ++i) EXPECT(out[i] == (i < size ? (float)image[i][i] / 255 : 0));
  DRIVER(cuTexObjectDestroy(texture));
  DRIVER(cuArrayDestroy(array));
  DRIVER(cuMemFree(device));
}

static void of_the_host(CUfunction add_one) {
  unsigned* pinned;
  CUdeviceptr seen, managed;
  DRIVER(cuMemHostAlloc((void**)&pinned, 128, CU_MEMHOSTALLOC_DEVICEMAP));
  for (unsigned i = 0; i < 32; ++i) pinned[i] = i;
  DRIVER(cuMemHostGetDevicePointer(&seen, pinned, 0));
  void* arguments[] = {&seen};
  DRIVER(cuLaunchKernel(add_one, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuCtxSynchronize());
  for (unsigned i = 0; i < 32; ++i) EXPECT(pinned[i] == i + 1);
  DRIVER(cuMemAllocManaged(&managed, 128, CU_MEM_ATTACH_GLOBAL));
  memset((void*)managed, 0, 128);
  seen = managed;
  DRIVER(cuLaunchKernel(add_one, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  DRIVER(cuCtxSynchronize());
  for (unsigned i = 0; i < 32; ++i) EXPECT(((unsigned*)managed)[i] == 1);

  unsigned type = 0;
  bool is_managed = false;
  DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)pinned));
  EXPECT(type == CU_MEMORYTYPE_HOST);
  DRIVER(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  EXPECT(is_managed);
  DRIVER(cuMemFree(managed));
  DRIVER(cuMemFreeHost(pinned));
}

static void what_is_known() {
  CUdeviceptr device, begin = 0, told = 0;
  size_t bytes = 0, size = 0;
  unsigned type = 7;
  int ordinal = 7, on_stack = 0;
  DRIVER(cuMemAlloc(&device, 1000));
  DRIVER(cuMemGetAddressRange(&begin, &bytes, device + 500));
  EXPECT(begin == device && bytes == 1000);
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                      CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void* values[] = {&type, &ordinal, &told, &size};
  DRIVER(cuPointerGetAttributes(4, attributes, values, device + 10));
  EXPECT(type == CU_MEMORYTYPE_DEVICE && ordinal == 0 && told == device && size == 1000);
  DRIVER(cuPointerGetAttributes(2, attributes, values, (CUdeviceptr)&on_stack));
  EXPECT(type == 0 && ordinal == -2);
  EXPECT_DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)&on_stack),
                CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemFree(device));
  EXPECT_DRIVER(cuMemAlloc(&device, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_DRIVER(cuMemAlloc(&device, (size_t)1 << 60), CUDA_ERROR_OUT_OF_MEMORY);
}

int main() {
  CUmodule module;
  CUfunction add_one;
  CUcontext context = begin(&module);
  DRIVER(cuModuleGetFunction(&add_one, module, "add_one"));
  filled();
  planes();
  blocks_and_arrays();
  textures();
  of_the_host(add_one);
  what_is_known();
  DRIVER(cuCtxDestroy(context));
  return passed();
}

// `heddle cc`: CUDA programs by clang.
#include "cli/heddle_program.h"

namespace heddle::runtime {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kProgram = R"(
#include <cstdio>
__global__ void twice(int* value) { *value = FACTOR * *value; }
int main() {
  int *device, host = 21;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  twice<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host);
  return host == 42 ? 0 : 1;
}
)";

class Cc : public cli::HeddleProgram {};

TEST_F(Cc, FlagsReachClangAndTheProgramRuns) {
  write("twice.cu", kProgram);
  const cli::Ended compiled = heddle({"cc", "-O1", "-DFACTOR=2", "twice.cu", "-o", "twice"});
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  EXPECT_EQ(compiled.err, "");
  const cli::Ended ended = heddle({"exec", "--emulate", "--quiet", "--", "./twice"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "42\n");
}

TEST_F(Cc, ObjectsAreLinkedLater) {
  write("twice.cu", kProgram);
  ASSERT_EQ(heddle({"cc", "-c", "-DFACTOR=2", "twice.cu"}).code, 0);
  ASSERT_EQ(heddle({"cc", "twice.o"}).code, 0);
  EXPECT_EQ(heddle({"exec", "--emulate", "--quiet", "--", "./a.out"}).out, "42\n");
}

TEST_F(Cc, HostSourcesAndFlagsWithAValueOfTheirOwn) {
  std::filesystem::create_directory(path("include"));
  write("include/factor.h", "#define FACTOR 2\n#define main device_main\n");
  write("twice.cu", kProgram);
  write("main.cpp",
        "#include <cuda_runtime.h>\nint device_main();\n"
        "int main() { dim3 one(1); return cudaFree(0) == cudaSuccess && one.y == 1 ? device_main() : 2; }\n");
  const cli::Ended compiled =
      heddle({"cc", "-I", "include", "-include", "factor.h", "-c", "twice.cu", "-o", "device.o"});
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  const cli::Ended linked = heddle({"cc", "main.cpp", "device.o", "-l", "m", "-o", "twice"});
  ASSERT_EQ(linked.code, 0) << linked.err;
  EXPECT_EQ(heddle({"exec", "--emulate", "--quiet", "--", "./twice"}).out, "42\n");
}

// Only .cu files have CUDA's names without asking: host code may have its own under the same names. C is C.
TEST_F(Cc, HostSourcesHaveNamesOfTheirOwn) {
  write("twice.cu", std::string("extern \"C\" int three(void);\n#define main device_main\n") + std::string(kProgram));
  write("main.cpp",
        "#include <algorithm>\n#include <complex>\nstruct uchar4 { char one; };\nint device_main();\nextern \"C\" int "
        "three(void);\n"
        "int main() { return three() == std::max(3, 2) && sizeof(uchar4) == 1 ? device_main() : 2; }\n");
  write("three.c", "typedef struct { int class; } float4;\nint three(void) { float4 new = {3}; return new.class; }\n");
  const cli::Ended compiled =
      heddle({"cc", "-std=c++17", "-DFACTOR=2", "twice.cu", "main.cpp", "three.c", "-o", "twice"});
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  EXPECT_EQ(compiled.err, "");
  EXPECT_EQ(heddle({"exec", "--emulate", "--quiet", "--", "./twice"}).out, "42\n");
}

// Who stands between a program and the runtime sees the program's calls, and none of the runtime to itself.
TEST_F(Cc, WhoListensHearsACallOnce) {
  write("listen.cu", R"(
#include <dlfcn.h>
#include <cstdio>
extern "C" cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  std::puts("copied");
  return reinterpret_cast<decltype(&cudaMemcpy)>(dlsym(RTLD_NEXT, "cudaMemcpy"))(to, from, bytes, kind);
}
int main() {
  int *device, host = 21;
  cudaMalloc(&device, sizeof host);
  cudaMemcpyAsync(device, &host, sizeof host, cudaMemcpyHostToDevice, 0);
  cudaMemcpyPeer(device, 0, device, 0, sizeof host);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
}
)");
  const cli::Ended compiled = heddle({"cc", "-rdynamic", "listen.cu", "-ldl", "-o", "listen"});
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  EXPECT_EQ(heddle({"exec", "--emulate", "--quiet", "--", "./listen"}).out, "copied\n");
}

TEST_F(Cc, ABarrierIsBlamedOnTheLineThatCallsIt) {
  write("stuck.cu",
        "#include <cooperative_groups.h>\n"
        "__global__ void stuck() {\n"
        "  if (threadIdx.x < 40)\n"
        "    __syncthreads();\n"
        "  for (;;)\n"
        "    if (threadIdx.x >= 40) __syncthreads();\n"
        "}\n"
        "__global__ void other() { cooperative_groups::this_thread_block().sync(); }\n"
        "int main() {\n"
        "  stuck<<<1, 64>>>();\n"
        "  return cudaDeviceSynchronize() != cudaSuccess;\n"
        "}\n");
  ASSERT_EQ(heddle({"cc", "stuck.cu", "-o", "stuck"}).code, 0);
  const cli::Ended ended = heddle({"exec", "--emulate", "--quiet", "--keep-ptx", path(""), "--", "./stuck"});
  const std::string ptx = read("stuck.ptx");
  EXPECT_THAT(ptx, HasSubstr("bar.sync 0"));
  EXPECT_THAT(ptx, Not(HasSubstr("cuda_minimal.h")));
  EXPECT_THAT(ptx, Not(HasSubstr("cooperative_groups.h")));
  EXPECT_EQ(ended.code, 1) << ended.err;  // the program's own
  EXPECT_THAT(ended.err, testing::ContainsRegex("first at stuck.ptx:[0-9:]+ \\([^)]*stuck.cu:4\\): bar.sync 0;"));
}

// Pointers of 32 bits inside kernels, of 64 outside; variables, a pointer in a variable, headers of the host.
TEST_F(Cc, OfTheEraHasShortAddressesInKernelsOnly) {
  write("era.cu",
        "#include <cstdio>\n#include <string>\n#include <vector>\n"
        "__device__ int table[4] = {1, 2, 3, 4};\n"
        "__device__ int* where;\n"
        "__constant__ int factor;\n"
        "__global__ void point() { where = table + 2; }\n"
        "__global__ void k(const int* in, int* out, double by, int n) {\n"
        "  if (threadIdx.x >= n) return;\n"
        "  if (in[threadIdx.x] % 2) out[threadIdx.x] = int(by) * factor; else out[threadIdx.x] = *where + "
        "sizeof(void*);\n"
        "}\n"
        "int main() {\n"
        "  std::vector<int> host{1, 2, 3, 4, 5};\n"
        "  int *in, *out, five = 5;\n"
        "  cudaMalloc(&in, 20), cudaMalloc(&out, 20);\n"
        "  cudaMemcpy(in, host.data(), 20, cudaMemcpyHostToDevice);\n"
        "  cudaMemcpyToSymbol(factor, &five, sizeof five);\n"
        "  point<<<1, 1>>>();\n"
        "  k<<<1, 32>>>(in, out, 2.5, 5);\n"
        "  cudaMemcpy(host.data(), out, 20, cudaMemcpyDeviceToHost);\n"
        "  for (int each : host) printf(\"%d \", each);\n"
        "}\n");
  const cli::Ended compiled = heddle({"cc", "--era", "--compiler", "clang++-14", "era.cu", "-o", "era"});
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  const cli::Ended ended = heddle({"exec", "--emulate", "--quiet", "--keep-ptx", path(""), "--", "./era"});
  EXPECT_EQ(ended.out, "10 7 10 7 10 ") << ended.err;
  EXPECT_THAT(read("era.ptx"), HasSubstr(".address_size 32"));
  EXPECT_THAT(read("era.ptx"), Not(HasSubstr("selp")));
}

TEST_F(Cc, KernelsMayComeFromAFile) {
  write("twice.cu", kProgram);
  write("other.ptx",
        ".version 6.3\n.target sm_75\n.address_size 64\n"
        ".visible .entry _Z5twicePi(.param .u64 p) { .reg .b64 %p; ld.param.u64 %p, [p]; st.global.u32 [%p], 42; ret; "
        "}\n");
  ASSERT_EQ(heddle({"cc", "-DFACTOR=7", "--ptx", "other.ptx", "twice.cu", "-o", "twice"}).code, 0);
  EXPECT_EQ(heddle({"exec", "--emulate", "--quiet", "--", "./twice"}).out, "42\n");
  EXPECT_EQ(heddle({"cc", "--ptx", "no-such.ptx", "twice.cu"}).code, 2);
  EXPECT_EQ(heddle({"cc", "--ptx", "other.ptx", "twice.cu", "again.cu"}).code, 2);
}

// Pairs sorted by a bitonic network: what is passed by value has padding. clang 14 takes its comparison for nothing.
TEST_F(Cc, StructsWithPaddingArePassedByValue) {
  write("pairs.cu", R"(
#include <cstdio>
template <class K, class V>
struct Pair {
  K key; V odd;
  __device__ Pair(K k, V o) : key(k), odd(o) {}
  __device__ bool operator<(const Pair& other) const { return key < other.key || (key == other.key && odd < other.odd); }
};
template <class K, class V>
__device__ __forceinline__ Pair<K, V> other_of(const Pair<K, V>& own, int mask) {
  return Pair<K, V>(__shfl_xor_sync(~0u, own.key, mask), __shfl_xor_sync(~0u, own.odd, mask));
}
template <class T>
__device__ __forceinline__ bool less(const T one, const T other) { return one < other; }
template <class T>
__device__ __forceinline__ T exchange(const T own, int mask, int up) {
  T other = other_of(own, mask);
  return less(own, other) == up ? other : own;
}
__global__ void sort(int* out) {
  const int lane = threadIdx.x, key = lane * 7 % 32;
  Pair<int, bool> own(key, key % 2);
#pragma unroll
  for (int size = 2; size <= 32; size *= 2)
#pragma unroll
    for (int mask = size / 2; mask > 0; mask /= 2)
      own = exchange(own, mask, ((lane & size) != 0) ^ ((lane & mask) != 0));
  out[lane] = 2 * own.key + own.odd;
}
int main() {
  int *device, host[32];
  cudaMalloc(&device, sizeof host);
  sort<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) if (host[i] != 2 * i + i % 2) return std::printf("%d: %d\n", i, host[i]), 1;
}
)");
  const cli::Ended compiled = heddle({"cc", "pairs.cu", "-o", "pairs"});
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  const cli::Ended ended = heddle({"exec", "--emulate", "--quiet", "--", "./pairs"});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
}

TEST_F(Cc, WhatClangRefusesIsABadProgram) {
  write("bad.cu", "__global__ void k() { int x = undeclared; }\nint main() {}\n");
  const cli::Ended ended = heddle({"cc", "bad.cu", "-o", "bad"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("bad.cu:1:31: error: use of undeclared identifier 'undeclared'"));
  EXPECT_THAT(ended.err, ContainsRegex("heddle: error: clang\\+\\+[-0-9]* could not compile for the GPU bad.cu"));
}

TEST_F(Cc, AFolderWithoutTheLibrariesIsNoToolkit) {
  write("twice.cu", kProgram);
  const cli::Ended ended = heddle({"cc", "--cuda-path", ".", "twice.cu"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("there is no 'include/cccl/thrust' in '.'"));
}

TEST_F(Cc, MistakesOnTheCommandLineAreUsageErrors) {
  write("a.cu", "int main() {}\n");
  write("b.cu", "");
  EXPECT_EQ(heddle({"cc"}).code, 2);
  EXPECT_EQ(heddle({"cc", "no-such.cu"}).code, 2);
  EXPECT_EQ(heddle({"cc", "-c", "a.cu", "b.cu", "-o", "both.o"}).code, 2);
  const cli::Ended ended = heddle({"cc", "a.cu", "--compiler", "no-such-clang"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("no-such-clang"));
}

}  // namespace
}  // namespace heddle::runtime

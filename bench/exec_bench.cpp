// What a CUDA program pays for the runtime: launches, copies and allocations through the libcudart.so that programs
// load, with the simulator at the other end of its socket, in a thread of this process. For comparison, the same launch
// without it.
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "runtime/fat_binary.h"
#include "runtime/service.h"
#include "runtime/session.h"

namespace heddle::workloads {
std::string_view bench_kernels_ptx();
}

namespace heddle {
namespace {

struct Dimensions {
  unsigned x = 1, y = 1, z = 1;
};

constexpr std::string_view kEmpty =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";

void serve(int socket) {
  runtime::Greeting greeting;
  if (!runtime::receive_greeting(socket, greeting)) return;
  std::string printed;
  GpuOptions options;
  options.memory = {greeting.base, true};
  options.printed = &printed;
  Gpu gpu(make_config("default", {}), options);
  const runtime::SessionHooks hooks{
      [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }, {}, {}, {}};
  runtime::Session(socket, gpu, "bench", printed, hooks).serve();
}

// The library as a program has it: loaded, two fat binaries registered.
class CudaRuntime {
 public:
  static CudaRuntime& get() {
    static CudaRuntime* const runtime = new CudaRuntime;
    return *runtime;
  }

  template <class... Arguments>
  void call(const char* name, Arguments... arguments) {
    const auto function = reinterpret_cast<unsigned (*)(Arguments...)>(find(name));
    if (const unsigned error = function(arguments...))
      throw InternalError(std::string(name) + " answers " + std::to_string(error));
  }

  static inline const char nothing = 0, memory = 0;  // what is launched, by address

 private:
  CudaRuntime() : service_(&serve) {
    setenv(runtime::kSocketVariable, service_.path().c_str(), 1);
    library_ = dlopen(HEDDLE_CUDART, RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw InternalError(dlerror());
    add(kEmpty, "nothing", &nothing);
    add(workloads::bench_kernels_ptx(), "memory", &memory);
  }

  void* find(const char* name) {
    void* const found = dlsym(library_, name);
    if (!found) throw InternalError(std::string("no function ") + name);
    return found;
  }

  void add(std::string_view ptx, const char* kernel, const char* stub) {
    struct Wrapper {
      uint32_t magic = 0x466243b1, version = 1;
      const void* container;
      void* linked = nullptr;
    };
    const auto* container = new std::string(runtime::write_fat_binary(ptx, 70));  // as long as the process
    const auto* wrapper = new Wrapper{.container = container->data()};
    const auto add_binary = reinterpret_cast<void** (*)(const void*)>(find("__cudaRegisterFatBinary"));
    const auto add_function =
        reinterpret_cast<void (*)(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*)>(
            find("__cudaRegisterFunction"));
    add_function(add_binary(wrapper), stub, nullptr, kernel, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  }

  runtime::Service service_;
  void* library_ = nullptr;
};

void launch(CudaRuntime& cuda, const char* stub, Dimensions grid, Dimensions block, void** arguments) {
  cuda.call<const void*, Dimensions, Dimensions, void**, size_t, void*>("cudaLaunchKernel", stub, grid, block,
                                                                        arguments, 0, nullptr);
}

void launch_of_an_empty_kernel_without_the_runtime(benchmark::State& state) {
  Gpu gpu(make_config("default", {}), {});
  gpu.load("empty.ptx", kEmpty);
  for (auto _ : state) gpu.launch("nothing", {{1}, {32}, 0, false}, Arguments());
}
BENCHMARK(launch_of_an_empty_kernel_without_the_runtime)->Unit(benchmark::kMicrosecond);

void launch_of_an_empty_kernel(benchmark::State& state) {
  CudaRuntime& cuda = CudaRuntime::get();
  for (auto _ : state) launch(cuda, &CudaRuntime::nothing, {1}, {32}, nullptr);
  cuda.call("cudaDeviceSynchronize");
}
BENCHMARK(launch_of_an_empty_kernel)->Unit(benchmark::kMicrosecond)->UseRealTime();

void launch_of_an_empty_kernel_waited_for(benchmark::State& state) {
  CudaRuntime& cuda = CudaRuntime::get();
  for (auto _ : state) {
    launch(cuda, &CudaRuntime::nothing, {1}, {32}, nullptr);
    cuda.call("cudaDeviceSynchronize");
  }
}
BENCHMARK(launch_of_an_empty_kernel_waited_for)->Unit(benchmark::kMicrosecond)->UseRealTime();

// The kernel of memory_bound_streaming, to be held against it.
void streaming_through_the_runtime(benchmark::State& state) {
  CudaRuntime& cuda = CudaRuntime::get();
  int n = 1 << 21;
  void *in = nullptr, *out = nullptr;
  cuda.call<void**, size_t>("cudaMalloc", &in, n * sizeof(float));
  cuda.call<void**, size_t>("cudaMalloc", &out, n * sizeof(float));
  void* arguments[] = {&in, &out, &n};
  for (auto _ : state) {
    launch(cuda, &CudaRuntime::memory, {64}, {256}, arguments);
    cuda.call("cudaDeviceSynchronize");
  }
  cuda.call<void*>("cudaFree", in);
  cuda.call<void*>("cudaFree", out);
}
BENCHMARK(streaming_through_the_runtime)->Unit(benchmark::kMillisecond)->UseRealTime();

template <bool to_device>
void copy(benchmark::State& state) {
  CudaRuntime& cuda = CudaRuntime::get();
  const auto bytes = static_cast<size_t>(state.range(0));
  std::vector<char> host(bytes, 1);
  void* device = nullptr;
  cuda.call<void**, size_t>("cudaMalloc", &device, bytes);
  std::memset(device, 0, bytes);
  for (auto _ : state) {
    void* const to = to_device ? device : host.data();
    const void* const from = to_device ? host.data() : device;
    cuda.call<void*, const void*, size_t, int>("cudaMemcpy", to, from, bytes, to_device ? 1 : 2);
  }
  cuda.call<void*>("cudaFree", device);
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
}
BENCHMARK(copy<true>)->Name("copy_to_the_gpu")->Arg(4)->Arg(1 << 20)->Arg(1 << 27)->UseRealTime();
BENCHMARK(copy<false>)->Name("copy_from_the_gpu")->Arg(4)->Arg(1 << 20)->Arg(1 << 27)->UseRealTime();

void plain_memcpy(benchmark::State& state) {
  const auto bytes = static_cast<size_t>(state.range(0));
  std::vector<char> from(bytes, 1), to(bytes, 2);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(bytes));
}
BENCHMARK(plain_memcpy)->Arg(1 << 20)->Arg(1 << 27)->UseRealTime();

void allocate_and_free(benchmark::State& state) {
  CudaRuntime& cuda = CudaRuntime::get();
  for (auto _ : state) {
    void* device = nullptr;
    cuda.call<void**, size_t>("cudaMalloc", &device, 1 << 20);
    cuda.call<void*>("cudaFree", device);
  }
}
BENCHMARK(allocate_and_free)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace heddle

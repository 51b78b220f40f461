// Runs a kernel of its own on the machine of a preset, and says how full its warps were.
#include <cstdio>

#include "gpu/gpu.h"

namespace {

// out[i] = i for odd threads, 2i for even ones: half a warp each way.
constexpr const char* kKernel = R"(
.version 6.0
.target sm_50
.address_size 64
.visible .entry odd_even(.param .u64 out) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p, %r2, 1;
  mov.u32 %r3, %r1;
  @%p bra done;
  add.u32 %r3, %r3, %r3;
done:
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

}  // namespace

int main() {
  heddle::Gpu gpu(heddle::make_config("tbc-hpca11", {}), {});
  gpu.load("odd_even.ptx", kKernel);
  const heddle::Buffer<uint32_t> out(gpu, 64, "out");
  gpu.launch("odd_even", {.grid = {1}, .block = {64}}, heddle::Arguments(out.address()));
  const auto values = out.download();
  for (uint32_t i = 0; i < values.size(); ++i)
    if (values[i] != (i % 2 == 1 ? i : 2 * i)) return 1;
  const double efficiency = gpu.total().simd_efficiency(32);
  std::printf("SIMD efficiency %.3f\n", efficiency);
  return efficiency > 0.9 && efficiency < 1.0 ? 0 : 1;
}

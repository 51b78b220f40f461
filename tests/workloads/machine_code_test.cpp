// Machine code computes what the PTX computes, bit for bit: every workload, and random kernels.
#include <gtest/gtest.h>

#include "gpu/gpu.h"
#include "support/amount.h"
#include "support/memory_image.h"
#include "support/random_kernel.h"
#include "workloads/workload.h"

namespace heddle::test::machine_code_test {
namespace {

using workloads::Compiler, workloads::Workload;

std::shared_ptr<const Program> machine_code_of(std::string_view name, std::string_view ptx) {
  CodeOptions options;
  options.predicate_up_to = 255;
  options.unroll = true;
  return Program::load(std::make_shared<ptx::Source>(std::string(name), std::string(ptx)))->as_machine_code(options);
}

Gpu gpu_of(const Workload& workload) {
  GpuOptions options;
  options.mechanism = workload.kind == workloads::Kind::Waits ? "its" : "pdom";
  return Gpu(make_config("default", {}), options);
}

std::vector<ImagePart> image_left(const Workload& workload, Compiler compiler, bool machine) {
  Gpu gpu = gpu_of(workload);
  if (machine)
    gpu.load(machine_code_of(workload.name, workload.ptx(compiler)));
  else
    gpu.load(workload.name, workload.ptx(compiler));
  RecordingDevice recording(gpu);
  const workloads::Check check = workload.run(recording, workloads::Size::Tiny);
  EXPECT_TRUE(check.passed) << workload.name << ": " << check.detail;
  return recording.image();
}

TEST(MachineCode, leaves_the_same_memory_as_the_ptx_of_every_workload_by_every_compiler) {
  for (const Workload& workload : workloads::all())
    for (const Compiler compiler : workloads::kCompilers) {
      if (!workloads::find_ptx(workload.name, compiler)) continue;
      EXPECT_EQ(difference(image_left(workload, compiler, false), image_left(workload, compiler, true)), "")
          << workload.name << " by " << name_of(compiler);
    }
}

std::vector<uint32_t> words_left(Gpu& gpu, const RandomKernel& kernel) {
  Buffer<uint32_t> out(gpu, size_t{kernel.blocks} * kernel.threads * RandomKernel::kWords, "out");
  gpu.launch("k", {{kernel.blocks}, {kernel.threads}}, Arguments(out.address()));
  return out.download();
}

TEST(MachineCode, of_random_kernels_leaves_what_their_ptx_leaves) {
  const uint64_t count = amount(5000, 300, 60);
  for (uint64_t seed = 1; seed <= count; ++seed) {
    const RandomKernel kernel = random_kernel(seed);
    const std::string ptx = kernel.ptx();
    Gpu as_written(make_config("default", {}), {}), made(make_config("default", {}), {});
    as_written.load("random.ptx", ptx);
    made.load(machine_code_of("random.ptx", ptx));
    ASSERT_EQ(words_left(made, kernel), words_left(as_written, kernel)) << "seed " << seed << "\n" << ptx;
  }
}

}  // namespace
}  // namespace heddle::test::machine_code_test

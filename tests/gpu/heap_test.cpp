// malloc and free inside kernels, and modules that do not know each other.
#include <gtest/gtest.h>
#include <unistd.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr std::string_view kHeap = R"(
.extern .func (.param .b64 func_retval0) malloc(.param .b64 malloc_param_0);
.extern .func free(.param .b64 free_param_0);
.visible .entry make(.param .u64 out) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %tid.x;
  { .param .b64 param0; st.param.b64 [param0+0], 16; .param .b64 retval0;
    call.uni (retval0), malloc, (param0); ld.param.b64 %rd1, [retval0+0]; }
  st.u32 [%rd1+12], %r1;
  ld.param.u64 %rd2, [out];
  mul.wide.u32 %rd3, %r1, 8;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u64 [%rd4], %rd1;
  ret;
}
.visible .entry drop(.param .u64 out, .param .u64 sums) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd2, [out];
  mul.wide.u32 %rd3, %r1, 8;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u64 %rd1, [%rd4];
  ld.u32 %r2, [%rd1+12];
  ld.param.u64 %rd5, [sums];
  mul.wide.u32 %rd6, %r1, 4;
  add.s64 %rd7, %rd5, %rd6;
  st.global.u32 [%rd7], %r2;
  { .param .b64 param0; st.param.b64 [param0+0], %rd1; call.uni free, (param0); }
  ret;
})";

TEST(Heap, what_a_kernel_allocates_the_next_can_read_and_free) {
  SmallGpu gpu(kHeap);
  const Buffer<uint64_t> places(gpu, 64, "places");
  const Buffer<uint32_t> values(gpu, 64, "values");
  const uint64_t before = gpu.memory().bytes_in_use();
  gpu.launch("make", {{1}, {64}}, Arguments(places.address()));
  EXPECT_EQ(gpu.memory().bytes_in_use(), before + 64 * 16);
  gpu.launch("drop", {{1}, {64}}, Arguments(places.address(), values.address()));
  EXPECT_EQ(gpu.memory().bytes_in_use(), before);
  const std::vector<uint32_t> found = values.download();
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(found[i], i);
}

TEST(Heap, what_was_freed_is_not_freed_again) {
  SmallGpu gpu(kHeap);
  const Buffer<uint64_t> places(gpu, 1, "places");
  const Buffer<uint32_t> values(gpu, 1, "values");
  gpu.launch("make", {{1}, {1}}, Arguments(places.address()));
  gpu.launch("drop", {{1}, {1}}, Arguments(places.address(), values.address()));
  EXPECT_NE(error_of(ExitCode::Fault,
                     [&] {
                       gpu.launch("drop", {{1}, {1}}, Arguments(places.address(), values.address()));
                     })
                .find("freed"),
            std::string::npos);
}

constexpr std::string_view kCounter = R"(
.global .u32 counter = {};
.visible .entry next(.param .u64 out) {
  .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.global.u32 %r1, [counter];
  ld.param.u64 %rd1, [out];
  st.global.u32 [%rd1], %r1;
  ret;
})";

std::shared_ptr<const Program> counter_of(int value) {
  std::string text = with_header(kCounter);
  text.replace(text.find("{}"), 2, std::to_string(value));
  return Program::load(std::make_shared<ptx::Source>("counter.ptx", text));
}

TEST(Modules, names_that_stand_in_two_are_two_things) {
  Gpu gpu(make_config("default", {}), {});
  const size_t first = gpu.load(counter_of(3)), second = gpu.load(counter_of(4));
  const Buffer<uint32_t> out(gpu, 1, "out");
  gpu.launch(first, "next", {{1}, {1}}, Arguments(out.address()));
  EXPECT_EQ(out.download()[0], 3u);
  gpu.launch(second, "next", {{1}, {1}}, Arguments(out.address()));
  EXPECT_EQ(out.download()[0], 4u);
  EXPECT_NE(gpu.symbol(first, "counter"), gpu.symbol(second, "counter"));
}

TEST(Modules, variables_can_be_set_back_to_what_the_text_says) {
  Gpu gpu(make_config("default", {}), {});
  const size_t module = gpu.load(counter_of(3));
  const uint32_t other = 9;
  gpu.write(gpu.symbol("counter"), &other, sizeof other);
  gpu.reset_variables(module);
  const Buffer<uint32_t> out(gpu, 1, "out");
  gpu.launch("next", {{1}, {1}}, Arguments(out.address()));
  EXPECT_EQ(out.download()[0], 3u);
}

TEST(SharedArena, another_mapping_of_it_sees_what_is_written_and_freed_pages_read_as_zero) {
  GlobalMemory memory({kGlobalBase + 0x1000'0000, true});
  ASSERT_GE(memory.descriptor(), 0);
  const Address address = memory.allocate(8192, "data");
  const auto offset = static_cast<off_t>(address - (kGlobalBase + 0x1000'0000));
  std::fill_n(memory.host(address), 8192, std::byte{7});
  std::byte seen{};
  ASSERT_EQ(pread(memory.descriptor(), &seen, 1, offset + 100), 1);
  EXPECT_EQ(seen, std::byte{7});
  memory.free(address);
  ASSERT_EQ(pread(memory.descriptor(), &seen, 1, offset + 100), 1);
  EXPECT_EQ(seen, std::byte{0});
}

}  // namespace
}  // namespace heddle::test

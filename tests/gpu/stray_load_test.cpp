// Loads just beside an allocation: a fault, or, where somebody wants to be told instead, what hardware does.
#include <gmock/gmock.h>

#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

constexpr std::string_view kCopy = R"(
.visible .entry copy(.param .u64 from, .param .u64 to) {
  .reg .b32 %r<2>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.global.u32 %r1, [%rd1];
  st.global.u32 [%rd2], %r1;
  ret;
})";

struct Tolerant {
  Tolerant() : gpu(make_config("default", {}), options()) { gpu.load("test.ptx", with_header(kCopy)); }
  GpuOptions options() {
    GpuOptions result;
    result.stray_load = [this](const std::string& text) { told.push_back(text); };
    return result;
  }
  void copy(Address from, Address to) { gpu.launch("copy", {{1}, {32}}, Arguments(from, to)); }

  std::vector<std::string> told;
  Gpu gpu;
};

TEST(StrayLoad, goes_through_beside_an_allocation_and_is_told_once_per_launch) {
  Tolerant t;
  const Buffer<uint32_t> first(t.gpu, 1, "first"), in(t.gpu, 16, "in"), out(t.gpu, 16, "out");
  t.copy(in.address() - 4, out.address());
  ASSERT_EQ(t.told.size(), 1u);
  EXPECT_THAT(t.told[0], testing::HasSubstr("out-of-bounds load of 4 bytes"));
  EXPECT_THAT(t.told[0], testing::HasSubstr("'in'"));
  t.copy(in.address() + 64, out.address());
  EXPECT_EQ(t.told.size(), 2u);
}

TEST(StrayLoad, faults_far_from_everything) {
  Tolerant t;
  const Buffer<uint32_t> in(t.gpu, 16, "in"), out(t.gpu, 16, "out");
  for (const Address from : {Address{0}, Address{64}, in.address() + (Address{1} << 30), ~Address{0} - 63})
    error_of(ExitCode::Fault, [&] { t.copy(from, out.address()); });
  EXPECT_TRUE(t.told.empty());
}

TEST(StrayLoad, does_not_excuse_a_store_or_a_use_after_free) {
  Tolerant t;
  const Buffer<uint32_t> in(t.gpu, 16, "in"), out(t.gpu, 16, "out");
  error_of(ExitCode::Fault, [&] { t.copy(in.address(), out.address() + 64); });
  t.gpu.free(in.address());
  t.gpu.free(out.address());
  error_of(ExitCode::Fault, [&] { t.copy(in.address(), out.address()); });
}

TEST(StrayLoad, is_a_fault_unless_somebody_wants_to_be_told) {
  SmallGpu gpu(kCopy);
  const Buffer<uint32_t> in(gpu, 16, "in");
  error_of(ExitCode::Fault, [&] { gpu.launch("copy", {{1}, {32}}, Arguments(in.address() - 4, in.address())); });
}

}  // namespace
}  // namespace heddle::test

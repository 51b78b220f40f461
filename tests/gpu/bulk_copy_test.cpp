// cp.async.bulk, the mbarriers that count its bytes, and cp.reduce.async.bulk.
#include <gtest/gtest.h>

#include <numeric>

#include "divergence/registry.h"
#include "gpu/small_gpu.h"

namespace heddle::test {
namespace {

// Thread 0 brings 256 bytes in two pieces; all wait for them at the mbarrier, add one to their word, and thread 0 takes
// them back, or adds them to what is there.
constexpr std::string_view kThereAndBack = R"(
.visible .entry k(.param .u64 in, .param .u64 out) {
  .shared .align 128 .b8 room[256];
  .shared .align 8 .b64 bar;
  .reg .pred %p, %q;
  .reg .b32 %r<8>;
  .reg .b64 %i, %o, %t;
  ld.param.u64 %i, [in];
  ld.param.u64 %o, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, room;
  setp.eq.u32 %p, %r0, 0;
  @%p mbarrier.init.shared::cta.b64 [bar], 1;
  bar.sync 0;
  @%p mbarrier.arrive.expect_tx.shared::cta.b64 %t, [bar], 256;
  @%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [room], [%i], 96, [bar];
  mbarrier.test_wait.parity.shared::cta.b64 %q, [bar], 0;
  selp.u32 %r5, 1, 0, %q;
  bar.sync 0;
  @%p cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [room+96], [%i+96], 160, [bar];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0;
  @!%q bra WAIT;
  mad.lo.u32 %r2, %r0, 4, %r1;
  ld.shared.u32 %r3, [%r2];
  add.u32 %r3, %r3, 1;
  add.u32 %r3, %r3, %r5;
  st.shared.u32 [%r2], %r3;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @!%p bra END;
  BACK [%o], [room], 256;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;
END:
  ret;
})";

std::string text_with(std::string_view back) {
  std::string text(kThereAndBack);
  text.replace(text.find("BACK"), 4, back);
  return text;
}

constexpr std::string_view kBulkBack = "cp.async.bulk.global.shared::cta.bulk_group";

std::vector<uint32_t> counting_from(uint32_t first) {
  std::vector<uint32_t> values(64);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::vector<uint32_t> there_and_back(Device& gpu) {
  const Buffer<uint32_t> in(gpu, counting_from(10), "in"), out(gpu, counting_from(100), "out");
  gpu.launch("k", {{1}, {64}}, Arguments(in.address(), out.address()));
  return out.download();
}

TEST(BulkCopy, goes_there_and_back_under_every_mechanism) {
  for (const MechanismRow& mechanism : mechanisms()) {
    SmallGpu gpu(text_with(kBulkBack), {}, mechanism.name);
    EXPECT_EQ(there_and_back(gpu), counting_from(11)) << mechanism.name;
  }
}

TEST(BulkCopy, goes_there_and_back_with_a_clock) {
  GpuOptions options;
  options.timed = true;
  Gpu gpu(make_config("h200", {}), options);
  gpu.load("test.ptx", with_header(text_with(kBulkBack)));
  EXPECT_EQ(there_and_back(gpu), counting_from(11));
}

TEST(BulkCopy, reduces) {
  SmallGpu sums(text_with("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"));
  std::vector<uint32_t> expected(64);
  for (uint32_t i = 0; i < 64; ++i) expected[i] = 100 + i + 11 + i;
  EXPECT_EQ(there_and_back(sums), expected);
  SmallGpu least(text_with("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32"));
  EXPECT_EQ(there_and_back(least), counting_from(11));
}

TEST(BulkCopy, of_no_whole_pieces_and_beside_an_allocation_are_faults) {
  std::string odd = text_with(kBulkBack);
  odd.replace(odd.find("[room], 256"), 11, "[room], 250");
  SmallGpu pieces(odd);
  EXPECT_EQ(error_of(ExitCode::Fault, [&] { there_and_back(pieces); })
                .find("a bulk copy of 250 bytes, which is no multiple of 16"),
            0U);
  std::string far = text_with(kBulkBack);
  far.replace(far.find("[%i+96]"), 7, "[%i+112]");
  SmallGpu beside(far);
  EXPECT_EQ(error_of(ExitCode::Fault, [&] { there_and_back(beside); }).find("out-of-bounds load of 16 bytes"), 0U);
}

// Two phases, each of one arrival and some bytes; a phase ends when both have come, in whichever order.
TEST(Mbarrier, counts_bytes_and_arrivals) {
  SmallGpu gpu(R"(
.visible .entry k(.param .u64 out) {
  .shared .align 8 .b64 bar;
  .reg .pred %q;
  .reg .b32 %r<8>;
  .reg .b64 %o, %t;
  ld.param.u64 %o, [out];
  mbarrier.init.shared::cta.b64 [bar], 2;
  mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 64;
  mbarrier.arrive.shared::cta.b64 %t, [bar];
  mbarrier.pending_count.b64 %r0, %t;
  mbarrier.arrive.shared::cta.b64 _, [bar];
  mbarrier.test_wait.parity.shared::cta.b64 %q, [bar], 0;
  selp.u32 %r1, 1, 0, %q;
  mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 64;
  mbarrier.test_wait.parity.shared::cta.b64 %q, [bar], 0;
  selp.u32 %r2, 1, 0, %q;
  mbarrier.test_wait.shared::cta.b64 %q, [bar], %t;
  selp.u32 %r3, 1, 0, %q;
  cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];
  cp.async.mbarrier.arrive.shared::cta.b64 [bar];
  mbarrier.test_wait.parity.shared::cta.b64 %q, [bar], 1;
  selp.u32 %r4, 1, 0, %q;
  mbarrier.arrive.expect_tx.shared::cta.b64 %t, [bar], 16;
  mbarrier.complete_tx.shared::cta.b64 [bar], 16;
  mbarrier.test_wait.parity.shared::cta.b64 %q, [bar], 1;
  selp.u32 %r5, 1, 0, %q;
  st.global.v4.u32 [%o], {%r0, %r1, %r2, %r3};
  st.global.v2.u32 [%o+16], {%r4, %r5};
  ret;
})");
  const Buffer<uint32_t> out(gpu, 6, "out");
  gpu.launch("k", {{1}, {1}}, Arguments(out.address()));
  EXPECT_EQ(out.download(), (std::vector<uint32_t>{2, 0, 1, 1, 0, 1}));
}

}  // namespace
}  // namespace heddle::test

// Races: each rule of what puts threads in order, with it and without it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/checked.h"
#include "divergence/registry.h"

namespace heddle::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Found = std::vector<std::string>;

Found races(std::string_view body, unsigned blocks, unsigned threads, std::string_view mechanism = "pdom") {
  return found_in("race", body, blocks, threads, mechanism);
}

// Every thread writes its own place and reads that of the thread 32 further on.
constexpr std::string_view kNeighbour = R"(
  st.shared.u32 [%r3], %r1;
  BETWEEN
  xor.b32 %r4, %r3, 128;
  ld.shared.u32 %r5, [%r4];
)";

std::string with(std::string_view text, std::string_view between) {
  std::string result(text);
  const size_t at = result.find("BETWEEN");
  return result.replace(at, 7, between);
}

TEST(Race, a_barrier_orders_the_threads_of_a_block) {
  EXPECT_THAT(races(with(kNeighbour, "bar.sync 0;"), 2, 128), IsEmpty());
  EXPECT_THAT(races(with(kNeighbour, ""), 2, 128), ElementsAre("race 1 4"));
}

TEST(Race, is_found_under_every_mechanism) {
  for (const MechanismRow& mechanism : mechanisms()) {
    EXPECT_THAT(races(with(kNeighbour, "bar.sync 0;"), 2, 128, mechanism.name), IsEmpty()) << mechanism.name;
    EXPECT_THAT(races(with(kNeighbour, ""), 2, 128, mechanism.name), Not(IsEmpty())) << mechanism.name;
  }
}

TEST(Race, a_read_before_a_write_races_as_the_other_way_round) {
  constexpr std::string_view body = R"(
  xor.b32 %r4, %r3, 128;
  ld.shared.u32 %r5, [%r4];
  BETWEEN
  add.u32 %r6, %r1, 7;
  st.shared.u32 [%r3], %r6;
)";
  EXPECT_THAT(races(with(body, "bar.sync 0;"), 1, 64), IsEmpty());
  EXPECT_THAT(races(with(body, ""), 1, 64), ElementsAre("race 2 5"));
}

TEST(Race, tells_both_accesses_and_where_they_are) {
  CheckedGpu gpu("race", R"(.visible .entry k(.param .u64 data) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  st.global.u32 [%rd1+8], %r1;
  ret;
})");
  Buffer<uint32_t> data(gpu, 4, "levels");
  gpu.launch("k", {{1}, {33}}, Arguments(data.address()));
  ASSERT_EQ(gpu.findings().size(), 1U);
  const check::Finding& finding = gpu.findings().front();
  EXPECT_EQ(finding.kind, check::Finding::Kind::Race);
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_EQ(finding.count, 32U);
  EXPECT_THAT(finding.what, HasSubstr("8 bytes into 'levels' (16 bytes at"));
  ASSERT_EQ(finding.accesses.size(), 2U);
  EXPECT_EQ(finding.accesses[0].what, "write of 4 bytes");
  EXPECT_EQ(finding.accesses[0].thread, "block (0,0,0), thread (1,0,0)");
  EXPECT_EQ(finding.accesses[1].thread, "block (0,0,0), thread (0,0,0)");
  EXPECT_EQ(finding.accesses[0].where, "test.ptx:9:3");
  EXPECT_EQ(finding.accesses[0].text, "st.global.u32 [%rd1+8], %r1;");
}

TEST(Race, global_memory_is_ordered_by_barriers_within_a_block_only) {
  constexpr std::string_view body = R"(
  st.global.u32 [%rd3], %r1;
  bar.sync 0;
  xor.b32 %r4, %r3, 128;
  cvt.u64.u32 %rd4, %r4;
  add.u64 %rd4, %rd1, %rd4;
  ld.global.u32 %r5, [%rd4];
)";
  EXPECT_THAT(races(body, 1, 128), IsEmpty());
  EXPECT_THAT(races(body, 2, 128), Not(IsEmpty()));
}

TEST(Race, launches_are_in_order) {
  CheckedGpu gpu("race", R"(.visible .entry k(.param .u64 data) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  ld.global.u32 %r2, [%rd1];
  st.global.u32 [%rd2+4], %r1;
  ret;
})");
  Buffer<uint32_t> data(gpu, 256, "data");
  gpu.launch("k", {{1}, {32}}, Arguments(data.address()));
  gpu.launch("k", {{1}, {64}}, Arguments(data.address() + 4));
  EXPECT_THAT(gpu.found(), IsEmpty());
}

TEST(Race, launches_that_are_said_to_be_in_no_order_race) {
  CheckedGpu gpu("race", R"(.visible .entry k(.param .u64 data, .param .u32 value) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r2, [value];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r2;
  ret;
})");
  Buffer<uint32_t> data(gpu, 256, "data");
  const auto launch = [&](check::LaunchOrder order, uint64_t offset, uint32_t value) {
    gpu.order_next(std::move(order));
    gpu.launch("k", {{1}, {64}}, Arguments(data.address() + offset, value));
  };
  launch({0, 0, {}}, 0, 1);
  launch({1, 0, {0}}, 256, 2);  // elsewhere
  launch({2, 0, {}}, 0, 3);     // in order with both
  EXPECT_THAT(gpu.findings(), IsEmpty());
  launch({3, 0, {1}}, 0, 4);  // touches what the first and the third did
  EXPECT_THAT(gpu.findings(), IsEmpty());
  launch({4, 0, {1, 3}}, 128, 5);
  ASSERT_EQ(gpu.findings().size(), 1U);  // both at the same lines
  EXPECT_EQ(gpu.findings().front().count, 64U);
  EXPECT_EQ(gpu.findings().front().accesses[1].thread, "block (0,0,0), thread (32,0,0)");
}

TEST(Race, many_readers_are_all_remembered) {
  // All blocks read a word that a thread of the last one writes at its end.
  constexpr std::string_view body = R"(
  ld.global.u32 %r4, [%rd1];
  setp.ne.u32 %p1, %r2, 20;
  setp.ne.or.u32 %p1, %r1, 40, %p1;
  @%p1 bra DONE;
  add.u32 %r4, %r4, 1;
  st.global.u32 [%rd1], %r4;
DONE:
)";
  EXPECT_THAT(races(body, 21, 64), ElementsAre("race 6 1"));
}

TEST(Race, readers_of_another_block_are_not_hidden_by_those_of_ones_own) {
  constexpr std::string_view body = R"(
  ld.global.u32 %r4, [%rd1];
  bar.sync 0;
  setp.ne.u32 %p1, %r2, 0;
  setp.ne.or.u32 %p1, %r1, 0, %p1;
  @%p1 bra DONE;
  add.u32 %r4, %r4, 1;
  st.global.u32 [%rd1], %r4;
DONE:
)";
  EXPECT_THAT(races(body, 1, 96), IsEmpty());
  EXPECT_THAT(races(body, 2, 96), ElementsAre("race 7 1"));
}

TEST(Race, a_reader_that_is_not_at_a_named_barrier_is_not_hidden_by_those_who_are) {
  // Three warps read a word; two of them meet, and one of these writes it.
  constexpr std::string_view body = R"(
  ld.shared.u32 %r4, [room];
  setp.ge.u32 %p1, %r1, BETWEEN;
  @%p1 bra DONE;
  bar.sync 1, 64;
  setp.ne.u32 %p2, %r1, 0;
  mov.u32 %r5, 9;
  @!%p2 st.shared.u32 [room], %r5;
DONE:
)";
  EXPECT_THAT(races(with(body, "64"), 1, 64), IsEmpty());
  EXPECT_THAT(races(with(body, "64"), 1, 96), ElementsAre("race 7 1"));
}

// ---- bytes

TEST(Race, neighbouring_bytes_do_not_race) {
  constexpr std::string_view bytes = R"(
  cvt.u16.u32 %h1, %r1;
  cvt.u64.u32 %rd4, %r1;
  add.u64 %rd4, %rd1, %rd4;
  st.global.u8 [%rd4+OFFSET], %h1;
  ld.global.u8 %h2, [%rd4];
)";
  std::string same(bytes), next(bytes);
  same.replace(same.find("OFFSET"), 6, "0");
  next.replace(next.find("OFFSET"), 6, "1");
  EXPECT_THAT(races(same, 1, 96), IsEmpty());
  EXPECT_THAT(races(next, 1, 96), Not(IsEmpty()));
}

TEST(Race, a_wide_access_races_with_each_of_its_parts) {
  constexpr std::string_view body = R"(
  mov.u64 %rd5, 99;
  setp.ne.u32 %p1, %r1, 0;
  @!%p1 st.global.u64 [%rd1], %rd5;
  setp.ne.u32 %p1, %r1, 32;
  @!%p1 ld.global.u32 %r4, [%rd1+4];
)";
  EXPECT_THAT(races(body, 1, 64), ElementsAre("race 5 3"));
}

// ---- values

TEST(Race, writes_of_the_same_value_are_told_apart) {
  EXPECT_THAT(races("mov.u32 %r4, 7;\nst.global.u32 [%rd1], %r4;\n", 2, 64), ElementsAre("same-value 2 2"));
  EXPECT_THAT(races("mov.u32 %r4, 7;\nst.global.u32 [%rd1], %r1;\n", 2, 64), Not(IsEmpty()));
}

TEST(Race, lanes_of_one_store_that_go_to_one_place_race) {
  EXPECT_THAT(races("st.shared.u32 [room], %r1;\n", 1, 32), ElementsAre("race 1 1"));
  EXPECT_THAT(races("mov.u32 %r4, 5;\nst.shared.u32 [room], %r4;\n", 1, 32), ElementsAre("same-value 2 2"));
}

// ---- warps

constexpr std::string_view kWithinWarp = R"(
  st.shared.u32 [%r3], %r1;
  BETWEEN
  xor.b32 %r4, %r3, 4;
  ld.shared.u32 %r5, [%r4];
)";

TEST(Race, lockstep_of_a_warp_is_an_assumption_of_its_own_kind) {
  EXPECT_THAT(races(with(kWithinWarp, ""), 1, 32), ElementsAre("warp-synchronous 4 1"));
  EXPECT_THAT(races(with(kWithinWarp, "bar.warp.sync 0xffffffff;"), 1, 32), IsEmpty());
}

TEST(Race, warp_wide_instructions_order_their_members) {
  for (std::string_view meeting :
       {"shfl.sync.idx.b32 %r6, %r1, 0, 31, 0xffffffff;", "vote.sync.ballot.b32 %r6, %p1, 0xffffffff;",
        "match.any.sync.b32 %r6, %r1, 0xffffffff;", "redux.sync.add.u32 %r6, %r1, 0xffffffff;"})
    EXPECT_THAT(races(with(kWithinWarp, meeting), 1, 64), IsEmpty()) << meeting;
}

TEST(Race, a_meeting_orders_its_members_and_nobody_else) {
  // Lanes 0 to 15 meet, and read what the lane 1 further on, or 16 further on, has written.
  constexpr std::string_view body = R"(
  st.shared.u32 [%r3], %r1;
  setp.gt.u32 %p1, %r1, 15;
  @%p1 bra DONE;
  bar.warp.sync 0xffff;
  xor.b32 %r4, %r3, BETWEEN;
  ld.shared.u32 %r5, [%r4];
DONE:
)";
  EXPECT_THAT(races(with(body, "4"), 1, 32), IsEmpty());
  EXPECT_THAT(races(with(body, "64"), 1, 32), ElementsAre("warp-synchronous 6 1"));
}

TEST(Race, a_warp_synchronous_reduction_is_reported_as_such) {
  constexpr std::string_view body = R"(
  st.volatile.shared.u32 [%r3], %r1;
  setp.gt.u32 %p1, %r1, 15;
  @%p1 bra DONE;
  ld.volatile.shared.u32 %r4, [%r3+64];
  ld.volatile.shared.u32 %r5, [%r3];
  add.u32 %r4, %r4, %r5;
  st.volatile.shared.u32 [%r3], %r4;
  ld.volatile.shared.u32 %r4, [%r3+32];
DONE:
)";
  const Found found = races(body, 1, 32);
  EXPECT_THAT(found, Not(IsEmpty()));
  EXPECT_THAT(found, Each(HasSubstr("warp-synchronous")));
}

// ---- barriers of some of the threads

TEST(Race, a_named_barrier_orders_those_who_come_to_it) {
  // Warps 0 and 1 meet at barrier 1; thread 64 of warp 2 does not, and reads as well where it is asked to.
  constexpr std::string_view body = R"(
  st.shared.u32 [%r3], %r1;
  setp.gt.u32 %p1, %r1, 63;
  @%p1 bra LATER;
  bar.sync 1, 64;
  xor.b32 %r4, %r3, 128;
  ld.shared.u32 %r5, [%r4];
LATER:
  setp.ne.u32 %p2, %r1, BETWEEN;
  @%p2 bra DONE;
  ld.shared.u32 %r5, [room+4];
DONE:
)";
  EXPECT_THAT(races(with(body, "63"), 1, 96), IsEmpty());
  EXPECT_THAT(races(with(body, "64"), 1, 96), ElementsAre("race 10 1"));
}

TEST(Race, who_arrives_and_goes_on_is_ordered_before_those_who_wait) {
  // Warp 0 produces and arrives, warp 1 waits and consumes; what warp 0 writes behind its arrival is in no order.
  constexpr std::string_view body = R"(
  setp.gt.u32 %p1, %r1, 31;
  @%p1 bra CONSUME;
  st.shared.u32 [%r3], %r1;
  bar.arrive 1, 64;
  BETWEEN
  bra DONE;
CONSUME:
  bar.sync 1, 64;
  ld.shared.u32 %r5, [%r3+-128];
DONE:
)";
  EXPECT_THAT(races(with(body, ""), 1, 64), IsEmpty());
  EXPECT_THAT(races(with(body, "add.u32 %r6, %r1, 3;\nst.shared.u32 [%r3], %r6;"), 1, 64), Not(IsEmpty()));
}

// ---- flags, fences, atomics

// Thread 0 of block 0 writes data + 64 and raises the flag at data; thread 0 of block 1 waits for it and reads.
constexpr std::string_view kMessage = R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u32 %r4, 42;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra WAIT;
  st.global.u32 [%rd1+64], %r4;
  FENCE;
  RAISE;
  bra DONE;
WAIT:
  LOOK;
  setp.eq.u32 %p3, %r5, 0;
  @%p3 bra WAIT;
  MEND;
  ld.global.u32 %r6, [%rd1+64];
DONE:
)";

std::string message(std::string_view fence, std::string_view raise, std::string_view look, std::string_view mend) {
  std::string text(kMessage);
  const auto put = [&](std::string_view name, std::string_view what) {
    text.replace(text.find(name), name.size() + (what.empty() ? 1 : 0), what);
  };
  put("FENCE", fence);
  put("RAISE", raise);
  put("LOOK", look);
  put("MEND", mend);
  return text;
}

constexpr std::string_view kRaise = "st.volatile.global.u32 [%rd1], %r4", kLook = "ld.volatile.global.u32 %r5, [%rd1]",
                           kExchange = "atom.global.exch.b32 %r7, [%rd1], %r4",
                           kAdd = "atom.global.add.u32 %r5, [%rd1], 0";

TEST(Race, a_fence_and_a_flag_pass_a_message) {
  EXPECT_THAT(races(message("membar.gl", kRaise, kLook, "membar.gl"), 2, 32), IsEmpty());
  EXPECT_THAT(races(message("fence.acq_rel.gpu", kExchange, kAdd, ""), 2, 32), IsEmpty());
  EXPECT_THAT(
      races(message("", "st.release.gpu.global.u32 [%rd1], %r4", "ld.acquire.gpu.global.u32 %r5, [%rd1]", ""), 2, 32),
      IsEmpty());
  EXPECT_THAT(
      races(message("", "atom.add.release.gpu.global.u32 %r7, [%rd1], 1", "ld.acquire.gpu.global.u32 %r5, [%rd1]", ""),
            2, 32),
      IsEmpty());
}

TEST(Race, a_flag_without_a_fence_passes_none) {
  EXPECT_THAT(races(message("", kRaise, kLook, "membar.gl"), 2, 32), ElementsAre("race 15 6"));
  EXPECT_THAT(races(message("", kExchange, kAdd, ""), 2, 32), ElementsAre("race 15 6"));
  EXPECT_THAT(races(message("membar.gl", kRaise, kLook, ""), 2, 32), ElementsAre("race 15 6"));
}

TEST(Race, a_flag_that_is_read_or_written_plainly_races_itself) {
  EXPECT_THAT(races(message("membar.gl", "st.global.u32 [%rd1], %r4", kLook, "membar.gl"), 2, 32), Not(IsEmpty()));
}

TEST(Race, a_fence_for_the_block_does_not_reach_another) {
  EXPECT_THAT(races(message("membar.cta", kRaise, kLook, "membar.gl"), 2, 32), ElementsAre("race 15 6"));
  EXPECT_THAT(
      races(message("", "st.release.cta.global.u32 [%rd1], %r4", "ld.acquire.gpu.global.u32 %r5, [%rd1]", ""), 2, 32),
      Not(IsEmpty()));
}

TEST(Race, a_fence_of_each_and_a_barrier_let_one_thread_release_for_all) {
  // As a reduction whose last block sums up: all write, fence, meet; one counts; the last block reads all.
  constexpr std::string_view body = R"(
  shl.b32 %r4, %r2, 7;
  cvt.u64.u32 %rd4, %r4;
  add.u64 %rd4, %rd3, %rd4;
  st.global.u32 [%rd4+64], %r1;
  BETWEEN
  bar.sync 0;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra MEET;
  atom.global.add.u32 %r5, [%rd1], 1;
  st.shared.u32 [room], %r5;
MEET:
  bar.sync 0;
  ld.shared.u32 %r5, [room];
  setp.ne.u32 %p2, %r5, 2;
  @%p2 bra DONE;
  ld.global.u32 %r6, [%rd3+64];
DONE:
)";
  EXPECT_THAT(races(with(body, "membar.gl;"), 3, 32), IsEmpty());
  EXPECT_THAT(races(with(body, ""), 3, 32), ElementsAre("race 16 4"));
}

TEST(Race, atomics_do_not_race_with_each_other) {
  EXPECT_THAT(races("atom.global.add.u32 %r4, [%rd1], 1;\nred.global.add.u32 [%rd1], 1;\n", 2, 64), IsEmpty());
  EXPECT_THAT(races("atom.global.add.u32 %r4, [%rd1], 1;\nld.global.u32 %r5, [%rd1];\n", 2, 64), Not(IsEmpty()));
}

TEST(Race, atomics_for_the_block_race_with_those_of_other_blocks) {
  constexpr std::string_view body = "atom.add.relaxed.cta.global.u32 %r4, [%rd1], 1;\n";
  EXPECT_THAT(races(body, 1, 64), IsEmpty());
  EXPECT_THAT(races(body, 2, 64), ElementsAre("race 1 1"));
}

TEST(Race, a_plain_write_is_remembered_behind_atomics) {
  // Thread 0 clears a counter that all, it first, then add to.
  constexpr std::string_view body = R"(
  setp.ne.u32 %p1, %r1, 0;
  mov.u32 %r4, 0;
  @!%p1 st.shared.u32 [room], %r4;
  BETWEEN
  atom.shared.add.u32 %r5, [room], 1;
)";
  EXPECT_THAT(races(with(body, "bar.sync 0;"), 1, 64), IsEmpty());
  EXPECT_THAT(races(with(body, ""), 1, 64), ElementsAre("race 5 3"));
}

TEST(Race, a_lock_orders_those_who_hold_it) {
  // One thread of each block adds to a counter under a lock.
  constexpr std::string_view body = R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra DONE;
AGAIN:
  atom.global.cas.b32 %r4, [%rd1], 0, 1;
  setp.ne.u32 %p2, %r4, 0;
  @%p2 bra AGAIN;
  membar.gl;
  ld.global.u32 %r5, [%rd1+64];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%rd1+64], %r5;
  BETWEEN
  atom.global.exch.b32 %r4, [%rd1], 0;
DONE:
)";
  EXPECT_THAT(races(with(body, "membar.gl;"), 5, 32), IsEmpty());
  EXPECT_THAT(races(with(body, ""), 5, 32), Not(IsEmpty()));
}

}  // namespace
}  // namespace heddle::test

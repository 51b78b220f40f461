// Global memory as storage, and loads, stores and atomics of every width through rows and lists of threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "base/error.h"
#include "exec/global_memory.h"
#include "gpu/gpu.h"
#include "support/memory_image.h"
#include "support/oracle.h"

namespace heddle::test {
namespace {

TEST(GlobalMemory, gives_out_aligned_zeroed_places_with_gaps_between) {
  GlobalMemory memory;
  const Address a = memory.allocate(300, "a"), b = memory.allocate(1, "b");
  EXPECT_EQ(a % 256, 0U);
  EXPECT_EQ(b % 256, 0U);
  EXPECT_GE(b, a + 300 + 256);
  for (unsigned i = 0; i < 300; ++i) EXPECT_EQ(memory.host(a)[i], std::byte{0});
  EXPECT_EQ(memory.bytes_in_use(), 301U);
}

TEST(GlobalMemory, knows_the_exact_extent_of_an_allocation) {
  GlobalMemory memory;
  const Address a = memory.allocate(300, "a");
  EXPECT_EQ(memory.extent_at(a).bytes, 300U);
  EXPECT_EQ(memory.extent_at(a + 299).begin, a);
  EXPECT_EQ(memory.extent_at(a + 300).bytes, 0U);
  EXPECT_EQ(memory.extent_at(a - 1).bytes, 0U);
  EXPECT_NO_THROW(memory.check(a + 296, 4, "test"));
  EXPECT_THROW(memory.check(a + 297, 4, "test"), Error);
  EXPECT_NO_THROW(memory.check(0, 0, "test"));
}

TEST(GlobalMemory, describes_an_address_by_what_is_nearest) {
  GlobalMemory memory;
  EXPECT_EQ(memory.describe(GlobalMemory::kBase), "nothing is allocated");
  const Address a = memory.allocate(300, "a");
  EXPECT_EQ(memory.describe(a + 10), fmt::format("10 bytes into 'a' (300 bytes at {:#x})", a));
  EXPECT_EQ(memory.describe(a + 300), fmt::format("0 bytes past the end of 'a' (300 bytes at {:#x})", a));
  EXPECT_EQ(memory.describe(a - 8), fmt::format("8 bytes before 'a' (300 bytes at {:#x})", a));
}

TEST(GlobalMemory, does_not_hand_out_freed_places_again_and_frees_once) {
  GlobalMemory memory;
  const Address a = memory.allocate(64, "a");
  memory.free(a);
  EXPECT_EQ(memory.bytes_in_use(), 0U);
  EXPECT_EQ(memory.extent_at(a).bytes, 0U);
  EXPECT_NE(memory.allocate(64, "b"), a);
  EXPECT_THROW(memory.free(a), Error);
  EXPECT_THROW(memory.free(a + 8), Error);
}

TEST(GlobalMemory, gives_back_what_is_freed_and_nothing_of_its_neighbours) {
  for (const bool shared : {false, true}) {
    GlobalMemory memory({GlobalMemory::kBase, shared});
    std::mt19937 random(1);
    std::vector<std::pair<Address, size_t>> places{{0, 5000}};  // from the beginning of a page on, and not to its end
    for (const size_t bytes : {1, 300, 4096, 5000, 65536, 70000, 200000})
      for (unsigned i = 0; i < 12; ++i) places.emplace_back(0, bytes);
    std::shuffle(places.begin() + 1, places.end(), random);
    for (auto& [at, bytes] : places) {
      at = memory.allocate(bytes, "");
      std::fill_n(memory.host(at), bytes, std::byte{7});
    }
    for (size_t i = 0; i < places.size(); i += 2) memory.free(places[i].first);
    for (size_t i = 0; i < places.size(); ++i) {
      const auto [at, bytes] = places[i];
      const std::byte expected = i % 2 == 0 ? std::byte{0} : std::byte{7};
      EXPECT_TRUE(std::all_of(memory.host(at), memory.host(at) + bytes, [&](std::byte b) { return b == expected; }))
          << bytes << " bytes at " << at << (shared ? ", in a file" : "");
    }
  }
}

TEST(GlobalMemory, that_is_full_says_so) {
  GlobalMemory memory;
  EXPECT_THROW(memory.allocate(~size_t{0} / 2, "too much"), Error);
}

// ---- instructions

struct Access {
  std::string type, reg;  // "s8" into "b32"
  unsigned bytes, vector;
};

std::vector<Access> accesses() {
  std::vector<Access> result;
  const std::pair<const char*, unsigned> widths[] = {{"b16", 2}, {"b32", 4}, {"b64", 8}};
  for (const char* type : {"u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "f32", "u64", "s64", "f64"}) {
    const unsigned bytes = static_cast<unsigned>(std::stoul(type + 1)) / 8;
    for (const auto& [reg, width] : widths)
      for (unsigned vector : {1U, 2U, 4U})
        if (width >= bytes && !(type[0] == 'f' && width != bytes)) result.push_back({type, reg, bytes, vector});
  }
  return result;
}

// Every thread loads from in + place[thread] and stores to out + (vector as wide registers) and to out2 as the type.
std::string kernel_for(const Access& access, std::string_view space) {
  const unsigned width = static_cast<unsigned>(std::stoul(access.reg.substr(1))) / 8;
  std::string registers, wide;
  for (unsigned k = 0; k < access.vector; ++k) registers += fmt::format("{}%v{}", k ? ", " : "", k);
  const std::string list = access.vector == 1 ? registers : "{" + registers + "}";
  const std::string suffix = access.vector == 1 ? "" : fmt::format(".v{}", access.vector);
  for (unsigned k = 0; k < access.vector; ++k)
    wide += fmt::format("  st.global.{} [%out+{}], %v{};\n", access.reg, k * width, k);
  return fmt::format(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 out2, .param .u64 order) {{
  .reg .b32 %t, %i;
  .reg .b64 %in, %out, %out2, %order, %x;
  .reg .{reg} %v<4>;
  .reg .pred %p;
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  ld.param.u64 %out2, [out2];
  ld.param.u64 %order, [order];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %order, %t, 4, %order;
  ld.global.u32 %i, [%order];
  mad.wide.u32 %in, %i, {size}, %in;
  mad.wide.u32 %out, %t, 32, %out;
  mad.wide.u32 %out2, %i, {size}, %out2;
  and.b32 %i, %t, 12;
  setp.ne.u32 %p, %i, 8;
  @!%p bra DONE;
  ld{space}{suffix}.{type} {list}, [%in];
{wide}  st{space}{suffix}.{type} [%out2], {list};
DONE:
  ret;
}})",
                     fmt::arg("reg", access.reg), fmt::arg("size", access.bytes * access.vector),
                     fmt::arg("space", space), fmt::arg("suffix", suffix), fmt::arg("type", access.type),
                     fmt::arg("list", list), fmt::arg("wide", wide));
}

void run_access(Device& device, const std::string& ptx, bool scattered) {
  constexpr unsigned threads = 64;
  device.load("access.ptx", ptx);
  std::mt19937 random(7);
  std::vector<uint8_t> bytes(threads * 32);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  std::vector<uint32_t> order(threads);
  for (unsigned i = 0; i < threads; ++i) order[i] = scattered ? i * 37 % threads : i;
  Buffer<uint8_t> in(device, bytes, "in"), out(device, threads * 32, "out"), out2(device, threads * 32, "out2");
  Buffer<uint32_t> places(device, order, "order");
  device.launch("k", {{1}, {threads}}, Arguments(in.address(), out.address(), out2.address(), places.address()));
}

class LoadStore : public ::testing::TestWithParam<std::string> {};

TEST_P(LoadStore, of_every_type_register_and_vector_leave_what_the_oracle_leaves) {
  unsigned count = 0;
  for (const Access& access : accesses())
    for (const char* space : {".global", ""})
      for (bool scattered : {false, true}) {
        const std::string ptx = kernel_for(access, space);
        GpuOptions options;
        options.mechanism = GetParam();
        Gpu gpu(make_config("default", {}), options);
        oracle::OracleDevice second;
        RecordingDevice a(gpu), b(second);
        run_access(a, ptx, scattered);
        run_access(b, ptx, scattered);
        EXPECT_EQ(difference(b.image(), a.image()), "") << ptx;
        ++count;
      }
  EXPECT_GT(count, 200U);
}

INSTANTIATE_TEST_SUITE_P(Rows, LoadStore, ::testing::Values("pdom"));
INSTANTIATE_TEST_SUITE_P(Lists, LoadStore, ::testing::Values("dwf"));

std::vector<uint32_t> run_words(std::string_view body, unsigned threads, size_t words) {
  Gpu gpu(make_config("default", {}), {});
  gpu.load("test.ptx", fmt::format(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {{
  .reg .b16 %h<4>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<16>;
  .reg .b128 %q<4>;
  .reg .pred %p<4>;
  .shared .align 16 .b8 shared[1024];
  .local .align 16 .b8 local[64];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd2, %r1, 4, %rd1;
{}
  ret;
}})",
                                   body));
  Buffer<uint32_t> out(gpu, words, "out");
  gpu.launch("k", {{1}, {threads}}, Arguments(out.address()));
  return out.download();
}

TEST(Load, of_a_narrow_signed_type_extends_the_sign_and_of_an_unsigned_one_does_not) {
  const auto words = run_words(R"(
    st.local.u32 [local], 0x8281ff80;
    ld.local.s8 %r2, [local];
    ld.local.u8 %r3, [local];
    ld.local.s16 %r4, [local];
    ld.local.u16 %r5, [local+2];
    ld.local.s32 %rd3, [local];
    mov.b64 {%r6, %r7}, %rd3;
    st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};
    st.global.v2.u32 [%rd1+16], {%r6, %r7};)",
                               1, 6);
  EXPECT_EQ(words, (std::vector<uint32_t>{0xffff'ff80, 0x80, 0xffff'ff80, 0x8281, 0x8281'ff80, 0xffff'ffff}));
}

TEST(Store, of_a_narrow_type_writes_its_bytes_and_no_others) {
  const auto words = run_words(R"(
    st.global.u32 [%rd1], 0xffffffff;
    mov.u32 %r2, 0x12345678;
    st.global.u8 [%rd1+1], %r2;
    mov.u64 %rd3, 0x1122334455667788;
    st.global.u16 [%rd1+4], %rd3;)",
                               1, 2);
  EXPECT_EQ(words, (std::vector<uint32_t>{0xffff'78ff, 0x7788}));
}

TEST(Generic, addresses_reach_global_shared_and_local_memory) {
  const auto words = run_words(R"(
    mov.u64 %rd3, shared;
    cvta.shared.u64 %rd3, %rd3;
    mov.u64 %rd4, local;
    cvta.local.u64 %rd4, %rd4;
    mad.wide.u32 %rd3, %r1, 4, %rd3;
    add.u32 %r2, %r1, 100;
    add.u32 %r3, %r1, 1000;
    st.u32 [%rd3], %r2;
    st.u32 [%rd4], %r3;
    ld.u32 %r4, [%rd3];
    ld.u32 %r5, [%rd4];
    add.u32 %r4, %r4, %r5;
    st.u32 [%rd2], %r4;)",
                               64, 64);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(words[i], 1100 + 2 * i);
}

TEST(Generic, lanes_of_one_instruction_may_go_to_different_spaces) {
  const auto words = run_words(R"(
    mov.u64 %rd3, shared;
    cvta.shared.u64 %rd3, %rd3;
    mov.u64 %rd4, local;
    cvta.local.u64 %rd4, %rd4;
    mad.wide.u32 %rd3, %r1, 4, %rd3;
    and.b32 %r2, %r1, 3;
    setp.eq.u32 %p1, %r2, 1;
    setp.eq.u32 %p2, %r2, 2;
    selp.b64 %rd5, %rd3, %rd2, %p1;
    selp.b64 %rd5, %rd4, %rd5, %p2;
    st.u32 [%rd5], %r1;
    ld.u32 %r3, [%rd5];
    add.u32 %r3, %r3, 1;
    st.global.u32 [%rd2], %r3;)",
                               64, 64);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(words[i], i + 1);
}

TEST(Local, memory_is_each_threads_own) {
  const auto words = run_words(R"(
    st.local.u32 [local+8], %r1;
    bar.sync 0;
    ld.local.u32 %r2, [local+8];
    st.global.u32 [%rd2], %r2;)",
                               70, 70);
  for (uint32_t i = 0; i < 70; ++i) EXPECT_EQ(words[i], i);
}

TEST(Atomic, lanes_of_one_instruction_act_one_after_another) {
  const auto words = run_words(R"(
    atom.global.add.u32 %r2, [%rd1], 1;
    mad.wide.u32 %rd3, %r2, 4, %rd1;
    atom.global.exch.b32 %r3, [%rd3+4], 7;
    red.shared.max.u32 [shared], %r1;
    bar.sync 0;
    ld.shared.u32 %r4, [shared];
    st.global.u32 [%rd1+1024], %r4;)",
                               100, 300);
  EXPECT_EQ(words[0], 100U);
  for (uint32_t i = 1; i <= 100; ++i) EXPECT_EQ(words[i], 7U) << i;
  EXPECT_EQ(words[256], 99U);
}

TEST(Atomic, compare_and_swap_lets_one_thread_win) {
  const auto words = run_words(R"(
    add.u32 %r2, %r1, 1;
    atom.global.cas.b32 %r3, [%rd1+512], 0, %r2;
    st.global.u32 [%rd2], %r3;)",
                               64, 129);
  EXPECT_EQ(words[0], 0U);
  EXPECT_EQ(words[128], 1U);
  for (uint32_t i = 1; i < 64; ++i) EXPECT_EQ(words[i], 1U) << i;
}

TEST(Wide, registers_of_128_bits_are_moved_loaded_and_stored_whole) {
  const auto words = run_words(R"(
    mov.u64 %rd3, 0x1111222233334444;
    mov.u64 %rd4, 0x5555666677778888;
    mov.b128 %q1, {%rd3, %rd4};
    mov.b128 %q2, %q1;
    st.shared.b128 [shared], %q2;
    ld.shared.b128 %q3, [shared];
    mov.b128 {%rd5, %rd6}, %q3;
    st.global.v2.u64 [%rd1], {%rd6, %rd5};)",
                               1, 4);
  EXPECT_EQ(words, (std::vector<uint32_t>{0x7777'8888, 0x5555'6666, 0x3333'4444, 0x1111'2222}));
}

TEST(Pack, the_first_part_is_the_lowest) {
  const auto words = run_words(R"(
    mov.u16 %h1, 0x1111;
    mov.u16 %h2, 0x2222;
    mov.b32 %r2, {%h1, %h2};
    mov.b64 %rd3, {%r2, %r1};
    mov.b64 {%r3, _}, %rd3;
    mov.b64 {_, %r4}, %rd3;
    st.global.v2.u32 [%rd1], {%r3, %r4};)",
                               1, 2);
  EXPECT_EQ(words, (std::vector<uint32_t>{0x2222'1111, 0}));
}

}  // namespace
}  // namespace heddle::test

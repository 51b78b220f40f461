// Video instructions by the examples one can reckon by hand: selectors, masks, merges, second operations, negations.
// The recorded instructions have the default selectors with several lanes and .h1 for destinations; here are the
// others.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>

#include "exec/scalar/scalar.h"
#include "support/value_forms.h"

namespace heddle::test {
namespace {

// "vadd.u32.u32.u32" with selectors of d, a, b ("" for none) and its sources.
uint32_t video(std::string_view text, std::initializer_list<std::string_view> selectors,
               std::initializer_list<uint64_t> sources, bool minus_product = false, bool minus_c = false) {
  const Words words = split_words(text, '.');
  Instruction i = instruction_of(words[0], Words(words.begin() + 1, words.end()));
  i.src_count = static_cast<uint8_t>(sources.size());
  i.video.minus_product = minus_product;
  i.video.minus_c = minus_c;
  VideoPart* const parts[] = {&i.video.d, &i.video.a, &i.video.b};
  size_t at = 0;
  for (std::string_view selector : selectors) {
    VideoPart& part = *parts[at++];
    if (selector.empty()) continue;
    const bool read = &part == &i.video.d ? read_destination_selector(selector, i.video.lanes, part)
                                          : read_source_selector(selector, i.video.lanes, part);
    EXPECT_TRUE(read) << selector;
  }
  const Scalar scalar = select_scalar(i);
  EXPECT_NE(scalar, nullptr) << text;
  return scalar ? static_cast<uint32_t>(scalar(i, sources.begin()).first) : 0;
}

TEST(Video, selectors_choose_bytes_and_half_words_and_types_extend_them) {
  constexpr uint64_t a = 0x8877'66f5, b = 0;
  EXPECT_EQ(video("vadd.s32.u32.u32", {"", "b0", ""}, {a, b}), 0xf5u);
  EXPECT_EQ(video("vadd.s32.s32.u32", {"", "b0", ""}, {a, b}), 0xffff'fff5u);
  EXPECT_EQ(video("vadd.s32.u32.u32", {"", "b1", ""}, {a, b}), 0x66u);
  EXPECT_EQ(video("vadd.s32.u32.u32", {"", "b2", ""}, {a, b}), 0x77u);
  EXPECT_EQ(video("vadd.s32.s32.u32", {"", "b3", ""}, {a, b}), 0xffff'ff88u);
  EXPECT_EQ(video("vadd.s32.u32.u32", {"", "h0", ""}, {a, b}), 0x66f5u);
  EXPECT_EQ(video("vadd.s32.s32.u32", {"", "h1", ""}, {a, b}), 0xffff'8877u);
  EXPECT_EQ(video("vsub.s32.u32.s32", {"", "", "b3"}, {0, a}), 0x78u);
}

TEST(Video, a_result_takes_the_place_of_a_piece_of_c) {
  constexpr uint64_t c = 0xaabb'ccdd;
  EXPECT_EQ(video("vadd.u32.u32.u32", {"b0"}, {0x1200, 0x34, c}), 0xaabb'cc34u);
  EXPECT_EQ(video("vadd.u32.u32.u32", {"b1"}, {0x1200, 0x34, c}), 0xaabb'34ddu);
  EXPECT_EQ(video("vadd.u32.u32.u32", {"b2"}, {0x1200, 0x34, c}), 0xaa34'ccddu);
  EXPECT_EQ(video("vadd.u32.u32.u32", {"b3"}, {0x1200, 0x34, c}), 0x34bb'ccddu);
  EXPECT_EQ(video("vadd.u32.u32.u32", {"h0"}, {0x1200, 0x34, c}), 0xaabb'1234u);
}

TEST(Video, a_second_operation_joins_c) {
  EXPECT_EQ(video("vabsdiff.u32.u32.u32.add", {"", "b0", "b0"}, {3, 10, 100}), 107u);
  EXPECT_EQ(video("vmin.s32.s32.s32.max", {}, {0xffff'fffb, 4, 0xffff'ffff}), 0xffff'ffffu);
  EXPECT_EQ(video("vset.s32.s32.lt.add", {}, {0xffff'fffb, 4, 41}), 42u);
}

TEST(Video, lanes_choose_out_of_both_sources_the_highest_first) {
  constexpr uint64_t a = 0x4433'2211, b = 0x8877'6655;
  EXPECT_EQ(video("vadd4.u32.u32.u32", {"", "b0123", "b4444"}, {a, b, 0}), 0x6677'8899u);
  EXPECT_EQ(video("vsub4.u32.u32.u32", {"", "b7654", "b3210"}, {a, b, 0}), 0x4444'4444u);
  EXPECT_EQ(video("vmax2.u32.u32.u32", {"", "h02", "h11"}, {a, b, 0}), 0x4433'6655u);
  EXPECT_EQ(video("vavrg2.s32.s32.s32", {}, {0xfffb'0005, 0x0000'0004, 0}), 0xfffd'0005u);
}

TEST(Video, lanes_that_are_not_written_keep_c_or_add_nothing) {
  constexpr uint64_t a = 0x0403'0201, b = 0x1010'1010, c = 0xaabb'ccdd;
  EXPECT_EQ(video("vadd4.u32.u32.u32", {"b20"}, {a, b, c}), 0xaa13'cc11u);
  EXPECT_EQ(video("vadd4.u32.u32.u32.add", {"b31"}, {a, b, 1000}), 1000u + 0x14 + 0x12);
  EXPECT_EQ(video("vset2.u32.u32.ne", {"h1"}, {0x0001'0000, 0, c}), 0x0001'ccddu);
  EXPECT_EQ(video("vset4.s32.s32.lt.add", {"b210"}, {0xffff'ff01, 0, 7}), 9u);
}

TEST(Video, vmad_negates_the_product_or_c_and_adds_one) {
  EXPECT_EQ(video("vmad.s32.s32.s32", {}, {7, 6, 100}, true), 58u);
  EXPECT_EQ(video("vmad.u32.u32.u32", {}, {7, 6, 2}, false, true), 40u);
  EXPECT_EQ(video("vmad.u32.u32.u32.po", {}, {7, 6, 100}), 143u);
  EXPECT_EQ(video("vmad.s32.s32.s32.shr7", {}, {256, 256, 0}, true), 0xffff'fe00u);
  EXPECT_EQ(video("vmad.s32.s32.s32.sat", {}, {0x4000'0000, 4, 0}, true), 0x8000'0000u);
}

}  // namespace
}  // namespace heddle::test

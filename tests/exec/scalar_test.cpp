// Every value instruction of the table has a scalar, and a few have the values the PTX manual gives by example.
// That all of them have the hardware's values is the conformance tests' business.
#include "exec/scalar/scalar.h"

#include <gtest/gtest.h>

#include <bit>
#include <initializer_list>
#include <string>
#include <vector>

#include "support/value_forms.h"

namespace heddle {
namespace {

using namespace test;

// A b128 does not fit a Scalar; moves of it are done elsewhere.
bool is_too_wide(const Instruction& instruction) { return instruction.type == Type::B128; }

TEST(Scalar, exists_for_every_value_instruction_of_the_table) {
  unsigned count = 0;
  for_each_value_instruction([&](const Form& form, const Words& words, const Instruction& instruction) {
    ++count;
    EXPECT_EQ(select_scalar(instruction) == nullptr, is_too_wide(instruction))
        << text_of(form, words) << " with " << +instruction.src_count << " sources";
  });
  EXPECT_GT(count, 3000u);
}

TEST(Scalar, gives_zero_or_one_for_predicates_whatever_the_sources) {
  const uint64_t samples[] = {0, 1, 0x8000'0000'8000'8000, ~uint64_t{0}, 0x7fc0'0000'7fc0'7e00, 0x3ff0'0000'3f80'3c00};
  for_each_value_instruction([&](const Form& form, const Words& words, const Instruction& instruction) {
    const Scalar scalar = select_scalar(instruction);
    if (!scalar) return;
    const OperandWidths widths = operand_widths(form, instruction.type, instruction.source_type);
    const auto is_predicate = [&](unsigned which) {
      return which < widths.destinations.size() && widths.destinations[which] == 0;
    };
    for (uint64_t sample : samples) {
      const uint64_t value = instruction.type == Type::Pred ? sample & 1 : sample;
      // The last source may be a predicate or a carry.
      const uint64_t source[5] = {value, value >> 1 & (instruction.type == Type::Pred ? 1 : ~uint64_t{0}), 1, 1, 1};
      const Results results = scalar(instruction, source);
      EXPECT_TRUE(!is_predicate(0) || results.first <= 1) << text_of(form, words);
      EXPECT_TRUE(!is_predicate(1) || results.second <= 1) << text_of(form, words);
    }
  });
}

TEST(Scalar, does_not_exist_for_what_is_no_function_of_values) {
  for (const Form& form : forms()) {
    if (is_value(form.op)) continue;
    Instruction instruction;
    instruction.op = form.op;
    instruction.type = instruction.source_type = Type::U32;
    EXPECT_EQ(select_scalar(instruction), nullptr) << form.opcode;
  }
}

// "add.cc.u32" with its sources.
Results run(std::string_view text, std::initializer_list<uint64_t> sources) {
  const Words words = split_words(text, '.');
  Instruction instruction = instruction_of(words[0], Words(words.begin() + 1, words.end()));
  instruction.src_count = static_cast<uint8_t>(sources.size());
  const Scalar scalar = select_scalar(instruction);
  EXPECT_NE(scalar, nullptr) << text;
  return scalar ? scalar(instruction, sources.begin()) : Results{};
}
uint64_t value(std::string_view text, std::initializer_list<uint64_t> sources) { return run(text, sources).first; }
uint64_t f32(float x) { return std::bit_cast<uint32_t>(x); }
uint64_t f64(double x) { return std::bit_cast<uint64_t>(x); }

constexpr uint64_t kNan32 = 0x7fc0'0000;
constexpr uint64_t kMinus1 = 0xffff'ffff;

TEST(Scalar, integer_arithmetic_wraps_and_saturates) {
  EXPECT_EQ(value("add.u32", {kMinus1, 2}), 1u);
  EXPECT_EQ(static_cast<uint32_t>(value("add.sat.s32", {0x7fff'ffff, 1})), 0x7fff'ffffu);
  EXPECT_EQ(value("add.u16x2", {0xffff'0001, 0x0001'ffff}), 0u);
  EXPECT_EQ(value("mul.wide.s32", {kMinus1, 2}), ~uint64_t{1});
  EXPECT_EQ(value("mul.hi.u32", {kMinus1, kMinus1}), 0xffff'fffeu);
  EXPECT_EQ(value("mad.wide.u16", {0xffff, 0xffff, 1}), 0xfffe'0002u);
  EXPECT_EQ(value("sad.u32", {3, 10, 100}), 107u);
  EXPECT_EQ(static_cast<uint16_t>(value("div.s16", {0xfff9, 2})), 0xfffdu);
  EXPECT_EQ(static_cast<uint32_t>(value("max.relu.s32", {kMinus1, 0xffff'fff0})), 0u);
  EXPECT_EQ(value("dp4a.u32.s32", {0x0101'0101, 0x01ff'ff01, 5}), 5u);
}

TEST(Scalar, carries_go_out_second_and_come_in_last) {
  const Results low = run("add.cc.u32", {kMinus1, 1});
  EXPECT_EQ(low.first, 0u);
  EXPECT_EQ(low.second, 1u);
  EXPECT_EQ(value("addc.u32", {1, 2, low.second}), 4u);
  EXPECT_EQ(run("addc.cc.u64", {~uint64_t{0}, 0, 1}).second, 1u);
  const Results borrow = run("sub.cc.u32", {0, 1});
  EXPECT_EQ(value("subc.u32", {5, 0, borrow.second}), 4u);
  EXPECT_EQ(value("madc.hi.u32", {0x1'0000, 0x1'0000, 7, 1}), 9u);
}

TEST(Scalar, bit_fields_and_permutations_are_those_of_the_manual) {
  EXPECT_EQ(value("bfe.u32", {0xabcd'1234, 8, 8}), 0x12u);
  EXPECT_EQ(static_cast<uint32_t>(value("bfe.s32", {0xabcd'1234, 24, 8})), 0xffff'ffabu);
  EXPECT_EQ(value("bfi.b32", {0xf, 0, 8, 4}), 0xf00u);
  EXPECT_EQ(value("bfind.u32", {0x10}), 4u);
  EXPECT_EQ(value("bfind.shiftamt.u32", {0x10}), 27u);
  EXPECT_EQ(value("shf.l.clamp.b32", {0x8000'0000, 1, 33}), 0x8000'0000u);
  EXPECT_EQ(value("shf.r.wrap.b32", {0x8000'0000, 1, 31}), 3u);
  EXPECT_EQ(static_cast<uint16_t>(value("shr.s16", {0x8000, 100})), 0xffffu);
  EXPECT_EQ(value("prmt.b32", {0x3322'1100, 0x7766'5544, 0x7531}), 0x7755'3311u);
  EXPECT_EQ(value("prmt.b32.f4e", {0x3322'1100, 0x7766'5544, 1}), 0x4433'2211u);
  EXPECT_EQ(value("bmsk.clamp.b32", {4, 4}), 0xf0u);
  EXPECT_EQ(static_cast<uint32_t>(value("szext.clamp.s32", {0x8, 4})), 0xffff'fff8u);
  EXPECT_EQ(value("fns.b32", {0xaaaa'aaaa, 3, 1}), 3u);
  EXPECT_EQ(value("fns.b32", {0xaaaa'aaaa, 2, kMinus1}), 1u);
  EXPECT_EQ(value("not.pred", {1}), 0u);
}

TEST(Scalar, lop3_follows_its_table_and_joins_the_predicate) {
  EXPECT_EQ(value("lop3.b32", {0xf0, 0xcc, 0xaa, 0x1a}), 0x1au);
  const Results joined = run("lop3.or.b32", {0xf0, 0xcc, 0xaa, 0, 0});
  EXPECT_EQ(joined.first, 0u);
  EXPECT_EQ(joined.second, 0u);
  EXPECT_EQ(run("lop3.or.b32", {0xf0, 0xcc, 0xaa, 0x80, 0}).second, 1u);
  EXPECT_EQ(run("lop3.and.b32", {0xf0, 0xcc, 0xaa, 0x80, 0}).second, 0u);
}

TEST(Scalar, setp_gives_the_counterpart_from_the_opposite_comparison) {
  const Results plain = run("setp.lt.s32", {kMinus1, 0});
  EXPECT_EQ(plain.first, 1u);
  EXPECT_EQ(plain.second, 0u);
  const Results both_false = run("setp.lt.and.u32", {1, 2, 0});
  EXPECT_EQ(both_false.first, 0u);
  EXPECT_EQ(both_false.second, 0u);
  const Results joined = run("setp.lo.xor.u32", {1, 2, 1});
  EXPECT_EQ(joined.first, 0u);
  EXPECT_EQ(joined.second, 1u);
}

TEST(Scalar, setp_of_a_packed_type_gives_one_predicate_for_each_half) {
  const Results halves = run("setp.gt.f16x2", {0x3c00'0000, 0x0000'3c00});
  EXPECT_EQ(halves.first, 0u);
  EXPECT_EQ(halves.second, 1u);
}

TEST(Scalar, comparisons_know_nan_and_ftz) {
  EXPECT_EQ(value("setp.ne.f32", {kNan32, f32(1)}), 0u);
  EXPECT_EQ(value("setp.neu.f32", {kNan32, f32(1)}), 1u);
  EXPECT_EQ(value("setp.num.f64", {f64(1), f64(2)}), 1u);
  EXPECT_EQ(value("setp.eq.f32", {1, 0}), 0u);
  EXPECT_EQ(value("setp.eq.ftz.f32", {1, 0}), 1u);
}

TEST(Scalar, set_is_all_ones_or_one) {
  EXPECT_EQ(value("set.lt.u32.f32", {f32(1), f32(2)}), kMinus1);
  EXPECT_EQ(value("set.lt.f32.s32", {kMinus1, 0}), f32(1));
  EXPECT_EQ(value("set.eq.or.f16x2.f16x2", {0x3c00'0000, 0x3c00'3c00, 0}), 0x3c00'0000u);
  EXPECT_EQ(value("set.lt.s32.f64", {f64(2), f64(1)}), 0u);
}

TEST(Scalar, selections_look_at_their_last_source) {
  EXPECT_EQ(value("selp.b64", {7, 9, 0}), 9u);
  EXPECT_EQ(value("slct.u32.s32", {7, 9, kMinus1}), 9u);
  EXPECT_EQ(value("slct.u32.f32", {7, 9, 0x8000'0001}), 9u);
  EXPECT_EQ(value("slct.ftz.u32.f32", {7, 9, 0x8000'0001}), 7u);
}

TEST(Scalar, float_arithmetic_obeys_rounding_ftz_and_sat) {
  EXPECT_EQ(value("add.f32", {f32(1), f32(0x1p-24f)}), f32(1));
  EXPECT_EQ(value("add.rp.f32", {f32(1), f32(0x1p-24f)}), f32(0x1.000002p0f));
  EXPECT_EQ(value("add.ftz.f32", {1, 1}), 0u);
  EXPECT_EQ(value("add.sat.f32", {f32(3), f32(4)}), f32(1));
  EXPECT_EQ(value("mad.f32", {f32(2), f32(3), f32(4)}), f32(10));
  EXPECT_EQ(value("fma.rz.f64", {f64(2), f64(3), f64(4)}), f64(10));
  EXPECT_EQ(value("add.f32.bf16", {0x3f80, f32(2)}), f32(3));
  EXPECT_EQ(value("fma.rn.f32.f16", {0x4000, 0x4200, f32(1)}), f32(7));
  EXPECT_EQ(value("div.rn.f32", {f32(1), f32(3)}), f32(1.0f / 3));
  EXPECT_EQ(value("copysign.f32", {f32(-2), f32(3)}), f32(-3));
  EXPECT_EQ(value("testp.subnormal.f32", {1}), 1u);
}

TEST(Scalar, half_arithmetic_works_on_both_halves) {
  EXPECT_EQ(value("add.f16x2", {0x3c00'4000, 0x4000'3c00}), 0x4200'4200u);
  EXPECT_EQ(value("fma.rn.relu.bf16", {0xbf80, 0x3f80, 0}), 0u);
  EXPECT_EQ(value("neg.bf16x2", {0x3f80'0000}), 0xbf80'8000u);
  EXPECT_EQ(value("sub.sat.f16", {0x3c00, 0x4000}), 0u);
}

TEST(Scalar, min_and_max_take_signs_and_a_third_operand) {
  EXPECT_EQ(value("max.xorsign.abs.f32", {f32(-3), f32(2)}), f32(-3));
  EXPECT_EQ(value("min.xorsign.abs.f32", {f32(-3), f32(-2)}), f32(2));
  EXPECT_EQ(value("min.f32", {f32(3), f32(2), f32(1)}), f32(1));
  EXPECT_EQ(value("min.f32", {kNan32, f32(2)}), f32(2));
  EXPECT_EQ(value("max.NaN.f32", {kNan32, f32(2)}), 0x7fff'ffffu);
}

TEST(Scalar, conversions_read_low_bits_and_extend_by_the_destination_type) {
  EXPECT_EQ(value("cvt.s32.s8", {0xffff'ff80}), ~uint64_t{127});
  EXPECT_EQ(value("cvt.s8.s32", {0x1ff}), ~uint64_t{0});
  EXPECT_EQ(value("cvt.u8.s64", {~uint64_t{0}}), 0xffu);
  EXPECT_EQ(value("cvt.sat.u8.s32", {kMinus1}), 0u);
  EXPECT_EQ(value("cvt.rzi.s32.f32", {f32(-1.5f)}), ~uint64_t{0});
  EXPECT_EQ(value("cvt.rni.u32.f32", {f32(2.5f)}), 2u);
  EXPECT_EQ(value("cvt.rn.f32.u64", {~uint64_t{0}}), f32(0x1p64f));
  EXPECT_EQ(value("cvt.rz.f32.u32", {kMinus1}), f32(0x1.fffffep31f));
  EXPECT_EQ(value("cvt.f64.f32", {f32(1.5f)}), f64(1.5));
  EXPECT_EQ(value("cvt.rpi.f32.f32", {f32(1.25f)}), f32(2));
  EXPECT_EQ(value("cvt.rn.satfinite.f16.f32", {f32(1e9f)}), 0x7bffu);
}

TEST(Scalar, packed_conversions_put_the_first_source_on_top) {
  EXPECT_EQ(value("cvt.rn.f16x2.f32", {f32(1), f32(2)}), 0x3c00'4000u);
  EXPECT_EQ(value("cvt.rn.satfinite.e4m3x2.f32", {f32(1), f32(2)}), 0x3840u);
  EXPECT_EQ(value("cvt.rn.f16x2.e5m2x2", {0x3c40}), 0x3c00'4000u);
  EXPECT_EQ(value("cvt.rna.tf32.f32", {0x3f80'1000}), 0x3f80'2000u);
  EXPECT_EQ(value("cvt.pack.sat.u8.s32.b32", {300, 0xffff'fff0, 0x1234'5678}), 0x5678'ff00u);
  EXPECT_EQ(value("cvt.pack.sat.s16.s32", {1, 2}), 0x1'0002u);
}

TEST(Scalar, tf32_saturates_to_its_largest_number) {
  constexpr uint64_t largest = 0x7f7f'e000, sign = 0x8000'0000;
  for (const char* rounding : {"rn", "rna"}) {
    const std::string name = "cvt." + std::string(rounding) + ".satfinite.tf32.f32";
    EXPECT_EQ(value(name, {0x7f80'0000}), largest) << rounding;
    EXPECT_EQ(value(name, {0x7f7f'ffff | sign}), largest | sign) << rounding;
    EXPECT_EQ(value(name, {0x7f7f'efff}), largest) << rounding;
    EXPECT_EQ(value(name, {f32(1.5f)}), f32(1.5f)) << rounding;
  }
  EXPECT_EQ(value("cvt.rna.tf32.f32", {0x7f7f'ffff}), 0x7f80'0000u);
  EXPECT_EQ(value("cvt.rn.satfinite.tf32.f32", {kNan32}), 0x7fff'e000u);
  EXPECT_EQ(value("cvt.rna.satfinite.tf32.f32", {0x7fff'ffff}), 0x7fff'c000u);  // a NaN still
}

TEST(Scalar, approximations_are_near) {
  EXPECT_EQ(value("rcp.approx.f32", {f32(4)}), f32(0.25f));
  EXPECT_EQ(value("ex2.approx.f32", {f32(3)}), f32(8));
  EXPECT_EQ(value("ex2.approx.ftz.bf16x2", {0x3f80'0000}), 0x4000'3f80u);
  EXPECT_EQ(value("div.full.f32", {f32(6), f32(3)}), f32(2));
}

}  // namespace
}  // namespace heddle

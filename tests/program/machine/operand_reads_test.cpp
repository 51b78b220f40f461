// Which sums of products of double precision read three registers: all of them are in both banks of the register file.
#include <gtest/gtest.h>

#include "program/machine/lowered.h"

namespace heddle::test::operand_reads_test {
namespace {

unsigned third_reads(std::string_view text) {
  const auto kernel = machine_code_of(
      "ld.param.u64 %rd1, [in];\nld.global.f64 %d1, [%rd1]; ld.global.f64 %d2, [%rd1+8]; ld.global.f64 %d3, "
      "[%rd1+16];\n"
      "ld.global.f64 %d4, [%rd1+24];\n" +
      std::string(text) + "\nst.global.f64 [%rd1], %d4;\nret;");
  unsigned all = 0;
  for (const MachineCost& cost : kernel->costs) all += cost.third_reads;
  return all;
}

TEST(OperandReads, three_registers_are_a_third_read) {
  EXPECT_EQ(third_reads("fma.rn.f64 %d4, %d1, %d2, %d3;"), 1U);
  EXPECT_EQ(third_reads("fma.rn.f64 %d4, %d1, 0d3FF0000000000001, %d3;"), 0U) << "a number is no register";
  EXPECT_EQ(third_reads("add.rn.f64 %d4, %d1, %d2;"), 0U);
}

// On an H200 these take 2.07 cycles of the unit, as sums do.
TEST(OperandReads, a_register_in_several_places_is_read_once) {
  EXPECT_EQ(third_reads("fma.rn.f64 %d4, %d1, %d2, %d1;"), 0U);
  EXPECT_EQ(third_reads("fma.rn.f64 %d4, %d1, %d1, %d3;"), 0U);
  EXPECT_EQ(third_reads("fma.rn.f64 %d4, %d1, %d1, %d1;"), 0U);
}

TEST(OperandReads, what_the_instruction_before_has_read_in_the_same_place_is_kept) {
  EXPECT_EQ(third_reads("fma.rn.f64 %d4, %d4, %d2, %d3;\nfma.rn.f64 %d1, %d1, %d2, %d3;\n"
                        "st.global.f64 [%rd1+32], %d1;"),
            1U);
  EXPECT_EQ(third_reads("fma.rn.f64 %d4, %d4, %d2, %d3;\nfma.rn.f64 %d4, %d4, %d3, %d2;"), 2U) << "in other places";
}

TEST(OperandReads, after_six_another_warp_goes_and_all_is_read_anew) {
  std::string many;
  for (int i = 0; i < 12; ++i) many += "fma.rn.f64 %d4, %d4, %d2, %d3;\n";
  EXPECT_EQ(third_reads(many), 2U);
}

}  // namespace
}  // namespace heddle::test::operand_reads_test

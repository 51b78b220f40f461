// Which atomics of a warp are one operation: as in what ptxas 13 makes of the same lines for sm_90.
#include <gtest/gtest.h>

#include "program/machine/lowered.h"

namespace heddle::test::joined_atomics_test {
namespace {

const Instruction& marked(const Kernel& kernel, std::string_view name) { return kernel.code[at(kernel, name)]; }

TEST(JoinedAtomics, of_one_address_are_sums_and_what_a_warp_can_reduce) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    mov.u32 %r1, %tid.x;
    atom.global.add.u32 %r2, [%rd1], %r1;        // add
    atom.global.max.s32 %r3, [%rd1+4], %r1;      // max
    atom.global.min.u32 %r4, [%rd1+8], %r1;      // min
    red.global.and.b32 [%rd1+12], %r1;           // and
    red.global.or.b32 [%rd1+16], %r1;            // or
    atom.global.xor.b32 %r5, [%rd1+20], %r1;     // xor
    atom.global.exch.b32 %r6, [%rd1+24], %r1;    // exchange
    atom.global.inc.u32 %r7, [%rd1+28], 17;      // increment
    atom.global.cas.b32 %r8, [%rd1+32], %r1, 1;  // compare
    ret;)");
  for (const char* name : {"add", "max", "min", "and", "or", "xor"}) EXPECT_TRUE(marked(*kernel, name).joined) << name;
  for (const char* name : {"exchange", "increment", "compare"}) EXPECT_FALSE(marked(*kernel, name).joined) << name;
}

TEST(JoinedAtomics, are_not_those_of_many_addresses_or_whose_result_is_read) {
  const auto kernel = machine_code_of(R"(
    ld.param.u64 %rd1, [in];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    red.global.max.s32 [%rd3], %r1;            // many
    atom.global.max.s32 %r3, [%rd1], %r1;      // read
    st.global.u32 [%rd3], %r3;
    ret;)");
  EXPECT_FALSE(marked(*kernel, "many").joined);
  EXPECT_FALSE(marked(*kernel, "read").joined);
}

}  // namespace
}  // namespace heddle::test::joined_atomics_test

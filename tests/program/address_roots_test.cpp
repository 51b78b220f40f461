// Which pointers the addresses of global memory are made of.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "program/decoded.h"

namespace heddle::test {
namespace {

constexpr const char *kNotKnown = "?", *kMixed = "+?";

std::shared_ptr<const Kernel> kernel_of_pointers(std::string_view body) {
  return program_of(
             ".global .b32 table[64];\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
             ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n"
             "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u32 %r1, [n];\n" +
             std::string(body) + "\n}\n")
      ->kernel("k");
}

std::set<std::string> roots(const Kernel& kernel, std::string_view what) {
  const AddressRoots& found = kernel.address_roots[at(kernel, what)];
  std::set<std::string> names;
  if (found.others) names.insert(kNotKnown);
  if (found.mixed) names.insert(kMixed);
  for (size_t i = 0; i < kernel.roots.size(); ++i) {
    if ((found.rows >> i & 1) == 0) continue;
    const ConstantRow& row = kernel.constants[kernel.roots[i]];
    if (row.kind == ConstantRow::Kind::Symbol) names.insert(row.symbol);
    for (const Parameter& parameter : kernel.parameters)
      if (row.kind == ConstantRow::Kind::Parameter && parameter.offset == row.bits) names.insert(parameter.name);
  }
  return names;
}

using Names = std::set<std::string>;

TEST(AddressRoots, go_through_sums) {
  const auto kernel = kernel_of_pointers(R"(
    cvta.to.global.u64 %rd3, %rd1;
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd3, %rd4;
    ld.global.u32 %r2, [%rd5+8];      // by a sum
    mad.wide.u32 %rd6, %r2, 4, %rd2;
    ld.global.u32 %r3, [%rd6];        // by a product
    ld.u32 %r4, [%rd1];               // generic
    st.global.u32 [table+4], %r4;     // a variable
    ret;)");
  EXPECT_EQ(roots(*kernel, "by a sum"), Names{"a"});
  EXPECT_EQ(roots(*kernel, "by a product"), Names{"b"});
  EXPECT_EQ(roots(*kernel, "generic"), Names{"a"});
  EXPECT_EQ(roots(*kernel, "a variable"), Names{"table"});
}

TEST(AddressRoots, of_choices_are_all_that_may_be_chosen) {
  const auto kernel = kernel_of_pointers(R"(
    setp.eq.u32 %p1, %r1, 0;
    selp.b64 %rd3, %rd1, %rd2, %p1;
    ld.global.u32 %r2, [%rd3];        // either
    mov.u64 %rd4, %rd1;
  AGAIN:
    ld.global.u32 %r3, [%rd4];        // in a loop
    add.s64 %rd4, %rd4, 4;
    setp.eq.u32 %p2, %r3, 0;
    @%p2 bra AGAIN;
    @%p1 mov.u64 %rd4, %rd2;
    st.global.u32 [%rd4], %r2;        // behind
    ret;)");
  EXPECT_EQ(roots(*kernel, "either"), (Names{"a", "b"}));
  EXPECT_EQ(roots(*kernel, "in a loop"), (Names{"a", "b"}));  // of a register, wherever it is read
  EXPECT_EQ(roots(*kernel, "behind"), (Names{"a", "b"}));
}

// Of two that are added one may be the pointer, and the other a number.
TEST(AddressRoots, of_sums_with_what_comes_from_memory_may_be_either) {
  const auto kernel = kernel_of_pointers(R"(
    ld.global.u64 %rd3, [%rd1];       // a
    add.s64 %rd4, %rd3, %rd2;
    st.global.u32 [%rd4], %r1;        // a sum
    shl.b64 %rd5, %rd2, 2;
    add.s64 %rd6, %rd3, %rd5;
    st.global.u32 [%rd6], %r1;        // with a shifted one
    sub.s64 %rd7, %rd2, %rd1;
    add.s64 %rd8, %rd3, %rd7;
    st.global.u32 [%rd8], %r1;        // with a difference
    shl.b64 %rd9, %rd3, 2;
    add.s64 %rd10, %rd1, %rd9;
    st.global.u32 [%rd10], %r1;       // with an index from memory
    and.b64 %rd11, %rd2, 7;
    add.s64 %rd12, %rd3, %rd11;
    st.global.u32 [%rd12], %r1;       // with low bits
    and.b64 %rd13, %rd2, -8;
    st.global.u32 [%rd13], %r1;       // without low bits
    sub.s64 %rd14, %rd2, %rd3;
    st.global.u32 [%rd14], %r1;       // less what comes from memory
    add.s64 %rd15, %rd2, -4;
    st.global.u32 [%rd15], %r1;       // less a number
    ld.global.s32 %rd0, [%rd1];
    add.s64 %rd0, %rd1, %rd0;
    st.global.u32 [%rd0], %r1;        // by a narrow index
    add.s64 %rd7, %rd1, %rd7;
    st.global.u32 [%rd7], %r1;        // a pointer and a difference
    ret;)");
  EXPECT_EQ(roots(*kernel, "a sum"), (Names{"b", kNotKnown}));
  EXPECT_EQ(roots(*kernel, "with an index from memory"), (Names{"a", kMixed}));
  EXPECT_EQ(roots(*kernel, "without low bits"), Names{"b"});
  EXPECT_EQ(roots(*kernel, "less a number"), Names{"b"});
  EXPECT_EQ(roots(*kernel, "by a narrow index"), Names{"a"});
  for (const char* each : {"with a shifted one", "with low bits", "with a difference", "less what comes from memory",
                           "a pointer and a difference"})
    EXPECT_TRUE(roots(*kernel, each).contains(kNotKnown)) << each;
}

TEST(AddressRoots, of_pointers_from_memory_and_numbers_are_not_known) {
  const auto kernel = kernel_of_pointers(R"(
    setp.eq.u32 %p1, %r1, 0;
    ld.global.u64 %rd3, [%rd1];       // the pointer
    ld.global.u32 %r2, [%rd3+4];      // by it
    selp.b64 %rd4, %rd3, %rd2, %p1;
    st.global.u32 [%rd4], %r2;        // perhaps by it
    mov.b64 {%r3, %r4}, %rd1;
    mov.b64 %rd5, {%r3, %r4};
    st.global.u32 [%rd5], %r2;        // of halves
    cvt.u64.u32 %rd6, %r1;
    st.global.u32 [%rd6], %r2;        // a number
    atom.global.exch.b64 %rd7, [%rd2], %rd1;
    st.global.u32 [%rd7], %r2;        // exchanged
    st.global.u32 [4096], %r2;        // constant
    ret;)");
  EXPECT_EQ(roots(*kernel, "the pointer"), Names{"a"});
  EXPECT_EQ(roots(*kernel, "perhaps by it"), (Names{"b", kNotKnown}));
  for (const char* each : {"by it", "of halves", "a number", "exchanged", "constant"})
    EXPECT_EQ(roots(*kernel, each), Names{kNotKnown}) << each;
}

}  // namespace
}  // namespace heddle::test

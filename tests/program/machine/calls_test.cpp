// What calls cost: as the assembler's calling convention has it (program/machine/calls.h). That results stay the same
// is held by tests/workloads/machine_code_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "program/machine/lowered.h"

namespace heddle::test::calls_test {
namespace {

// A kernel that calls `f`; in `f`, `inner` is what it does with its arguments %r1 and %rd1, its result is %r2.
std::shared_ptr<const Kernel> calling(std::string_view inner, unsigned calls = 1) {
  constexpr std::string_view kCall = R"(
  {
    .param .b32 p0;
    .param .b64 p1;
    .param .b32 back;
    st.param.b32 [p0], %r1;
    st.param.b64 [p1], %rd1;
    call (back), f, (p0, p1);
    ld.param.b32 %r2, [back];
  }
)";
  std::string all_calls;
  for (unsigned i = 0; i < calls; ++i) all_calls += kCall;
  const std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .func (.param .b32 result) f(.param .b32 a, .param .b64 b) {
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u32 %r1, [a];  // argument
  ld.param.u64 %rd1, [b];
)" + std::string(inner) + R"(
  st.param.b32 [result], %r2;
  ret;
}
.visible .entry k(.param .u64 in) {
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x;
)" + all_calls + R"(
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
  return Program::load(std::make_shared<ptx::Source>("test.ptx", text))->as_machine_code({})->kernel("k");
}

constexpr std::string_view kAdds = "  add.u32 %r2, %r1, 1;";
// What is needed behind the call: the pointer, which is two words, and the sum.
constexpr std::string_view kCallsItself = R"(
  mov.u32 %r2, 0;
  setp.lt.u32 %p1, %r1, 2;
  @%p1 bra END;
  mul.lo.u32 %r3, %r1, 77;
  sub.u32 %r4, %r1, 1;
  {
    .param .b32 p0;
    .param .b64 p1;
    .param .b32 back;
    st.param.b32 [p0], %r4;
    st.param.b64 [p1], %rd1;
    call (back), f, (p0, p1);
    ld.param.b32 %r5, [back];
  }
  add.u32 %r2, %r3, %r5;
  st.global.u32 [%rd1], %r2;
END:)";

size_t count(const Kernel& kernel, const FunctionRange& function, Op op, Space space, bool parameters = false) {
  return static_cast<size_t>(std::count_if(
      kernel.code.begin() + function.begin, kernel.code.begin() + function.end, [&](const Instruction& i) {
        return i.op == op && (space == Space::None || i.space == space) && i.has(Mod::Param) == parameters;
      }));
}

const FunctionRange& callee(const Kernel& kernel) { return kernel.functions.at(1); }

TEST(Calls, parameters_and_results_are_in_registers) {
  for (const std::string_view inner : {kAdds, kCallsItself}) {
    const auto kernel = calling(inner);
    size_t parameters = 0;
    for (Pc pc = 0; pc < kernel->code.size(); ++pc) {
      const Instruction& i = kernel->code[pc];
      if (i.space != Space::Local || !i.has(Mod::Param)) continue;
      ++parameters;
      EXPECT_EQ(kernel->costs[pc].units[static_cast<size_t>(Unit::Memory)], 0) << kernel->text(pc);
    }
    EXPECT_GE(parameters, 6u);
  }
  EXPECT_EQ(slots(*calling(kAdds), "argument"), 0u);
}

TEST(Calls, a_call_has_an_address_to_return_to_and_saves_nothing) {
  const auto kernel = calling(kAdds);
  EXPECT_EQ(count(*kernel, callee(*kernel), Op::St, Space::Local), 0u);
  for (Pc pc = 0; pc < kernel->code.size(); ++pc)
    if (kernel->code[pc].op == Op::Call || kernel->code[pc].op == Op::Ret) {
      EXPECT_EQ(kernel->costs[pc].slots, 2) << kernel->text(pc);
    }
}

// As the assembler has it of functions that two calls share: `two` of docs/machine-code.md.
TEST(Calls, several_calls_copy_what_they_give_and_take) {
  const auto kernel = calling(kAdds, 2);
  unsigned calls = 0;
  for (Pc pc = 0; pc < kernel->code.size(); ++pc) {
    const Instruction& i = kernel->code[pc];
    if (i.op == Op::Call) {
      EXPECT_EQ(kernel->costs[pc].slots, 2 + 3 + 1) << kernel->text(pc);
      EXPECT_EQ(kernel->costs[pc].units[static_cast<size_t>(Unit::Multiply)], 2) << "of five copies";
      ++calls;
    }
    if (i.op == Op::Ret) {
      const bool inner = pc >= callee(*kernel).begin && pc < callee(*kernel).end;
      EXPECT_EQ(kernel->costs[pc].slots, inner ? 3 : 2) << kernel->text(pc);
    }
  }
  EXPECT_EQ(calls, 2u);
}

TEST(Calls, a_function_that_calls_itself_saves_what_it_needs_behind_the_call) {
  const auto plain = calling(kAdds), kernel = calling(kCallsItself);
  const FunctionRange& function = callee(*kernel);
  constexpr size_t kSaved = 3 + 3;  // and where to return to, and where to meet
  EXPECT_EQ(count(*kernel, function, Op::St, Space::Local), kSaved);
  EXPECT_EQ(count(*kernel, function, Op::Ld, Space::Local), kSaved) << "before the one return";
  EXPECT_EQ(count(*kernel, kernel->functions[0], Op::St, Space::Local), 0u) << "a kernel has no caller";
  EXPECT_EQ(function.frame_bytes % 16, 0u);
  for (const CallSite& site : kernel->calls) EXPECT_GE(site.frame_bytes, site.signature.bytes);
}

TEST(Calls, a_recursive_call_copies_its_arguments) {
  const auto kernel = calling(kCallsItself);
  for (Pc pc = 0; pc < kernel->code.size(); ++pc)
    if (kernel->code[pc].op == Op::Call) {
      EXPECT_EQ(kernel->costs[pc].slots, 1 + 2 + 3) << kernel->text(pc);
    }
}

}  // namespace
}  // namespace heddle::test::calls_test

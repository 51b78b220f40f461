// Modules linked to one: run, so that what they say to each other counts.
#include "runtime/ptx_linker.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/heddle_program.h"

namespace heddle::runtime {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHead = ".version 9.0\n.target sm_75\n.address_size 64\n";

// A kernel that asks another module for a function and a variable, and has a variable and a weak function of its own.
const std::string kAsks = std::string(kHead) + R"(
.file 1 "asks.cu"
.extern .func (.param .b32 func_retval0) twice (.param .b32 twice_param_0) ;
.extern .global .align 4 .u32 offset;
.global .align 4 .u32 own = 5;
.weak .func (.param .b32 func_retval0) same (.param .b32 same_param_0) {
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [same_param_0];
  add.u32 %r2, %r1, 100;
  st.param.b32 [func_retval0+0], %r2;
  ret;
}
.visible .entry k (.param .u64 k_param_0) {
  .reg .b32 %r<9>;
  .reg .b64 %rd<3>;
  .loc 1 3 4
  ld.param.u64 %rd1, [k_param_0];
  { .param .b32 param0; .param .b32 retval0;
    st.param.b32 [param0+0], 20;
    call.uni (retval0), twice, (param0);
    ld.param.b32 %r1, [retval0+0]; }
  { .param .b32 param0; .param .b32 retval0;
    st.param.b32 [param0+0], %r1;
    call.uni (retval0), same, (param0);
    ld.param.b32 %r2, [retval0+0]; }
  ld.global.u32 %r3, [offset];
  ld.global.u32 %r4, [own];
  add.u32 %r5, %r2, %r3;
  add.u32 %r6, %r5, %r4;
  st.global.u32 [%rd1], %r6;
  ret;
}
)";

// Has what the other asks for, a variable with the same name, and the weak function again.
const std::string kGives = std::string(kHead) + R"(
.file 1 "gives.cu"
.visible .global .align 4 .u32 offset = 7;
.global .align 4 .u32 own = 1000;
.weak .func (.param .b32 func_retval0) same (.param .b32 same_param_0) {
  .reg .b32 %r<2>;
  ld.param.u32 %r1, [same_param_0];
  st.param.b32 [func_retval0+0], %r1;
  ret;
}
.visible .func (.param .b32 func_retval0) twice (.param .b32 twice_param_0) {
  .reg .b32 %r<5>;
  .loc 1 8 1
  ld.param.u32 %r1, [twice_param_0];
  ld.global.u32 %r2, [own];
  add.u32 %r3, %r1, %r1;
  add.u32 %r4, %r3, %r2;
  st.param.b32 [func_retval0+0], %r4;
  ret;
}
)";

class PtxLinker : public cli::HeddleProgram {
 protected:
  uint32_t result_of(const std::vector<std::string>& modules) {
    write("linked.ptx", link_ptx(modules));
    const cli::Ended ended = heddle({"run", "linked.ptx", "--kernel", "k", "--grid", "1", "--block", "1", "--arg",
                                     "zeros:4@" + path("out.bin"), "--emulate", "--quiet"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.code == 0 ? read_values<uint32_t>("out.bin").at(0) : 0;
  }
};

// twice(20) is 40 + the 1000 of its own module; same() adds 100 in the first module that has it; 7 and 5.
TEST_F(PtxLinker, ModulesFindEachOthersSymbolsAndKeepTheirOwn) {
  EXPECT_EQ(result_of({kAsks, kGives}), 40u + 1000 + 100 + 7 + 5);
}

TEST_F(PtxLinker, OfWeakDefinitionsTheFirstStays) { EXPECT_EQ(result_of({kGives, kAsks}), 40u + 1000 + 0 + 7 + 5); }

TEST_F(PtxLinker, SourceFilesAreNumberedAnew) {
  const std::string text = link_ptx({kAsks, kGives});
  EXPECT_THAT(text, HasSubstr(".file 1 \"asks.cu\""));
  EXPECT_THAT(text, HasSubstr(".file 2 \"gives.cu\""));
  EXPECT_THAT(text, HasSubstr(".loc 1 3 4"));
  EXPECT_THAT(text, HasSubstr(".loc 2 8 1"));
}

TEST_F(PtxLinker, WhatNobodyDefinesIsDeclaredOnce) {
  const std::string declaration = ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b) ;\n";
  const std::string text = link_ptx({kHead + declaration, kHead + declaration});
  const size_t first = text.find("vprintf");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("vprintf", first + 1), std::string::npos);
}

TEST_F(PtxLinker, TheDeviceRuntimeIsThereForThoseWhoAsk) {
  const std::string runtime = std::string(kHead) +
                              ".visible .func cudaGetParameterBufferV2 () { ret; }\n"
                              ".visible .func cudaGetDevice () { ret; }\n";
  EXPECT_THAT(link_ptx({kGives, runtime}), Not(HasSubstr("cudaGetDevice")));
  EXPECT_THAT(link_ptx({std::string(kHead) + ".extern .func cudaGetDevice () ;\n", runtime}),
              HasSubstr(".visible .func cudaGetDevice"));
}

TEST_F(PtxLinker, ATextThatIsCutOffStaysSo) {
  EXPECT_THAT(link_ptx({std::string(kHead) + ".global .u32 cut", kGives}), HasSubstr(".global .u32 cut\n"));
}

TEST_F(PtxLinker, ATextThatIsNoneIsAnError) { EXPECT_THROW(link_ptx({"\"open", kGives}), Error); }

}  // namespace
}  // namespace heddle::runtime

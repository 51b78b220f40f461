// What a branch depends on, rule by rule, on kernels small enough to say it by hand.
#include "exec/taint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gpu/gpu.h"
#include "support/amount.h"

namespace heddle {
namespace {

// A kernel around a body that may use %r0 … %r15 (%r1 = tid.x), %rd0 … %rd9 (%rd1 = data, 4096 bytes), %f, %p0 … %p9.
std::string kernel_with(std::string_view body, std::string_view functions = "") {
  return fmt::format(
      ".version 8.0\n.target sm_80\n.address_size 64\n.const .align 4 .u32 table[4] = {{1, 2, 3, 4}};\n{}\n"
      ".visible .entry k(.param .u64 data, .param .u32 n, .param .align 8 .b8 many[16])\n{{\n"
      ".shared .align 8 .b8 shared[4096];\n.local .align 8 .b8 room[64];\n"
      ".reg .pred %p<10>;\n.reg .b16 %h<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<10>;\n.reg .f32 %f<4>;\n"
      "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [data];\n{}\nEND: ret;\n}}\n",
      functions, body);
}

struct Run {
  unsigned threads = 64;
  std::string mechanism = "pdom";
  bool timed = false;
};

std::vector<BranchRecord> records_of(const std::string& ptx, const Run& run = {}) {
  GpuOptions options;
  options.mechanism = run.mechanism;
  options.instruments.add("taint");
  options.timed = run.timed;
  Gpu gpu(make_config("default", {}), options);
  gpu.load("taint.ptx", ptx);
  const Buffer<uint32_t> data(gpu, 1024, "data");
  struct Many {
    uint32_t words[4];
  };
  gpu.launch("k", {{1}, {run.threads}}, Arguments(data.address(), uint32_t{7}, Many{{1, 2, 3, 4}}));
  std::vector<BranchRecord> records;
  for (const BranchRecord& record : gpu.launches().back().branch_records)
    if (record.kind != BranchKind::Unknown) records.push_back(record);
  return records;
}

// "P", "D", or "D3" where three threads of more depended on data: for each branch with a choice, by PC.
std::string kinds(const std::string& ptx, const Run& run = {}) {
  std::string text;
  for (const BranchRecord& record : records_of(ptx, run)) {
    text += text.empty() ? "" : " ";
    text += record.kind == BranchKind::Data ? "D" : "P";
    if (record.kind == BranchKind::Data && record.data_threads != record.threads)
      text += std::to_string(record.data_threads);
  }
  return text;
}

// The kind of a branch on whether %r2 is 0, behind the body.
std::string kind_of_r2(std::string_view body, std::string_view functions = "", const Run& run = {}) {
  return kinds(kernel_with(fmt::format("{}\nsetp.ne.u32 %p9, %r2, 0;\n@%p9 bra END;", body), functions), run);
}

constexpr std::string_view kLoad = "ld.global.u32 %r3, [%rd1];\n";  // %r3 is data

// ---- where taint begins

TEST(Taint, SpecialRegistersAreProgrammatic) {
  for (const char* name :
       {"%tid.x", "%ctaid.x", "%ntid.x", "%nctaid.x", "%laneid", "%warpid", "%lanemask_lt", "%clock"})
    EXPECT_EQ(kind_of_r2(fmt::format("mov.u32 %r2, {};", name)), "P") << name;
  EXPECT_EQ(kind_of_r2("activemask.b32 %r2;"), "P");
}

TEST(Taint, KernelParametersAreProgrammaticPointersToo) {
  EXPECT_EQ(kind_of_r2("ld.param.u32 %r2, [n];"), "P");
  EXPECT_EQ(kind_of_r2("cvt.u32.u64 %r2, %rd1;"), "P");
  EXPECT_EQ(kind_of_r2("ld.param.v2.u32 {%r2, %r4}, [many+8];"), "P");
}

TEST(Taint, KernelParametersReadThroughAPointerAreProgrammaticToo) {
  EXPECT_EQ(kind_of_r2("mov.u64 %rd2, many;\nld.param.u32 %r2, [%rd2+4];"), "P");
  EXPECT_EQ(kind_of_r2("mov.u64 %rd2, many;\ncvta.param.u64 %rd2, %rd2;\nld.u32 %r2, [%rd2+4];"), "P");
}

TEST(Taint, WhatALoadBringsIsDataWhateverTheAddress) {
  EXPECT_EQ(kind_of_r2("ld.global.u32 %r2, [%rd1];"), "D");
  EXPECT_EQ(kind_of_r2("ld.u32 %r2, [%rd1+8];"), "D");
  EXPECT_EQ(kind_of_r2("ld.const.u32 %r2, [table+4];"), "D");
  EXPECT_EQ(kind_of_r2("st.shared.u32 [shared], %r1;\nld.shared.u32 %r2, [shared];"), "D");
  EXPECT_EQ(kind_of_r2("ld.global.v4.u32 {%r4, %r5, %r2, %r6}, [%rd1];"), "D");
}

TEST(Taint, AnAtomicsResultIsData) {
  EXPECT_EQ(kind_of_r2("atom.global.add.u32 %r2, [%rd1], 1;"), "D");
  EXPECT_EQ(kind_of_r2("atom.shared.exch.b32 %r2, [shared], %r1;"), "D");
}

TEST(Taint, AnImmediateClears) {
  EXPECT_EQ(kind_of_r2(fmt::format("{}mov.u32 %r2, %r3;\nmov.u32 %r2, 100;", kLoad)), "P");
  EXPECT_EQ(kind_of_r2(fmt::format("{}mov.u32 %r2, %r3;", kLoad)), "D");
}

TEST(Taint, TheAddressOfAVariableIsNoData) {
  for (const char* name : {"shared", "room", "table", "many"})
    EXPECT_EQ(kind_of_r2(fmt::format("mov.u64 %rd2, {};\ncvt.u32.u64 %r2, %rd2;", name)), "P") << name;
}

// ---- how it moves

TEST(Taint, DataWinsOverProgrammaticWhateverTheOrder) {
  EXPECT_EQ(kind_of_r2(fmt::format("{}add.u32 %r2, %r1, %r3;", kLoad)), "D");
  EXPECT_EQ(kind_of_r2(fmt::format("{}add.u32 %r2, %r3, %r1;", kLoad)), "D");
  EXPECT_EQ(kind_of_r2(fmt::format("{}mad.lo.u32 %r2, %r1, 4, %r3;", kLoad)), "D");
  EXPECT_EQ(kind_of_r2("add.u32 %r2, %r1, 4;"), "P");
}

TEST(Taint, GoesThroughConversionsPackingAndPredicates) {
  EXPECT_EQ(kind_of_r2(fmt::format("{}cvt.rn.f32.u32 %f1, %r3;\ncvt.rzi.u32.f32 %r2, %f1;", kLoad)), "D");
  EXPECT_EQ(kind_of_r2(fmt::format("{}prmt.b32 %r2, %r1, %r3, 0x3210;", kLoad)), "D");
  EXPECT_EQ(kind_of_r2(fmt::format("{}mov.b64 %rd2, {{%r1, %r3}};\nmov.b64 {{%r4, %r2}}, %rd2;", kLoad)), "D");
  EXPECT_EQ(kind_of_r2(fmt::format("{}add.cc.u32 %r4, %r3, %r3;\naddc.u32 %r2, %r1, 0;", kLoad)), "D");
  EXPECT_EQ(kinds(kernel_with(fmt::format("{}setp.eq.u32 %p1, %r3, 0;\nsetp.lt.u32 %p2, %r1, 9;\nand.pred %p3, %p1, "
                                          "%p2;\n@%p3 bra END;\n@%p2 bra END;",
                                          kLoad))),
            "D P");
}

TEST(Taint, SelectionsJoinAllTheirInputs) {
  const std::string both = fmt::format("{}setp.lt.u32 %p1, %r1, 9;\nsetp.eq.u32 %p2, %r3, 5;\n", kLoad);
  EXPECT_EQ(kind_of_r2(both + "selp.u32 %r2, %r1, %r1, %p1;"), "P");
  EXPECT_EQ(kind_of_r2(both + "selp.u32 %r2, 1, 2, %p2;"), "D");
  EXPECT_EQ(kind_of_r2(both + "selp.u32 %r2, %r1, %r3, %p1;"), "D");
  EXPECT_EQ(kind_of_r2(both + "slct.u32.s32 %r2, %r1, 7, %r3;"), "D");
}

TEST(Taint, AGuardedWriteReplacesTheTaintOfThoseWhoWrite) {
  // Ten threads overwrite data with a number, or a number with data.
  const std::string ten = fmt::format("{}setp.lt.u32 %p1, %r1, 10;\n", kLoad);
  EXPECT_EQ(kind_of_r2(ten + "mov.u32 %r2, %r3;\n@%p1 mov.u32 %r2, 0;"), "D54");
  EXPECT_EQ(kind_of_r2(ten + "mov.u32 %r2, 0;\n@%p1 mov.u32 %r2, %r3;"), "D10");
}

TEST(Taint, NothingFlowsThroughControl) {
  const std::string test = fmt::format("{}setp.ne.u32 %p1, %r3, 0;\n", kLoad);
  EXPECT_EQ(kind_of_r2(test + "mov.u32 %r2, 0;\n@%p1 mov.u32 %r2, 5;"), "P");  // from a guard
  EXPECT_EQ(kind_of_r2(test + "mov.u32 %r2, 0;\n@%p1 bra SKIP;\nmov.u32 %r2, 5;\nSKIP:"), "D P");
}

TEST(Taint, AnAddressIsNoValue) {
  // Data chooses where to look, what lies there is programmatic.
  EXPECT_EQ(kind_of_r2(fmt::format("{}st.local.u32 [room], %r1;\nmov.u64 %rd2, room;\ncvt.u64.u32 %rd3, %r3;\n"
                                   "add.u64 %rd2, %rd2, %rd3;\nld.local.u32 %r2, [%rd2];",
                                   kLoad)),
            "P");
}

// ---- local memory

TEST(Taint, LocalMemoryCarriesWhatWasStored) {
  EXPECT_EQ(kind_of_r2(fmt::format("{}st.local.u32 [room+8], %r3;\nld.local.u32 %r2, [room+8];", kLoad)), "D");
  EXPECT_EQ(kind_of_r2("st.local.u32 [room+8], %r1;\nld.local.u32 %r2, [room+8];"), "P");
  EXPECT_EQ(kind_of_r2(fmt::format("{}st.local.u32 [room+8], %r3;\nld.local.u32 %r2, [room+4];", kLoad)), "P");
  EXPECT_EQ(
      kind_of_r2(fmt::format("{}st.local.u32 [room], %r3;\nst.local.u32 [room], 1;\nld.local.u32 %r2, [room];", kLoad)),
      "P");
}

TEST(Taint, LocalMemoryCarriesByteByByte) {
  const std::string byte =
      fmt::format("{}cvt.u16.u32 %h1, %r3;\nst.local.u32 [room], %r1;\nst.local.u8 [room+2], %h1;\n", kLoad);
  EXPECT_EQ(kind_of_r2(byte + "ld.local.u32 %r2, [room];"), "D");
  EXPECT_EQ(kind_of_r2(byte + "ld.local.u16 %r2, [room];"), "P");
  EXPECT_EQ(kind_of_r2(byte + "ld.local.u16 %r2, [room+2];"), "D");
}

TEST(Taint, LocalMemoryIsTheSameThroughGenericAddressesAndVectors) {
  EXPECT_EQ(kind_of_r2(fmt::format("{}cvta.local.u64 %rd2, room;\nst.v2.u32 [%rd2], {{%r1, %r3}};\n"
                                   "ld.local.u32 %r2, [room+4];",
                                   kLoad)),
            "D");
  EXPECT_EQ(kind_of_r2(fmt::format("{}cvta.local.u64 %rd2, room;\nst.local.v2.u32 [room], {{%r1, %r3}};\n"
                                   "ld.v2.u32 {{%r2, %r4}}, [%rd2];",
                                   kLoad)),
            "P");
}

TEST(Taint, LocalMemoryIsOfOneThread) {
  const std::string low = fmt::format("{}setp.lt.u32 %p1, %r1, 10;\nst.local.u32 [room], 0;\n", kLoad);
  EXPECT_EQ(kind_of_r2(low + "@%p1 st.local.u32 [room], %r3;\nld.local.u32 %r2, [room];"), "D10");
}

// ---- threads together

TEST(Taint, WarpWideInstructionsJoinTheInputsOfAllWhoTakePart) {
  // Of the 64 threads one, in the first warp, has data.
  const std::string one = fmt::format(
      "{}setp.eq.u32 %p1, %r1, 5;\nmov.u32 %r4, %r1;\n@%p1 mov.u32 %r4, %r3;\n"
      "setp.ne.u32 %p2, %r4, 0;\n",
      kLoad);
  EXPECT_EQ(kind_of_r2(one + "mov.u32 %r2, %r4;"), "D1");
  EXPECT_EQ(kind_of_r2(one + "shfl.sync.bfly.b32 %r2, %r4, 1, 31, -1;"), "D32");
  EXPECT_EQ(kind_of_r2(one + "vote.sync.ballot.b32 %r2, %p2, -1;"), "D32");
  EXPECT_EQ(kind_of_r2(one + "match.any.sync.b32 %r2, %r4, -1;"), "D32");
  EXPECT_EQ(kind_of_r2(one + "redux.sync.add.u32 %r2, %r4, -1;"), "D32");
  EXPECT_EQ(kind_of_r2(one + "vote.ballot.b32 %r2, %p2;"), "D32");
  EXPECT_EQ(kind_of_r2(one + "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;"), "P");
}

TEST(Taint, ThoseWhoAreNoMembersTakeNoPart) {
  // Threads below eight vote by themselves: thread 5 is among them, or is not.
  const std::string part = fmt::format(
      "{}setp.eq.u32 %p1, %r1, %r14;\nmov.u32 %r2, 0;\nmov.u32 %r4, %r1;\n"
      "@%p1 mov.u32 %r4, %r3;\nsetp.lt.u32 %p2, %r1, 8;\n@!%p2 bra OTHERS;\n"
      "redux.sync.add.u32 %r2, %r4, 255;\nOTHERS:",
      kLoad);
  EXPECT_EQ(kind_of_r2("mov.u32 %r14, 5;\n" + part), "P D8");
  EXPECT_EQ(kind_of_r2("mov.u32 %r14, 9;\n" + part), "P P");
}

TEST(Taint, BarRedJoinsThePredicatesOfTheBlock) {
  const std::string one = fmt::format(
      "{}mov.u32 %r4, %r1;\nsetp.eq.u32 %p1, %r1, 5;\n@%p1 mov.u32 %r4, %r3;\nsetp.ne.u32 %p2, %r4, 0;\n"
      "setp.lt.u32 %p3, %r1, 9;\n",
      kLoad);
  for (const char* mechanism : {"pdom", "tbc", "dwf"}) {
    EXPECT_EQ(kind_of_r2(one + "bar.red.popc.u32 %r2, 0, %p2;", "", {.mechanism = mechanism}), "D") << mechanism;
    EXPECT_EQ(kind_of_r2(one + "bar.red.popc.u32 %r2, 0, %p3;", "", {.mechanism = mechanism}), "P") << mechanism;
  }
}

// ---- calls

constexpr std::string_view kSecond = R"(
.func (.param .b32 result) second(.param .b32 x, .param .b32 y) {
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [y];
  st.param.b32 [result], %r1;
  ret;
})";

std::string call_second(std::string_view x, std::string_view y) {
  return fmt::format(
      "{{ .param .b32 a; .param .b32 b; .param .b32 c;\nst.param.b32 [a], {};\nst.param.b32 [b], {};\n"
      "call (c), second, (a, b);\nld.param.b32 %r2, [c]; }}",
      x, y);
}

TEST(Taint, ArgumentsAndResultsCarryIt) {
  EXPECT_EQ(kind_of_r2(std::string(kLoad) + call_second("%r1", "%r3"), kSecond), "D");
  EXPECT_EQ(kind_of_r2(std::string(kLoad) + call_second("%r3", "%r1"), kSecond), "P");
  EXPECT_EQ(kind_of_r2(std::string(kLoad) + call_second("%r3", "7"), kSecond), "P");
}

TEST(Taint, RegistersOfARecursiveFunctionAreSavedWithTheirTaint) {
  // Each level keeps its own x over the call: data at depth 1 only. The branch on what was kept is the second.
  constexpr std::string_view function = R"(
.func (.param .b32 result) f(.param .b32 x, .param .b32 depth) {
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<2>;
  ld.param.u32 %r1, [x];
  ld.param.u32 %r2, [depth];
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra DONE;
  sub.u32 %r3, %r2, 1;
  { .param .b32 a; .param .b32 b; .param .b32 c;
  st.param.b32 [a], 5;
  st.param.b32 [b], %r3;
  call (c), f, (a, b);
  ld.param.b32 %r4, [c]; }
  setp.eq.u32 %p2, %r1, 77;
  @%p2 bra DONE;
DONE:
  st.param.b32 [result], %r1;
  ret;
})";
  const std::string body = fmt::format(
      "{}{{ .param .b32 a; .param .b32 b; .param .b32 c;\nst.param.b32 [a], %r3;\nst.param.b32 [b], 2;\n"
      "call (c), f, (a, b);\nld.param.b32 %r2, [c]; }}",
      kLoad);
  // In order of PCs: the kernel's branch on the result, the function's on its depth, and on x: 64 of 128 times data.
  EXPECT_EQ(kind_of_r2(body, function), "D P D64");
}

// ---- branches

TEST(Taint, TheIndexOfATableIsABranchsPredicate) {
  const auto table = [](std::string_view index) {
    return kernel_with(
        fmt::format("{}and.b32 %r2, {}, 1;\nTABLE: .branchtargets A, END;\nbrx.idx %r2, TABLE;\nA:", kLoad, index));
  };
  EXPECT_EQ(kinds(table("%r1")), "P");
  EXPECT_EQ(kinds(table("%r3")), "D");
}

TEST(Taint, GuardsOfReturnAndExitAreBranches) {
  const std::string body =
      fmt::format("{}setp.eq.u32 %p1, %r3, 1;\nsetp.eq.u32 %p2, %r1, 1;\n@%p1 exit;\n@%p2 ret;", kLoad);
  EXPECT_EQ(kinds(kernel_with(body)), "D P");
}

TEST(Taint, ABlockBeginsWithoutTheTaintOfTheOneBefore) {
  GpuOptions options;
  options.instruments.add("taint");
  Gpu gpu(make_config("default", {}), options);
  // The first block leaves data in a register and in local memory, the second looks at them.
  gpu.load("taint.ptx", kernel_with("mov.u32 %r5, %ctaid.x;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra LOOK;\n"
                                    "ld.global.u32 %r3, [%rd1];\nst.local.u32 [room], %r3;\nbra END;\n"
                                    "LOOK: ld.local.u32 %r2, [room];\nadd.u32 %r2, %r2, %r3;\n"
                                    "setp.ne.u32 %p9, %r2, 0;\n@%p9 bra END;"));
  const Buffer<uint32_t> data(gpu, 1024, "data");
  struct Many {
    uint32_t words[4];
  };
  gpu.launch("k", {{60}, {1024}}, Arguments(data.address(), uint32_t{7}, Many{}));
  for (const BranchRecord& record : gpu.launches()[0].branch_records) EXPECT_EQ(record.data_threads, 0U) << record.pc;
}

TEST(Taint, IsNotFollowedUnlessAsked) {
  Gpu gpu(make_config("default", {}), {});
  gpu.load("taint.ptx", kernel_with("setp.ne.u32 %p9, %r1, 0;\n@%p9 bra END;"));
  const Buffer<uint32_t> data(gpu, 1024, "data");
  struct Many {
    uint32_t words[4];
  };
  gpu.launch("k", {{1}, {32}}, Arguments(data.address(), uint32_t{7}, Many{}));
  for (const BranchRecord& record : gpu.launches()[0].branch_records) EXPECT_EQ(record.kind, BranchKind::Unknown);
}

}  // namespace
}  // namespace heddle

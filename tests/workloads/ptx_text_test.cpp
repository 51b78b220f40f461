// The PTX texts of the workloads: nvcc's are run by every other test, clang's here.
#include "workloads/ptx_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "gpu/gpu.h"
#include "workloads/workload.h"

namespace heddle::test {
namespace {

using workloads::Compiler;
using workloads::Workload;

std::vector<Workload> with_clang_text() {
  std::vector<Workload> result;
  for (const Workload& workload : workloads::all())
    if (workloads::find_ptx(workload.name, Compiler::Clang)) result.push_back(workload);
  return result;
}

TEST(PtxText, EveryWorkloadHasOneByNvcc) {
  for (const Workload& workload : workloads::all()) {
    EXPECT_NE(workload.ptx().find(".target sm_75"), std::string_view::npos) << workload.name;
    EXPECT_EQ(workload.ptx(), workloads::ptx_of(workload.name, Compiler::Nvcc)) << workload.name;
  }
}

TEST(PtxText, MostWorkloadsHaveOneByClang) { EXPECT_GE(with_clang_text().size() * 10, workloads::all().size() * 9); }

TEST(PtxText, BothNameTheirPlaceOfBuildNowhere) {
  for (const Workload& workload : workloads::all())
    for (const Compiler compiler : {Compiler::Nvcc, Compiler::Clang})
      if (const auto text = workloads::find_ptx(workload.name, compiler)) {
        EXPECT_EQ(text->find("\"/"), std::string_view::npos) << workloads::ptx_file(workload.name, compiler);
        EXPECT_NE(text->find("\"kernel.cu\""), std::string_view::npos)
            << workloads::ptx_file(workload.name, compiler) << " has no source lines";
      }
}

TEST(PtxText, ATextThatIsNotThereIsAnErrorThatSaysSo) {
  EXPECT_FALSE(workloads::find_ptx("no-such-workload", Compiler::Clang));
  try {
    workloads::ptx_of("no-such-workload", Compiler::Clang);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    EXPECT_STREQ(error.what(), "no-such-workload has no PTX made by clang");
  }
}

TEST(PtxText, CompilersHaveNames) {
  for (const Compiler compiler : {Compiler::Nvcc, Compiler::Clang})
    EXPECT_EQ(workloads::compiler_named(workloads::name_of(compiler)), compiler);
  EXPECT_THROW(workloads::compiler_named("gcc"), Error);
}

struct ClangCase {
  Workload workload;
  std::string_view mechanism;
};

class ClangText : public testing::TestWithParam<ClangCase> {};

TEST_P(ClangText, PassesTheCpuCheck) {
  GpuOptions options;
  options.mechanism = GetParam().mechanism;
  Gpu gpu(make_config(), options);
  gpu.load(GetParam().workload.name, GetParam().workload.ptx(Compiler::Clang));
  const workloads::Check check = GetParam().workload.run(gpu, workloads::Size::Tiny);
  EXPECT_TRUE(check.passed) << check.detail;
}

std::vector<ClangCase> clang_cases() {
  std::vector<ClangCase> cases;
  for (const Workload& workload : with_clang_text())
    for (const std::string_view mechanism : {"pdom", "tbc"}) cases.push_back({workload, mechanism});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Workloads, ClangText, testing::ValuesIn(clang_cases()), [](const auto& each) {
  return fmt::format("{}_{}", each.param.workload.name, each.param.mechanism);
});

}  // namespace
}  // namespace heddle::test

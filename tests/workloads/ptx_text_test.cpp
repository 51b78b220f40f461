// The PTX texts of the workloads: nvcc's are run by every other test, the others' here.
#include "workloads/ptx_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "gpu/gpu.h"
#include "workloads/workload.h"

namespace heddle::test::ptx_text_test {
namespace {

using workloads::Compiler;
using workloads::Workload;

std::vector<Workload> with_text_by(Compiler compiler) {
  std::vector<Workload> result;
  for (const Workload& workload : workloads::all())
    if (workloads::find_ptx(workload.name, compiler)) result.push_back(workload);
  return result;
}

TEST(PtxText, EveryWorkloadHasOneByNvcc) {
  for (const Workload& workload : workloads::all()) {
    EXPECT_NE(workload.ptx().find(".target sm_75"), std::string_view::npos) << workload.name;
    EXPECT_EQ(workload.ptx(), workloads::ptx_of(workload.name, Compiler::Nvcc)) << workload.name;
  }
}

TEST(PtxText, MostWorkloadsHaveOneByTheOthers) {
  for (const Compiler compiler : {Compiler::Clang, Compiler::Era})
    EXPECT_GE(with_text_by(compiler).size() * 10, workloads::all().size() * 9);
}

TEST(PtxText, OfTheEraHasShortAddresses) {
  for (const Workload& workload : with_text_by(Compiler::Era))
    EXPECT_NE(workload.ptx(Compiler::Era).find(".address_size 32"), std::string_view::npos) << workload.name;
}

TEST(PtxText, NamesItsPlaceOfBuildNowhere) {
  for (const Workload& workload : workloads::all())
    for (const Compiler compiler : workloads::kCompilers)
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
  for (const Compiler compiler : workloads::kCompilers)
    EXPECT_EQ(workloads::compiler_named(workloads::name_of(compiler)), compiler);
  EXPECT_THROW(workloads::compiler_named("gcc"), Error);
}

struct TextCase {
  Workload workload;
  Compiler compiler;
  std::string_view mechanism;
};

class Text : public testing::TestWithParam<TextCase> {};

TEST_P(Text, PassesTheCpuCheck) {
  const auto& [workload, compiler, mechanism] = GetParam();
  GpuOptions options;
  options.mechanism = mechanism;
  Gpu gpu(make_config(), options);
  gpu.load(workload.name, workload.ptx(compiler));
  const workloads::Check check = workload.run(gpu, workloads::Size::Tiny);
  EXPECT_TRUE(check.passed) << check.detail;
}

std::vector<TextCase> text_cases() {
  std::vector<TextCase> cases;
  for (const Compiler compiler : {Compiler::Clang, Compiler::Era})
    for (const Workload& workload : with_text_by(compiler))
      for (const std::string_view mechanism : {"pdom", "tbc", "its"})
        if ((workload.kind == workloads::Kind::Waits) == (mechanism == "its"))
          cases.push_back({workload, compiler, mechanism});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Workloads, Text, testing::ValuesIn(text_cases()), [](const auto& each) {
  return fmt::format("{}_{}_{}", workloads::name_of(each.param.compiler), each.param.workload.name,
                     each.param.mechanism);
});

}  // namespace
}  // namespace heddle::test::ptx_text_test

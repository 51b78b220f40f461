#include "run/kernel_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace heddle {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kKernels = {"_Z4slowPfi", "_Z4fillPf", "_Z4fillPi", "_Z4scanIfEvPT_i", "plain"};

std::string refusal(std::string_view name, ExitCode code) {
  try {
    kernel_named(name, kKernels, "app.ptx");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "found";
}

TEST(KernelChoice, TakesTheNamesOfTheCompilerAndThoseOfTables) {
  EXPECT_EQ(kernel_named("_Z4slowPfi", kKernels, "app.ptx"), "_Z4slowPfi");
  EXPECT_EQ(kernel_named("slow", kKernels, "app.ptx"), "_Z4slowPfi");
  EXPECT_EQ(kernel_named("scan<float>", kKernels, "app.ptx"), "_Z4scanIfEvPT_i");
  EXPECT_EQ(kernel_named("scan", kKernels, "app.ptx"), "_Z4scanIfEvPT_i");
  EXPECT_EQ(kernel_named("fill(int*)", kKernels, "app.ptx"), "_Z4fillPi");
  EXPECT_EQ(kernel_named("plain", kKernels, "app.ptx"), "plain");
}

TEST(KernelChoice, ListsThoseThatAreMeantAndThoseThereAre) {
  EXPECT_EQ(refusal("fill", ExitCode::Usage),
            "'fill' may be any of 2 kernels of app.ptx; choose one: fill(float*) (_Z4fillPf), fill(int*) (_Z4fillPi)");
  EXPECT_THAT(refusal("slwo", ExitCode::BadProgram), HasSubstr("app.ptx: no kernel 'slwo'; did you mean 'slow'?"));
  EXPECT_THAT(refusal("slwo", ExitCode::BadProgram), HasSubstr("scan<float>(float*, int) (_Z4scanIfEvPT_i), plain)"));
}

}  // namespace
}  // namespace heddle

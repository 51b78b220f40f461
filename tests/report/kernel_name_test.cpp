#include "base/kernel_name.h"

#include <gtest/gtest.h>

#include "report/kernel_names.h"

namespace heddle {
namespace {

// What g++, clang and nvcc make of the declarations on the right.
TEST(KernelName, ReadsAsItWasWritten) {
  EXPECT_EQ(readable_name("_Z7collatzPii"), "collatz");  // void collatz(int*, int)
  EXPECT_EQ(readable_name("_Z3runv"), "run");            // void run()
  EXPECT_EQ(readable_name("_Z6reduceIfLj256ELb1EEvPT_S1_j"), "reduce<float, 256u, true>");
  EXPECT_EQ(readable_name("_ZN5outer5innerIdEEvPT_"), "outer::inner<double>");
  EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_16hiddenEPi"), "hidden");
  EXPECT_EQ(readable_name("_Z5applyIPFffEEvT_Pf"), "apply<float (*)(float)>");  // a function pointer as an argument
}

TEST(KernelName, OfOtherLanguagesStaysWhatItIs) {
  EXPECT_EQ(readable_name("expand_frontier"), "expand_frontier");
  EXPECT_EQ(readable_name("_Znonsense"), "_Znonsense");
  EXPECT_EQ(readable_name(""), "");
}

std::vector<LaunchResult> launches_of(const std::vector<std::string>& kernels) {
  std::vector<LaunchResult> launches;
  for (const std::string& kernel : kernels) launches.emplace_back().stats.kernel = kernel;
  return launches;
}

TEST(KernelName, HasItsParametersWhereOthersDifferInNothingElse) {
  const KernelNames names(launches_of({"_Z4fillPfi", "_Z4fillPii", "_Z4fillPii", "_Z5clearPi"}));
  EXPECT_EQ(names.of("_Z4fillPfi"), "fill(float*, int)");
  EXPECT_EQ(names.of("_Z4fillPii"), "fill(int*, int)");
  EXPECT_EQ(names.of("_Z5clearPi"), "clear");
}

TEST(KernelName, LaunchedTwiceIsStillOne) {
  EXPECT_EQ(KernelNames(launches_of({"_Z4fillPfi", "_Z4fillPfi"})).of("_Z4fillPfi"), "fill");
}

TEST(KernelName, IsCutWhereItIsVeryLong) {
  const std::string name = KernelNames(launches_of({})).of(std::string(100, 'k'));
  EXPECT_EQ(name, std::string(71, 'k') + "…");
}

// void library::detail::sort<library::policy_of_the_machine_at_hand, unsigned int, int>()
TEST(KernelName, LosesItsNamespacesWhereItIsLong) {
  const std::string mangled = "_ZN7library6detail4sortINS_29policy_of_the_machine_at_handEjiEEvv";
  EXPECT_EQ(readable_name(mangled), "library::detail::sort<library::policy_of_the_machine_at_hand, unsigned int, int>");
  EXPECT_EQ(KernelNames(launches_of({mangled})).of(mangled),
            "sort<library::policy_of_the_machine_at_hand, unsigned int, int>");
}

}  // namespace
}  // namespace heddle

// Where era's code has likely-convergence points. Fung and Aamodt (HPCA 2011, section 4) found any that differ from the
// post-dominators in two of their programs only: MUMmerGPU and the ray tracer.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "program/program.h"

namespace heddle::test::likely_points_test {
namespace {

// The workloads of that paper, by its table 1.
constexpr const char* kOfThePaper[] = {"bfs",           "facedetect", "hotspot",   "lps",       "mum", "mumpp",
                                       "namd",          "nvrt",       "aes",       "backprop",  "cp",  "dg",
                                       "heartwall",     "libor",      "leukocyte", "mergesort", "nn",  "ray",
                                       "streamcluster", "storegpu",   "wp"};

bool has_likely_point(const std::string& workload) {
  std::ifstream file(fmt::format("{}/workloads/{}/kernel.era.ptx", HEDDLE_SOURCE, workload));
  std::ostringstream text;
  text << file.rdbuf();
  const auto program = Program::load(std::make_shared<ptx::Source>(workload, text.str()));
  const std::vector<std::string> kernels = program->kernel_names();
  return std::ranges::any_of(kernels, [&](const std::string& kernel) {
    return std::ranges::any_of(program->kernel(kernel)->likely_convergence, [](Pc point) { return point != kNoPc; });
  });
}

TEST(EraCode, HasLikelyConvergencePointsWhereThePaperHadThem) {
  std::vector<std::string> found;
  for (const char* workload : kOfThePaper)
    if (has_likely_point(workload)) found.emplace_back(workload);
  EXPECT_THAT(found, testing::ElementsAre("mum", "nvrt"));
}

}  // namespace
}  // namespace heddle::test::likely_points_test

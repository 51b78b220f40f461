// CUDA programs in the viewer: `view app.cu`, `view -- ./app`.
#include "cli/heddle_program.h"

namespace heddle::runtime {
namespace {

constexpr std::string_view kOddAndEven = R"(#include <cstdio>
template <int kTimes> __global__ void part(int* out) {
  if (threadIdx.x % 2)
    out[threadIdx.x] = kTimes * threadIdx.x;
  else
    for (int i = 0; i < threadIdx.x; ++i) out[threadIdx.x] += i;
}
int main(int count, char** words) {
  int *out, last = 0;
  cudaMalloc(&out, 256);
  cudaMemset(out, 0, 256);
  part<1><<<1, 64>>>(out);
  part<3><<<1, 64>>>(out);
  cudaMemcpy(&last, out + 63, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  return count > 1 ? 7 : 0;
}
)";

class ViewedProgram : public cli::HeddleProgram {
 protected:
  ViewedProgram() { write("app.cu", kOddAndEven); }
};

TEST_F(ViewedProgram, FromItsSourceUnderSeveralMechanismsPrintsOnce) {
  const cli::Ended ended = heddle({"view", "app.cu", "--mechanism", "its,pdom", "--json", "view.json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "189\n");
  const auto json = read_json("view.json"), example = json["examples"][0];
  EXPECT_EQ(json["command"], "heddle view --mechanism its,pdom --preset default -- app.cu");
  EXPECT_EQ(example["title"], "app.cu");
  ASSERT_EQ(example["recordings"].size(), 2U);
  for (const auto& recording : example["recordings"]) EXPECT_EQ(recording["launches"].size(), 2U);
  EXPECT_EQ(example["kernels"][0]["name"], "part<1>");
  EXPECT_EQ(example["kernels"][1]["name"], "part<3>");
  ASSERT_EQ(example["sources"].size(), 1U) << "the text of the source";
  EXPECT_EQ(example["sources"][0]["lines"][2], "  if (threadIdx.x % 2)");
}

TEST_F(ViewedProgram, AsItIsWithArgumentsAndAKernelOfInterest) {
  ASSERT_EQ(heddle({"cc", "app.cu", "-o", "app"}).code, 0);
  const cli::Ended ended = heddle(
      {"view", "--kernel", "part<3>", "--emulate", "--json", "view.json", "-o", "app.html", "--", "./app", "-x"});
  EXPECT_EQ(ended.code, 7) << "the program's own: " << ended.err;
  const auto recording = read_json("view.json")["examples"][0]["recordings"][0];
  EXPECT_EQ(recording["launches"].size(), 1U);
  EXPECT_GT(recording["count"].get<size_t>(), 0U);
  EXPECT_THAT(read("app.html"), testing::HasSubstr("part\\u003c3>"));
}

}  // namespace
}  // namespace heddle::runtime

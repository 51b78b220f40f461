// Profiles of CUDA programs: `exec --profile`, `profile ./app`, `profile app.cu`.
#include "cli/heddle_program.h"

namespace heddle::runtime {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Its first kernel reads words that lie 128 bytes apart, its second neighbouring ones. Line 5 is the load of both.
constexpr std::string_view kSource = R"(#include <cstdio>
#include <cstdlib>
template <int kStride> __global__ void read(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * kStride];
}
int main(int count, char** words) {
  const int n = 4096;
  int *in, *out;
  cudaMalloc(&in, 4 * 32 * n);
  cudaMalloc(&out, 4 * n);
  read<32><<<n / 256, 256>>>(in, out);
  read<1><<<n / 256, 256>>>(in, out);
  printf("%s %d\n", count > 1 ? words[1] : "none", (int)cudaDeviceSynchronize());
  return count > 2 ? atoi(words[2]) : 0;
}
)";

class ProfiledProgram : public cli::HeddleProgram {
 protected:
  ProfiledProgram() { write("app.cu", kSource); }
};

TEST_F(ProfiledProgram, from_its_source_which_is_compiled_and_left_as_it_was) {
  const cli::Ended ended = heddle({"profile", "app.cu", "hello", "--json", path("p.json")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "hello 0\n") << "standard output is the program's";
  EXPECT_THAT(ended.err,
              HasSubstr("the load in line 5 holds: 32.0 lines per access, neighbouring threads are 128 bytes"));
  EXPECT_THAT(ended.err, HasSubstr("app.cu:5"));
  const json profile = read_json("p.json");
  EXPECT_EQ(profile.at("program"), "app.cu");
  EXPECT_THAT(profile.at("command").get<std::string>(), StartsWith("heddle profile "));
  EXPECT_THAT(profile.at("command").get<std::string>(), HasSubstr(" -- app.cu hello"));
  ASSERT_EQ(profile.at("kernels").size(), 2u);
  EXPECT_EQ(profile.at("kernels")[0].at("name"), "read<32>");
  EXPECT_EQ(profile.at("kernels")[0].at("answer").at("line"), 5);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("")), {}), 4) << "app.cu, p.json, what was printed";
}

TEST_F(ProfiledProgram, as_it_is_and_by_exec_are_the_same) {
  ASSERT_EQ(heddle({"cc", "app.cu", "-o", "app"}).code, 0);
  const cli::Ended by_profile = heddle({"profile", "--json", path("a.json"), "--", "./app", "-x", "7"});
  EXPECT_EQ(by_profile.code, 7) << "the program's own exit code";
  EXPECT_EQ(by_profile.out, "-x 0\n");
  const cli::Ended by_exec =
      heddle({"exec", "--profile", "--json", path("b.json"), "--html", path("b.html"), "--", "./app", "-x", "7"});
  EXPECT_EQ(by_exec.code, 7);
  EXPECT_EQ(by_exec.err, by_profile.err);
  EXPECT_EQ(read_json("a.json").at("lines"), read_json("b.json").at("lines"));
  EXPECT_EQ(read_json("b.json").at("schema"), "heddle-profile-1");
  EXPECT_THAT(read_json("b.json").at("command").get<std::string>(), HasSubstr(" --profile -- ./app -x 7"));
  EXPECT_THAT(read("b.html"), HasSubstr("128 bytes apart"));
}

TEST_F(ProfiledProgram, under_other_mechanisms_prints_once) {
  const cli::Ended ended = heddle({"profile", "app.cu", "--emulate", "--what-if", "tbc,its", "--json", path("p.json")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "none 0\n");
  const json others = read_json("p.json").at("what_if");
  ASSERT_EQ(others.size(), 2u);
  EXPECT_EQ(others[1].at("mechanism"), "its");
  EXPECT_EQ(others[1].at("saved").at("slots"), 0) << "it does not diverge";
  EXPECT_THAT(read_json("p.json").at("command").get<std::string>(), HasSubstr("--what-if tbc,its -- app.cu"));
}

TEST_F(ProfiledProgram, options_that_do_not_go_together_are_refused) {
  EXPECT_EQ(heddle({"profile", "bfs", "word"}).code, 2);
  EXPECT_EQ(heddle({"profile", "app.cu", "--grid", "1"}).code, 2);
  EXPECT_EQ(heddle({"profile", "missing.cu"}).code, 2);
  EXPECT_EQ(heddle({"profile", "bfs", "--emulate", "--what-if", "mimd"}).code, 2);
  EXPECT_EQ(heddle({"profile", "bfs", "--emulate", "--what-if", "nobody"}).code, 2);
  EXPECT_EQ(heddle({"exec", "--html", path("x.html"), "--", "./app"}).code, 2) << "--html needs --profile";
  write("broken.cu", "int main() { return nothing; }\n");
  const cli::Ended broken = heddle({"profile", "broken.cu"});
  EXPECT_EQ(broken.code, 3);
  EXPECT_THAT(broken.err, HasSubstr("broken.cu:1"));
}

}  // namespace
}  // namespace heddle::runtime

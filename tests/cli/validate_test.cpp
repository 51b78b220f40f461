// heddle validate from the outside: a small machine beside a small file.
#include "cli/heddle_program.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kGpu =
    "kind,name,kernel,measure,value,least,most\n"
    "device,A GPU,,core_clock,900,,\n"
    "micro,latency.fma.f32,,cycles,4,4,4\n"
    "micro,latency.ex2.f32,,cycles,17,17,17\n"
    "kernel,reduction0,reduce_interleaved,launches,2,,\n"
    "kernel,reduction0,reduce_interleaved,cycles,1000,,\n";

class Validate : public HeddleProgram {
 protected:
  Validate() { write("gpu.csv", kGpu); }
  Ended validate(std::vector<std::string> more) {
    std::vector<std::string> words{"validate", "--hardware", path("gpu.csv"), "--preset", "default",
                                   "--set",    "cores=2",    "--size",        "tiny"};
    words.insert(words.end(), more.begin(), more.end());
    return heddle(words);
  }
};

TEST_F(Validate, SetsAMachineBesideAFile) {
  const Ended ended = validate({"--json", path("v.json"), "--html", path("v.html"), "--markdown", path("v.md")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("latency.fma.f32"));
  EXPECT_THAT(ended.out, HasSubstr("cycles of kernels: mean absolute error"));
  const nlohmann::json json = read_json("v.json");
  EXPECT_EQ(json["schema"], "heddle-validation-1");
  EXPECT_EQ(json["command"], "heddle validate --hardware " + path("gpu.csv") +
                                 " --size tiny --mechanism its --preset default --set cores=2");
  EXPECT_EQ(json["hardware"]["device"], "A GPU");
  EXPECT_EQ(json["micro"].size(), 2U);
  EXPECT_EQ(json["kernels"][0]["workload"], "reduction0");
  EXPECT_GT(json["kernels"][0]["measures"]["cycles"]["simulated"], 0);
  EXPECT_THAT(read("v.html"), HasSubstr("heddle-validation-1"));
  EXPECT_THAT(read("v.md"), HasSubstr("| reduction0 | reduce_interleaved |"));
  EXPECT_EQ(heddle({"report", path("v.json"), "-o", path("again.html")}).code, 0);
  EXPECT_THAT(read("again.html"), HasSubstr("heddle-validation-1"));
}

TEST_F(Validate, TakesNamesAndGroups) {
  const Ended one = validate({"latency.fma.f32"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("latency.fma.f32"));
  EXPECT_THAT(one.out, Not(HasSubstr("latency.ex2.f32")));
  const Ended group = validate({"latency."});
  EXPECT_THAT(group.out, HasSubstr("latency.ex2.f32"));
  EXPECT_THAT(group.out, Not(HasSubstr("reduction0")));
}

TEST_F(Validate, ANameThatWasNotMeasuredIsRefused) {
  const Ended unknown = validate({"latency.", "reduction1"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(unknown.err,
            "heddle: error: nothing called 'reduction1' was measured on A GPU; did you mean 'reduction0'?\n");
  const Ended nothing = validate({"reduction0", "--micro"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_EQ(nothing.err, "heddle: error: " + path("gpu.csv") + " has nothing of what was asked for\n");
}

TEST_F(Validate, AFileThatIsMissingOrWrongIsNamedWithItsLine) {
  const Ended missing = heddle({"validate", "--hardware", path("none.csv")});
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.err, "heddle: error: cannot read " + path("none.csv") + "\n");
  write("gpu.csv", std::string(kGpu) + "micro,l1.latency,,cycles,many,,\n");
  const Ended wrong = validate({});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err, "heddle: error: " + path("gpu.csv") + ":7: 'many' is no number\n");
}

TEST_F(Validate, WhatDoesNotGoTogetherIsRefused) {
  EXPECT_EQ(validate({"--emulate"}).code, 2);
  EXPECT_THAT(validate({"--emulate"}).err, HasSubstr("validate compares cycles, and --emulate has no clock"));
  EXPECT_THAT(validate({"--json", "-", "--markdown", "-"}).err, HasSubstr("only one of --json, --html and --markdown"));
}

TEST_F(Validate, AKernelThatFailsIsNamedAndEndsWithOne) {
  const Ended ended = validate({"reduction0", "--max-cycles", "100", "--json", path("v.json")});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("heddle: error: reduce_interleaved of reduction0: "));
  EXPECT_TRUE(read_json("v.json")["kernels"][0].contains("failure"));
  EXPECT_FALSE(read_json("v.json")["agreement"].contains("cycles"));
}

}  // namespace
}  // namespace heddle::cli

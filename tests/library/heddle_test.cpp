// The C function: what goes in, what comes out, and every way it can go wrong.
#include "library/heddle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace heddle {
namespace {

using testing::HasSubstr;

// out[i] = factor * in[i] for i < n; thread 0 of block 0 says how many.
constexpr const char* kScale = R"(
.version 6.4
.target sm_50
.address_size 64
.global .align 1 .b8 text[10] = {37, 117, 32, 105, 110, 32, 97, 108, 108, 0};
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.visible .entry scale(.param .u64 out, .param .u64 in, .param .f32 factor, .param .u32 n) {
  .local .align 8 .b8 room[8];
  .reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<3>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.f32 %f1, [factor];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p, %r5, %r1;
  @%p bra done;
  mul.wide.u32 %rd3, %r5, 4;
  add.u64 %rd1, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.f32 %f2, [%rd1];
  mul.f32 %f2, %f1, %f2;
  st.global.f32 [%rd2], %f2;
  setp.ne.u32 %p, %r5, 0;
  @%p bra done;
  mov.u64 %rd4, room;
  cvta.local.u64 %rd5, %rd4;
  st.local.u32 [room], %r1;
  mov.u64 %rd6, text;
  cvta.global.u64 %rd7, %rd6;
  {
    .param .b64 p0; .param .b64 p1; .param .b32 r0;
    st.param.b64 [p0], %rd7;
    st.param.b64 [p1], %rd5;
    call.uni (r0), vprintf, (p0, p1);
  }
done:
  ret;
}
)";

// Every thread of the block adds 1 to the same word, without an atomic.
constexpr const char* kRace = R"(
.version 6.4
.target sm_50
.address_size 64
.visible .entry race(.param .u64 sum) {
  .reg .b32 %r; .reg .b64 %rd;
  ld.param.u64 %rd, [sum];
  ld.global.u32 %r, [%rd];
  add.u32 %r, %r, 1;
  st.global.u32 [%rd], %r;
  ret;
}
)";

constexpr const char* kForEver = R"(
.version 6.4
.target sm_50
.address_size 64
.visible .entry round() { again: bra again; }
.visible .entry other() { ret; }
)";

struct Outcome {
  int code = 0;
  std::string error, warnings, printed, json;
  nlohmann::json counters() const { return nlohmann::json::parse(json).at("total"); }
};

Outcome run(const heddle_launch& launch) {
  heddle_result* result = nullptr;
  Outcome outcome;
  outcome.code = heddle_run(&launch, &result);
  outcome.error = heddle_error(result);
  outcome.warnings = heddle_warnings(result);
  outcome.printed = heddle_printed(result);
  outcome.json = heddle_json(result);
  heddle_release(result);
  return outcome;
}

template <class T>
heddle_argument value(T& it) {
  return {HEDDLE_VALUE, &it, sizeof it};
}
template <class T>
heddle_argument buffer(int kind, std::vector<T>& it) {
  return {kind, it.data(), it.size() * sizeof(T)};
}

// scale() of 1000 numbers in blocks of 128.
class Scale {
 public:
  Scale() { std::iota(in.begin(), in.end(), 1.0F); }

  Outcome operator()(std::vector<const char*> options = {}) {
    const heddle_argument arguments[] = {buffer(HEDDLE_OUT, out), buffer(HEDDLE_IN, in), value(factor), value(n)};
    options.push_back(nullptr);
    return run({kScale, "scale", {8, 1, 1}, {128, 1, 1}, 0, arguments, std::size(arguments), options.data()});
  }
  void expect_right() const {
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], factor * in[i]) << i;
  }

  std::vector<float> in = std::vector<float>(1000), out = std::vector<float>(1000, -1);
  float factor = 2.5F;
  unsigned n = 1000;
};

Outcome run_plain(const char* ptx, const char* kernel, std::vector<heddle_argument> arguments = {},
                  std::vector<const char*> options = {}, unsigned threads = 32) {
  options.push_back(nullptr);
  return run({ptx, kernel, {1, 1, 1}, {threads, 1, 1}, 0, arguments.data(), arguments.size(), options.data()});
}

TEST(Library, RunsAKernelAndCounts) {
  Scale scale;
  const Outcome outcome = scale();
  ASSERT_EQ(outcome.code, HEDDLE_OK) << outcome.error;
  scale.expect_right();
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.counters().at("threads"), 8 * 128);
  EXPECT_EQ(nlohmann::json::parse(outcome.json).at("fidelity"), "emulation");
}

TEST(Library, KeepsWhatKernelsPrint) {
  Scale scale;
  testing::internal::CaptureStdout();
  EXPECT_EQ(scale().printed, "1000 in all");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Library, WhatAKernelDoesNotWriteComesBackAsZero) {
  Scale scale;
  scale.n = 10;
  ASSERT_EQ(scale().code, HEDDLE_OK);
  scale.expect_right();
  EXPECT_EQ(scale.out[10], 0);
  EXPECT_EQ(scale.in[10], 11);
}

TEST(Library, BuffersThatOverlapInHostMemoryDoSoOnTheGpu) {
  std::vector<float> data(64, 3);
  float factor = 2;
  unsigned n = 1;
  const std::vector<heddle_argument> arguments = {
      {HEDDLE_IN_OUT, data.data() + 20, 4 * sizeof(float)}, buffer(HEDDLE_IN_OUT, data), value(factor), value(n)};
  const Outcome outcome = run_plain(kScale, nullptr, arguments, {}, 1);
  ASSERT_EQ(outcome.code, HEDDLE_OK) << outcome.error;
  EXPECT_EQ(data[20], 6);
  EXPECT_EQ(std::accumulate(data.begin(), data.end(), 0.0F), 63 * 3 + 6);
}

// Of two buffers now the one lies first in host memory, now the other.
TEST(Library, WhereHostMemoryLiesDoesNotChangeWhatIsMeasured) {
  std::vector<float> data(4096, 1);
  float factor = 2;
  unsigned n = 500;
  const auto measured = [&](size_t out, size_t in) {
    return run_plain(
               kScale, nullptr,
               {{HEDDLE_OUT, data.data() + out, 4000}, {HEDDLE_IN, data.data() + in, 6000}, value(factor), value(n)},
               {"level=cycle"}, 512)
        .counters();
  };
  EXPECT_EQ(measured(0, 2000), measured(2000, 0));
}

TEST(Library, CycleLevelHasCyclesAndTheMachineAskedFor) {
  Scale scale;
  const Outcome slow = scale({"level=cycle", "preset=tbc-hpca11", "mechanism=tbc"});
  ASSERT_EQ(slow.code, HEDDLE_OK) << slow.error;
  scale.expect_right();
  EXPECT_GT(slow.counters().at("cycles"), 0);
  const nlohmann::json json = nlohmann::json::parse(slow.json);
  EXPECT_EQ(json.at("preset"), "tbc-hpca11");
  EXPECT_EQ(json.at("mechanism"), "tbc");
}

TEST(Library, OtherOptionsAreKeysOfTheMachine) {
  Scale scale;
  const uint64_t wide = scale().counters().at("issue_slots"),
                 narrow = scale({"warp_size=16"}).counters().at("issue_slots");
  EXPECT_GT(narrow, wide);
  const Outcome wrong = scale({"warp_siz=16"});
  EXPECT_EQ(wrong.code, HEDDLE_USAGE);
  EXPECT_THAT(wrong.error, HasSubstr("warp_size"));
}

TEST(Library, SaysWhatIsWrongWithOptions) {
  Scale scale;
  for (const auto& [option, part] :
       std::initializer_list<std::pair<const char*, const char*>>{{"level=fast", "cycle or emulate"},
                                                                  {"mechanism", "key=value"},
                                                                  {"mechanism=tbz", "tbc"},
                                                                  {"preset=h100", "h200"},
                                                                  {"check=races", "race"},
                                                                  {"cooperative=1", "true or false"}}) {
    const Outcome outcome = scale({option});
    EXPECT_EQ(outcome.code, HEDDLE_USAGE) << option;
    EXPECT_THAT(outcome.error, HasSubstr(part));
    EXPECT_EQ(outcome.json, "");
  }
}

TEST(Library, SaysWhatIsWrongWithALaunch) {
  EXPECT_EQ(heddle_run(nullptr, nullptr), HEDDLE_USAGE);
  EXPECT_EQ(run_plain(nullptr, "k").code, HEDDLE_USAGE);
  EXPECT_EQ(run_plain("", "k").code, HEDDLE_USAGE);
  EXPECT_EQ(run_plain("no PTX", "k").code, HEDDLE_BAD_PROGRAM);
  EXPECT_EQ(run_plain(kRace, "rice").code, HEDDLE_BAD_PROGRAM);
  EXPECT_EQ(run_plain(kRace, "race").code, HEDDLE_BAD_LAUNCH);  // an argument is missing
  EXPECT_EQ(run_plain(kForEver, nullptr).code, HEDDLE_USAGE);   // which of the two?
  EXPECT_EQ(run_plain(kForEver, "other", {}, {}, 0).code, HEDDLE_USAGE);
  EXPECT_EQ(run_plain(kForEver, "other", {}, {}, 1U << 20).code, HEDDLE_BAD_LAUNCH);
  EXPECT_EQ(run_plain(kForEver, "other").code, HEDDLE_OK);
}

TEST(Library, SaysWhatIsWrongWithAnArgument) {
  uint32_t word = 0;
  for (const heddle_argument& argument : {heddle_argument{4, &word, 4}, heddle_argument{HEDDLE_IN, nullptr, 4},
                                          heddle_argument{HEDDLE_VALUE, &word, 0}}) {
    const Outcome outcome = run_plain(kRace, "race", {argument});
    EXPECT_EQ(outcome.code, HEDDLE_USAGE);
    EXPECT_THAT(outcome.error, HasSubstr("argument 0: "));
  }
}

TEST(Library, AFaultHasItsPlaceAndBuffersComeBack) {
  Scale scale;
  scale.out.resize(200);
  const Outcome outcome = scale({"name=mine.ptx"});
  EXPECT_EQ(outcome.code, HEDDLE_FAULT);
  EXPECT_THAT(outcome.error, HasSubstr("mine.ptx:"));
  EXPECT_THAT(outcome.error, HasSubstr("argument 0"));
  EXPECT_EQ(scale.out[0], 2.5F);
  EXPECT_EQ(nlohmann::json::parse(outcome.json).at("exit_code"), HEDDLE_FAULT);
}

TEST(Library, ANullPointerIsOne) {
  const Outcome outcome = run_plain(kRace, "race", {{HEDDLE_IN, nullptr, 0}});
  EXPECT_EQ(outcome.code, HEDDLE_FAULT);
  EXPECT_THAT(outcome.error, HasSubstr("0x0"));
}

TEST(Library, GivesUpWhatNeverEnds) {
  const Outcome outcome = run_plain(kForEver, "round", {}, {"max_slots=1000"});
  EXPECT_EQ(outcome.code, HEDDLE_DEADLOCK) << outcome.error;
}

TEST(Library, ChecksFind) {
  std::vector<uint32_t> sum(1);
  const auto look = [&](int kind, const char* check) { return run_plain(kRace, "race", {buffer(kind, sum)}, {check}); };
  const Outcome race = look(HEDDLE_IN_OUT, "check=race");
  EXPECT_EQ(race.code, HEDDLE_FOUND);
  EXPECT_THAT(race.error, HasSubstr("kernel.ptx:"));
  EXPECT_EQ(nlohmann::json::parse(race.json).at("exit_code"), HEDDLE_FOUND);
  EXPECT_EQ(look(HEDDLE_OUT, "check=init").code, HEDDLE_FOUND);  // it reads what nobody wrote
  EXPECT_EQ(look(HEDDLE_IN_OUT, "check=init").code, HEDDLE_OK);
}

TEST(Library, CallsOfSeveralThreadsDoNotKnowOfEachOther) {
  std::vector<Scale> scales(8);
  std::vector<Outcome> outcomes(scales.size());
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < scales.size(); ++i)
      threads.emplace_back([&, i] {
        scales[i].factor = static_cast<float>(i);
        outcomes[i] = scales[i]({i % 2 == 0 ? "level=emulate" : "level=cycle"});
      });
  }
  for (size_t i = 0; i < scales.size(); ++i) {
    ASSERT_EQ(outcomes[i].code, HEDDLE_OK) << outcomes[i].error;
    scales[i].expect_right();
    EXPECT_EQ(outcomes[i].counters(), outcomes[i % 2].counters());
    EXPECT_EQ(outcomes[i].printed, "1000 in all");
  }
}

TEST(Library, TheCallersRoundingDoesNotMatterAndStays) {
  Scale nearest, upward;
  nearest.factor = upward.factor = 1.0F / 3;
  ASSERT_EQ(nearest().code, HEDDLE_OK);
  std::fesetround(FE_UPWARD);
  const int code = upward().code, rounding = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(code, HEDDLE_OK);
  EXPECT_EQ(rounding, FE_UPWARD);
  EXPECT_EQ(nearest.out, upward.out);
}

TEST(Library, NothingHasNoTexts) {
  EXPECT_STREQ(heddle_error(nullptr), "");
  EXPECT_STREQ(heddle_json(nullptr), "");
  heddle_release(nullptr);
  EXPECT_STRNE(heddle_version(), "");
}

}  // namespace
}  // namespace heddle

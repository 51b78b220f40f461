// --timeline: what the options do; what is in the files is held by tests/observe.
#include "cli/heddle_program.h"

namespace heddle::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class TimelineFiles : public HeddleProgram {
 protected:
  Ended run_nn(const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "nn", "--size", "tiny", "--preset", "teaching"};
    words.insert(words.end(), more.begin(), more.end());
    return heddle(words);
  }
};

TEST_F(TimelineFiles, AreTraceEventsOrPipelineTextByTheirName) {
  const Ended ended = run_nn({"--timeline", "t.json"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("check passed"));
  EXPECT_GT(read_json("t.json")["traceEvents"].size(), 1000U);
  EXPECT_EQ(run_nn({"--timeline", "t.kanata", "--quiet"}).code, 0);
  EXPECT_TRUE(read("t.kanata").starts_with("Kanata\t0004\nC=\t"));
}

TEST_F(TimelineFiles, GoToStandardOutputAndNothingElseDoes) {
  const Ended ended = run_nn({"--timeline", "-", "--timeline-cycles", "10:20"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(json::parse(ended.out, nullptr, false)["traceEvents"].is_array()) << ended.out.substr(0, 200);
  EXPECT_EQ(run_nn({"--timeline", "-", "--json", "-"}).code, 2);
}

TEST_F(TimelineFiles, EndAfterTheFirstCyclesUnlessOthersAreAskedFor) {
  const Ended ended = heddle({"run", "reduction0", "--size", "tiny", "--preset", "teaching", "--timeline", "t.json"});
  EXPECT_THAT(ended.err,
              HasSubstr("warning: the timeline ends at cycle 100,000 of 173,561; --timeline-cycles FROM:TO"));
  EXPECT_EQ(run_nn({"--timeline", "t.json"}).err, "");
  EXPECT_THAT(run_nn({"--timeline", "t.json", "--timeline-cycles", "5000000:"}).err,
              HasSubstr("warning: the timeline is empty: the run ended at cycle "));
}

TEST_F(TimelineFiles, NeedAClockAFileThatCanBeWrittenAndARange) {
  EXPECT_THAT(run_nn({"--timeline", "t.json", "--emulate"}).err, HasSubstr("does not go with --emulate"));
  EXPECT_THAT(run_nn({"--timeline", "no/such/t.json"}).err, HasSubstr("cannot write 'no/such/t.json'"));
  EXPECT_THAT(run_nn({"--timeline-cycles", "1:2"}).err, HasSubstr("--timeline-cycles needs --timeline FILE"));
  EXPECT_THAT(run_nn({"--timeline", "t.json", "--timeline-cycles", "7"}).err, HasSubstr("'7' is no range of cycles"));
  EXPECT_THAT(run_nn({"--timeline", "t.json", "--timeline-cycles", "7:7"}).err,
              HasSubstr("the range of cycles '7:7' is empty"));
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--timeline", "t.json", "--emulate"}, {"--timeline-cycles", "1:2"}})
    EXPECT_EQ(run_nn(wrong).code, 2);
}

}  // namespace
}  // namespace heddle::cli

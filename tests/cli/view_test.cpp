#include "cli/heddle_program.h"
#include "cli/kernels.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class View : public HeddleProgram {
 protected:
  std::vector<std::string> branch(const std::vector<std::string>& more) {
    write("branch.ptx", kBranch);
    std::vector<std::string> words{"view",  "branch.ptx",  "--grid", "1",        "--block",  "4",
                                   "--set", "warp_size=4", "--arg",  "zeros:16", "--emulate"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(View, WritesOnePageThatFetchesNothing) {
  const Ended ended = heddle(branch({}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  const std::string page = read("view.html");
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("\"heddle-view-1\""));
  EXPECT_THAT(page, HasSubstr("\"schema\""));
  EXPECT_THAT(page, testing::Not(HasSubstr("src=\"http")));
}

TEST_F(View, RecordsEveryMechanismThatIsNamed) {
  const Ended ended = heddle(branch({"--mechanism", "tbc,pdom,its", "--json", "view.json", "--quiet"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto json = read_json("view.json");
  EXPECT_EQ(json["schema"], "heddle-view-1");
  EXPECT_EQ(json["command"],
            "heddle view branch.ptx --grid 1 --block 4 --arg zeros:16 --mechanism tbc,pdom,its --preset default --set "
            "warp_size=4 --emulate");
  const auto& example = json["examples"][0];
  ASSERT_EQ(example["recordings"].size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(example["recordings"][i]["mechanism"], (std::vector{"tbc", "pdom", "its"}[i]));
    EXPECT_EQ(example["recordings"][i]["count"], 11);
    EXPECT_EQ(example["recordings"][i]["timed"], false);
  }
  EXPECT_EQ(example["kernels"][0]["code"][2], "@%p bra LOW;");
  EXPECT_EQ(example["kernels"][0]["blocks"][2][1], "LOW");
}

TEST_F(View, IsOfSizeTinyUnlessToldOtherwise) {
  EXPECT_EQ(heddle({"view", "atm", "--mechanism", "its", "--json", "view.json", "--quiet", "--trace-slots", ":5"}).code,
            0);
  const auto json = read_json("view.json");
  EXPECT_THAT(json["command"].get<std::string>(), HasSubstr("--size tiny"));
  EXPECT_THAT(json["command"].get<std::string>(), HasSubstr("--trace-slots :5"));
  EXPECT_EQ(json["examples"][0]["title"], "atm (tiny)");
}

TEST_F(View, SaysWhatItCutsOffAndWhichOptionsChoose) {
  const Ended ended = heddle(branch({"--events", "3"}));
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.err, HasSubstr("the first 3 of 11 issue slots"));
  EXPECT_THAT(ended.err, HasSubstr("--trace-slots"));
}

TEST_F(View, ShowsARunThatNeverEndsAndEndsAsItDoes) {
  write("spin.ptx", kernel_with("L: bra L;"));
  const Ended ended = heddle({"view", "spin.ptx", "--grid", "1", "--block", "4", "--arg", "zeros:4", "--emulate",
                              "--set", "spin_limit=64", "--json", "view.json"});
  EXPECT_EQ(ended.code, 6) << ended.err;
  EXPECT_THAT(read_json("view.json")["examples"][0]["recordings"][0]["error"].get<std::string>(), HasSubstr("spins"));
  EXPECT_THAT(read("view.html"), HasSubstr("spins"));
}

// The words of the command bring the same page again.
TEST_F(View, NamesTheCommandThatMakesItAgain) {
  EXPECT_EQ(heddle(branch({"--trace-warp", "0", "--events", "5", "--json", "view.json", "--quiet"})).code, 0);
  EXPECT_THAT(read_json("view.json")["command"].get<std::string>(), HasSubstr(" --trace-warp 0 --events 5"));
}

TEST_F(View, HasAGalleryWithEveryMechanism) {
  const Ended ended = heddle({"view", "--gallery", "-o", "gallery.html", "--json", "gallery.json", "--quiet"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const auto examples = read_json("gallery.json")["examples"];
  EXPECT_EQ(examples.size(), 16U);
  for (const auto& example : examples) EXPECT_GT(example["recordings"].size(), 25U);
  EXPECT_EQ(heddle({"view", "--gallery", "bfs"}).code, 2);
}

TEST_F(View, RefusesWhatMakesNoSense) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    const Ended ended = heddle(words);
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.err, HasSubstr(why));
  };
  refused({"view"}, "no program given");
  refused({"view", "bitonic", "--mechanism", "pdom,tcb"}, "no mechanism 'tcb'");
  refused({"view", "bitonic", "--trace-slots", "9"}, "no range of slots");
  refused({"view", "bitonic", "-o", "-", "--json", "-"}, "cannot both be standard output");
  refused({"view", "bitonic", "-o", "no/such/folder/view.html"}, "no/such/folder");
  refused({"view", "bitonic", "word"}, "takes no words");
}

}  // namespace
}  // namespace heddle::cli

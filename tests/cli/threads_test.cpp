// --threads: the same result, and no part of what a run is.
#include "cli/heddle_program.h"

namespace heddle::cli {
namespace {

class Threads : public HeddleProgram {
 protected:
  std::string result_of(const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "histogram", "--size", "tiny", "--json", "r.json"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = heddle(words);
    EXPECT_EQ(ended.code, 0) << ended.err;
    const std::string text = read("r.json");
    return text.substr(0, text.find("\"host\""));
  }
};

TEST_F(Threads, SeveralGiveTheSameBytesAsOneExceptForTheHost) {
  for (const char* preset : {"tbc-hpca11", "h200"}) {
    const std::string one = result_of({"--preset", preset, "--threads", "1"});
    EXPECT_GT(one.size(), 1000U);
    EXPECT_EQ(one, result_of({"--preset", preset, "--threads", "4"})) << preset;
    EXPECT_EQ(one, result_of({"--preset", preset})) << preset << ", as many as there are cores";
  }
}

TEST_F(Threads, AreNoNumberThatIsNone) {
  EXPECT_EQ(heddle({"run", "bfs", "--threads", "many"}).code, 2);
  EXPECT_EQ(heddle({"run", "bfs", "--threads", "-1"}).code, 2);
}

}  // namespace
}  // namespace heddle::cli

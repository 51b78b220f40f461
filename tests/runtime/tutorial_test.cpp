// docs/cuda-programs.md, followed to the letter. Its blocks, by the words behind the fence: `file=NAME` is that file,
// `run` are commands, `expect` is all that the last commands print, on both outputs, but for how long the host took.
#include <fstream>
#include <regex>

#include "cli/heddle_program.h"

namespace heddle::runtime {
namespace {

struct Block {
  std::string head, text;
};

std::vector<Block> blocks_of(const std::string& page) {
  std::ifstream file(page);
  std::vector<Block> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), ""});
    } else if (inside) {
      blocks.back().text += line + '\n';
    }
  }
  return blocks;
}

std::string without_host_time(const std::string& text) {
  return std::regex_replace(text, std::regex(" in [0-9.]+ s: [^\n]*"), "");
}

class Tutorial : public cli::HeddleProgram {
 protected:
  std::string shell(const std::string& commands) {
    const std::string heddle_folder = std::filesystem::path(cli::program()).parent_path().string();
    write("commands.sh", "set -e\ncd '" + path("") + "'\nPATH='" + heddle_folder + "':$PATH\n" + commands);
    const int status = std::system(("bash " + path("commands.sh") + " > " + path("printed") + " 2>&1").c_str());
    EXPECT_EQ(status, 0) << commands << read("printed");
    return read("printed");
  }
};

TEST_F(Tutorial, DoesWhatItSays) {
  const std::vector<Block> blocks = blocks_of(std::string(HEDDLE_SOURCE) + "/docs/cuda-programs.md");
  std::string printed;
  int commands = 0, expectations = 0;
  for (const Block& block : blocks) {
    const size_t file = block.head.find("file=");
    if (file != std::string::npos) {
      write(block.head.substr(file + 5), block.text);
    } else if (block.head.ends_with(" run")) {
      printed = shell(block.text);
      ++commands;
    } else if (block.head == "expect") {
      EXPECT_EQ(without_host_time(printed), without_host_time(block.text));
      ++expectations;
    }
  }
  EXPECT_GE(commands, 3);
  EXPECT_GE(expectations, 2);
}

}  // namespace
}  // namespace heddle::runtime

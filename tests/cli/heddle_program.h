// Runs the real program in a temporary folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

// The heddle of this build, or the one that HEDDLE_PROGRAM names: of a build with sanitizers.
std::string program();

struct Ended {
  int code = -1;  // exit code, or -signal
  std::string out, err;
};

class HeddleProgram : public testing::Test {
 protected:
  HeddleProgram();
  ~HeddleProgram() override;

  Ended heddle(const std::vector<std::string>& arguments);
  pid_t start(const std::vector<std::string>& arguments);  // output goes to files of the folder
  Ended finish(pid_t pid);

  // Waits for an event, however long that takes: false only if the program has ended without it.
  static bool wait_until(pid_t pid, const std::function<bool()>& event);
  static bool catches_interrupts(pid_t pid);  // by now

  std::string path(std::string_view name) const { return (folder_ / name).string(); }
  void write(std::string_view name, std::string_view text) const;
  std::string read(std::string_view name) const;
  nlohmann::json read_json(std::string_view name) const { return nlohmann::json::parse(read(name)); }

  template <class T>
  void write_values(std::string_view name, const std::vector<T>& values) const {
    write(name, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  template <class T>
  std::vector<T> read_values(std::string_view name) const {
    const std::string bytes = read(name);
    std::vector<T> values(bytes.size() / sizeof(T));
    bytes.copy(reinterpret_cast<char*>(values.data()), values.size() * sizeof(T));
    return values;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace heddle::cli

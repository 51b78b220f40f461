// The text of source files that kernels were made from: of workloads they are part of the program, of others they are
// read where .file says, or beside the PTX.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class SourceTexts {
 public:
  // `program` is a workload's name, or the path of a PTX file.
  explicit SourceTexts(std::string program) : program_(std::move(program)) {}

  // Its lines; none if the text is not to be had.
  const std::vector<std::string>& lines(const std::string& file);
  bool has(const std::string& file) { return !lines(file).empty(); }
  void add(const std::string& file, std::string_view text);  // the text is known; nothing if it was before

 private:
  std::string program_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle

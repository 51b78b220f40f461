// Where --json, --sample-file, --timeline, --html and reports go. Tried before the run, so that a path that cannot be
// written fails at once; what the file held before stays until there is something to write, and a run that is killed
// leaves no empty one.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace heddle::cli {

class OutputFile {
 public:
  // "" is none. "-" is standard output: all else that would go there goes to standard error from then on.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool wanted() const { return !path_.empty(); }
  bool to_stdout() const { return path_ == "-"; }
  void write(const std::string& text);
  void write(const nlohmann::ordered_json& json);
  // Of what is written as it comes, from the beginning of the file; what it held before is gone.
  std::FILE* stream();
  void close_stream();  // Error (Usage) if something could not be written

 private:
  void begin();

  std::string path_;
  std::string place_;  // that nobody else may write to; "": several may
  int file_ = -1;
  std::FILE* stream_ = nullptr;
};

}  // namespace heddle::cli

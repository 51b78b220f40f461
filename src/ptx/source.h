// PTX text with its name, and how an error points into it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace heddle::ptx {

struct Place {
  uint32_t line = 0, column = 0;  // from 1; 0 where there is none
};

class Source {
 public:
  Source(std::string name, std::string text);
  static std::shared_ptr<const Source> from_file(const std::string& path);  // Error (Usage) if unreadable

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view line(uint32_t number) const;
  std::string at(Place) const;  // "file.ptx:12:5"

  // name:line:column: error: message \n the line \n caret
  std::string describe(Place, const std::string& message) const;
  Error error(Place, const std::string& message) const;  // ExitCode::BadProgram

 private:
  std::string name_, text_;
  std::vector<uint32_t> line_starts_;
};

}  // namespace heddle::ptx

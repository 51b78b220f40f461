#include "report/painted.h"

#include <algorithm>
#include <string_view>

#include "base/terminal.h"

namespace heddle {
namespace {

struct Paint {
  std::string_view text;
  std::string (*colour)(std::string_view, std::FILE*);
};

// What a line may begin with, and what it may end with.
constexpr Paint kBegins[] = {{"warning:", &yellow}, {"check passed", &green}, {"check FAILED", &red}};
constexpr Paint kEnds[] = {{" passed", &green},        {" FAILED", &red},         {" refused", &yellow},
                           {" deadlock", &red},        {" interrupted", &yellow}, {" fault", &red},
                           {" does not fit", &yellow}, {" holds", &green},        {" holds in direction", &yellow},
                           {" does not hold", &red}};

std::string painted_line(std::string_view line, std::FILE* stream) {
  for (const Paint& each : kBegins)
    if (line.starts_with(each.text)) return each.colour(each.text, stream) + std::string(line.substr(each.text.size()));
  for (const Paint& each : kEnds)
    if (line.ends_with(each.text)) {
      const std::string_view before = line.substr(0, line.size() - each.text.size());
      return std::string(before) + ' ' + each.colour(each.text.substr(1), stream);
    }
  return std::string(line);
}

}  // namespace

std::string painted(const std::string& text, std::FILE* stream) {
  if (!has_colours(stream)) return text;
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    result += painted_line(std::string_view(text).substr(at, end - at), stream);
    if (end < text.size()) result += '\n';
    at = end + 1;
  }
  return result;
}

}  // namespace heddle

#include "ptx/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace heddle::ptx {
namespace {

constexpr size_t max_text = size_t{1} << 30;  // places are 32-bit
constexpr uint32_t max_shown = 160;           // characters of a line that an error shows

std::vector<uint32_t> find_line_starts(std::string_view text) {
  std::vector<uint32_t> starts{0};
  const char* begin = text.data();
  const char* end = begin + text.size();
  for (const char* at = begin; at < end;) {
    const void* newline = std::memchr(at, '\n', static_cast<size_t>(end - at));
    if (newline == nullptr) break;
    at = static_cast<const char*>(newline) + 1;
    starts.push_back(static_cast<uint32_t>(at - begin));
  }
  return starts;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < ' ' && c != '\t') || byte == 127;
}

Error unreadable(const std::string& path, const std::string& why) {
  return Error(ExitCode::Usage, fmt::format("cannot read '{}': {}", path, why));
}

}  // namespace

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  if (text_.size() > max_text)
    throw Error(ExitCode::BadProgram, fmt::format("{}: error: PTX text of more than 1 GiB", name_));
  line_starts_ = find_line_starts(text_);
}

std::shared_ptr<const Source> Source::from_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw unreadable(path, std::strerror(errno));
  std::string text;
  char buffer[1 << 16];
  size_t got = 0;
  while (text.size() <= max_text && (got = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, got);
  const int failure = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (failure != 0) throw unreadable(path, std::strerror(failure));
  return std::make_shared<Source>(path, std::move(text));
}

std::string_view Source::line(uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  const size_t begin = line_starts_[number - 1];
  size_t end = number < line_starts_.size() ? line_starts_[number] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::string Source::at(Place place) const {
  if (place.line == 0) return name_;
  return fmt::format("{}:{}:{}", name_, place.line, place.column);
}

std::string Source::describe(Place place, const std::string& message) const {
  std::string result = fmt::format("{}: error: {}", at(place), message);
  if (place.line == 0) return result;
  std::string_view shown = line(place.line);
  size_t caret = std::min<size_t>(place.column > 0 ? place.column - 1 : 0, shown.size());
  if (caret > max_shown / 2 && shown.size() > max_shown) {  // a very long line: the part around the place
    shown.remove_prefix(caret - max_shown / 2);
    caret = max_shown / 2;
  }
  result += '\n';
  for (char c : shown.substr(0, max_shown)) result += is_control(c) ? '?' : c;
  result += '\n';
  for (char c : shown.substr(0, caret)) result += c == '\t' ? '\t' : ' ';
  return result + '^';
}

Error Source::error(Place place, const std::string& message) const {
  return Error(ExitCode::BadProgram, describe(place, message));
}

}  // namespace heddle::ptx

#include "report/profile/source_text.h"

#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>

#include "base/embedded_text.h"

namespace heddle {

std::span<const EmbeddedText> workload_sources();  // generated: tools/embed_texts.cmake

namespace {

constexpr uintmax_t kLargestSource = 4U << 20U;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::string embedded_source(const std::string& name) {
  for (const EmbeddedText& file : workload_sources())
    if (file.file == name) return std::string(file.text);
  return "";
}

std::string text_of_file(const std::filesystem::path& path) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem) || std::filesystem::file_size(path, problem) > kLargestSource)
    return "";
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

void SourceTexts::add(const std::string& file, std::string_view text) {
  if (const auto [entry, fresh] = files_.try_emplace(file); fresh) entry->second = split(std::string(text));
}

const std::vector<std::string>& SourceTexts::lines(const std::string& file) {
  const auto [entry, fresh] = files_.try_emplace(file);
  if (!fresh) return entry->second;
  const std::filesystem::path name = std::filesystem::path(file).filename();
  const bool workload = !embedded_source(program_ + "/kernel.cu").empty();
  std::string text = workload ? embedded_source(program_ + "/" + name.string()) : text_of_file(file);
  if (text.empty() && !workload) text = text_of_file(std::filesystem::path(program_).parent_path() / name);
  entry->second = split(text);
  return entry->second;
}

}  // namespace heddle

#include "report/markdown.h"

#include <fmt/format.h>

namespace heddle {
namespace {

std::string markdown_cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

}  // namespace

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& each : cells) text += fmt::format(" {} |", markdown_cell(each));
  return text + "\n";
}

std::string markdown_head(const std::vector<std::string>& headings) {
  std::string text = markdown_row(headings) + "|";
  for (size_t i = 0; i < headings.size(); ++i) text += "---|";
  return text + "\n";
}

}  // namespace heddle

#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "base/terminal.h"

namespace heddle {
namespace {

// Columns on the screen: continuation bytes of UTF-8 take none.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// Lines of at most so many columns, split at spaces; a longer word has a line to itself.
std::vector<std::string> folded(const std::string& text, size_t columns) {
  std::vector<std::string> lines = {""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (width_of(line) + 1 + width_of(word) <= columns)
      line += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<size_t>& widths) const {
  std::string text;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const std::string padding(widths[i] - std::min(widths[i], width_of(cells[i])), ' ');
    if (i > 0) text += "  ";
    text += columns_[i].right ? padding + cells[i] : cells[i] + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::vector<size_t> Table::widths() const {
  std::vector<size_t> widths;
  for (const Column& column : columns_) widths.push_back(width_of(column.heading));
  for (const auto& row : rows_)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  return widths;
}

std::string Table::text(size_t width) const {
  std::vector<size_t> widths = this->widths();
  const size_t before = std::accumulate(widths.begin(), widths.end() - 1, 2 * (widths.size() - 1));
  widths.back() = std::min(widths.back(), std::max(width_of(columns_.back().heading), width - std::min(width, before)));
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  std::string text = line(headings, widths);
  if (has_colours(stdout)) text = bold(text.substr(0, text.size() - 1), stdout) + "\n";
  for (std::vector<std::string> row : rows_) {
    if (row.empty()) {
      text += fmt::format("{:-<{}}\n", "", before + widths.back());
    } else if (width_of(row.back()) <= widths.back()) {
      text += line(row, widths);
    } else {
      for (const std::string& piece : folded(row.back(), widths.back())) {
        row.back() = piece;
        text += line(row, widths);
        row.assign(row.size(), "");
      }
    }
  }
  return text;
}

std::string grouped(uint64_t number) {
  std::string text;
  const std::string digits = std::to_string(number);
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

std::string bytes_text(double bytes) {
  if (bytes < 1000) return fmt::format("{:.0f} B", bytes);
  std::string_view unit = "kMGT";
  for (bytes /= 1000; bytes >= 1000 && unit.size() > 1; bytes /= 1000) unit.remove_prefix(1);
  return fmt::format("{:.{}f} {}B", bytes, bytes < 10 ? 2 : bytes < 100 ? 1 : 0, unit[0]);
}

}  // namespace heddle

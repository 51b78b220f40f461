#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

// Columns on the screen: continuation bytes of UTF-8 take none.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<size_t>& widths) const {
  std::string text;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const std::string padding(widths[i] - width_of(cells[i]), ' ');
    if (i > 0) text += "  ";
    text += columns_[i].right ? padding + cells[i] : cells[i] + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string Table::text() const {
  std::vector<std::string> headings;
  std::vector<size_t> widths;
  for (const Column& column : columns_) {
    headings.push_back(column.heading);
    widths.push_back(width_of(column.heading));
  }
  for (const auto& row : rows_)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  size_t total = 2 * (widths.size() - 1);
  for (size_t width : widths) total += width;
  std::string text = line(headings, widths);
  for (const auto& row : rows_) text += row.empty() ? fmt::format("{:-<{}}\n", "", total) : line(row, widths);
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

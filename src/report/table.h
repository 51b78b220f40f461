// Tables for the terminal: columns as wide as their widest cell, numbers to the right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

class Table {
 public:
  struct Column {
    std::string heading;
    bool right = true;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells);  // missing cells are empty
  void rule() { rows_.emplace_back(); }
  // With a width, what does not fit into the last column goes on in lines below, split between words.
  std::string text(size_t width = SIZE_MAX) const;

 private:
  std::vector<size_t> widths() const;
  std::string line(const std::vector<std::string>& cells, const std::vector<size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
};

std::string grouped(uint64_t number);  // 1234567 -> "1,234,567"
std::string percent(double fraction);  // 0.4567 -> "45.7 %"
std::string bytes_text(double bytes);  // 1234567 -> "1.23 MB"

}  // namespace heddle

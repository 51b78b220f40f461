#include "validation/hardware_data.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>

#include "base/embedded_text.h"
#include "base/error.h"

namespace heddle {

std::span<const EmbeddedText> hardware_texts();  // tools/embed_texts.cmake

namespace {

constexpr std::string_view kHead = "kind,name,kernel,measure,value,least,most";
constexpr size_t kColumns = 7;

class CsvReader {
 public:
  CsvReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  // The cells of the next line; false at the end.
  bool next(std::vector<std::string_view>& cells) {
    if (text_.empty()) return false;
    std::string_view line = text_.substr(0, text_.find('\n'));
    text_.remove_prefix(std::min(text_.size(), line.size() + 1));
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    cells.clear();
    for (;;) {
      const size_t comma = line.find(',');
      cells.push_back(line.substr(0, comma));
      if (comma == std::string_view::npos) return true;
      line.remove_prefix(comma + 1);
    }
  }

  double value(std::string_view cell) const {
    double number = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (error != std::errc() || end != cell.data() + cell.size()) refuse(fmt::format("'{}' is no number", cell));
    return number;
  }
  double value_or(std::string_view cell, double other) const { return cell.empty() ? other : value(cell); }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ExitCode::Usage, fmt::format("{}:{}: {}", name_, number_, what));
  }

 private:
  std::string_view text_, name_;
  size_t number_ = 0;
};

void add_kernel(HardwareData& data, const CsvReader& reader, const std::vector<std::string_view>& cells) {
  if (data.kernels.empty() || data.kernels.back().workload != cells[1] || data.kernels.back().name != cells[2])
    data.kernels.push_back({std::string(cells[1]), std::string(cells[2]), {}});
  HardwareData::Kernel& kernel = data.kernels.back();
  const double value = reader.value(cells[4]);
  kernel.values.emplace(cells[3], value);
  if (cells[3] != "cycles") return;
  kernel.least_cycles = reader.value_or(cells[5], value);
  kernel.most_cycles = reader.value_or(cells[6], value);
}

void add(HardwareData& data, const CsvReader& reader, const std::vector<std::string_view>& cells) {
  if (cells.size() != kColumns) reader.refuse(fmt::format("a row has {} cells, not {}", kColumns, cells.size()));
  if (cells[0] == "device") {
    data.device = cells[1];
    if (cells[3] == "core_clock") data.core_clock = static_cast<unsigned>(reader.value(cells[4]));
  } else if (cells[0] == "micro") {
    const double value = reader.value(cells[4]);
    data.micro.push_back({std::string(cells[1]), std::string(cells[3]), value, reader.value_or(cells[5], value),
                          reader.value_or(cells[6], value)});
  } else if (cells[0] == "kernel") {
    add_kernel(data, reader, cells);
  } else {
    reader.refuse(fmt::format("a row is of a device, micro or kernel, not '{}'", cells[0]));
  }
}

std::optional<std::string_view> built_in(std::string_view name) {
  for (const EmbeddedText& file : hardware_texts())
    if (file.file.substr(0, file.file.rfind('.')) == name) return file.text;
  return std::nullopt;
}

}  // namespace

HardwareData hardware_data_of(std::string_view text, std::string_view name) {
  CsvReader reader(text, name);
  std::vector<std::string_view> cells;
  if (!text.starts_with(kHead)) throw Error(ExitCode::Usage, fmt::format("{}:1: must be {}", name, kHead));
  reader.next(cells);
  HardwareData data;
  while (reader.next(cells)) add(data, reader, cells);
  if (data.core_clock == 0)
    throw Error(ExitCode::Usage, fmt::format("{}: no row says the clock (device,NAME,,core_clock,MHZ,,)", name));
  return data;
}

HardwareData read_hardware_data(const std::string& file_or_name) {
  if (const auto text = built_in(file_or_name)) return hardware_data_of(*text, file_or_name);
  std::ifstream file(file_or_name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw Error(ExitCode::Usage, fmt::format("cannot read {}", file_or_name));
  return hardware_data_of(text, file_or_name);
}

}  // namespace heddle

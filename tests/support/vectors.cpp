#include "support/vectors.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace heddle::test {
namespace {

size_t bytes_of_type(const std::string& type) {
  if (type == "pred") return 1;
  if (type.ends_with("8")) return 1;
  if (type.ends_with("64")) return 8;
  if (type.ends_with("32") || type == "f16x2" || type == "bf16x2" || type == "u16x2" || type == "s16x2") return 4;
  return 2;  // *16, e4m3x2, e5m2x2
}

std::vector<Field> fields_of(const std::string& text) {
  std::vector<Field> fields;
  size_t offset = 0;
  for (const std::string& item : split(text, ',')) {
    const auto parts = split(item, ':');
    Field field{parts[0], parts[1], 0, bytes_of_type(parts[1])};
    offset = (offset + field.bytes - 1) / field.bytes * field.bytes;
    field.offset = offset;
    offset += field.bytes;
    fields.push_back(field);
  }
  return fields;
}

Dim3 dim_of(const std::string& text) {
  const auto parts = split(text, ',');
  const auto number = [&](size_t i) { return static_cast<uint32_t>(std::stoul(parts.at(i))); };
  return {number(0), number(1), number(2)};
}

std::vector<std::byte> bytes_of_hex(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

VectorCase case_of(const std::map<std::string, std::string>& column) {
  const auto number = [&](const char* name) { return static_cast<size_t>(std::stoull(column.at(name))); };
  VectorCase c;
  c.id = column.at("id");
  c.kind = column.at("class");
  c.family = column.at("family");
  c.variant = column.at("variant");
  c.module = column.at("module");
  c.kernel = column.at("kernel");
  c.body = column.at("body");
  c.n = static_cast<uint32_t>(number("n"));
  c.shared = static_cast<uint32_t>(number("dynsmem"));
  c.grid = dim_of(column.at("grid"));
  c.block = dim_of(column.at("block"));
  c.inputs = fields_of(column.at("in_types"));
  c.outputs = fields_of(column.at("out_types"));
  c.in_stride = number("in_stride");
  c.in_offset = number("in_off");
  c.in_bytes = number("in_size");
  c.out_stride = number("out_stride");
  c.out_offset = number("out_off");
  c.out_bytes = number("out_size");
  if (column.at("xparams") != "-")
    for (const std::string& parameter : split(column.at("xparams"), ';'))
      c.extra_parameters.push_back(bytes_of_hex(split(parameter, ':').at(2)));
  return c;
}

// The bits as an integer that grows with the value.
int64_t ordered(uint64_t bits, unsigned width) {
  const uint64_t sign = uint64_t{1} << (width - 1);
  return bits & sign ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  std::stringstream stream(text);
  while (std::getline(stream, part, separator)) parts.push_back(part);
  return parts;
}

VectorSet::VectorSet(const std::string& folder)
    : folder_(folder), inputs_(read_file(folder + "/inputs.bin")), outputs_(read_file(folder + "/outputs.bin")) {
  std::ifstream index(folder + "/index.tsv");
  std::vector<std::string> names;
  for (std::string line; std::getline(index, line);) {
    const auto cells = split(line, '\t');
    if (line.starts_with('#')) {
      names = cells;
      names[0].erase(0, 1);
      continue;
    }
    std::map<std::string, std::string> column;
    for (size_t i = 0; i < names.size() && i < cells.size(); ++i) column[names[i]] = cells[i];
    cases_.push_back(case_of(column));
  }
}

uint64_t bits_at(const std::byte* record, const Field& field) {
  uint64_t bits = 0;
  std::memcpy(&bits, record + field.offset, field.bytes);
  return bits;
}

bool is_nan(uint64_t bits, const std::string& type) {
  if (type == "f16") return (bits & 0x7fff) > 0x7c00;
  if (type == "bf16") return (bits & 0x7fff) > 0x7f80;
  if (type == "f32") return (bits & 0x7fffffff) > 0x7f800000;
  if (type == "f64") return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  return false;
}

bool same_value(uint64_t a, uint64_t b, const std::string& type) {
  if (a == b) return true;
  if (type.ends_with("16x2") && type.find('f') != std::string::npos) {
    const std::string half = type.substr(0, type.size() - 2);
    return same_value(a & 0xffff, b & 0xffff, half) && same_value(a >> 16, b >> 16, half);
  }
  return is_nan(a, type) && is_nan(b, type);
}

double value_of(uint64_t bits, const std::string& type) {
  if (type == "f64") {
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
  }
  if (type == "f16") {
    const double sign = bits & 0x8000 ? -1 : 1;
    const auto exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<double>(bits & 0x3ff);
    if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
  }
  const auto word = static_cast<uint32_t>(type == "bf16" ? bits << 16 : bits);
  float value;
  std::memcpy(&value, &word, 4);
  return value;
}

uint64_t ulp_distance(uint64_t a, uint64_t b, const std::string& type) {
  const auto width = static_cast<unsigned>(8 * bytes_of_type(type));
  const int64_t x = ordered(a, width), y = ordered(b, width);
  return x > y ? static_cast<uint64_t>(x) - static_cast<uint64_t>(y)
               : static_cast<uint64_t>(y) - static_cast<uint64_t>(x);
}

}  // namespace heddle::test

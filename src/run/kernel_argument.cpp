#include "run/kernel_argument.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "base/error.h"
#include "base/nearest.h"
#include "exec/numeric/half.h"

namespace heddle {
namespace {

constexpr uint64_t kLargestBuffer = uint64_t{1} << 36;

Error bad(std::string_view text, const std::string& why) {
  return Error(ExitCode::Usage, fmt::format("--arg {}: {}", text, why));
}

// The whole text as a number; hexadecimal with 0x.
bool parse_unsigned(std::string_view text, uint64_t& value) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, hex ? 16 : 10);
  return error == std::errc{} && stop == end && !text.empty();
}

template <class T>
std::vector<std::byte> as_bytes(const T& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  return {begin, begin + sizeof(T)};
}

// Hexadecimal gives the bits, so that s32:0xffffffff is -1.
template <class T>
std::vector<std::byte> integer(std::string_view all, std::string_view text) {
  using Limits = std::numeric_limits<T>;
  const bool negative = Limits::is_signed && text.starts_with('-');
  const std::string_view digits = negative ? text.substr(1) : text;
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  uint64_t magnitude = 0;
  const uint64_t largest = static_cast<uint64_t>(Limits::max());
  const uint64_t allowed =
      hex && !negative ? std::numeric_limits<std::make_unsigned_t<T>>::max() : largest + (negative ? 1 : 0);
  if (!parse_unsigned(digits, magnitude) || magnitude > allowed)
    throw bad(all, fmt::format("expected a number from {} to {}", +Limits::min(), +Limits::max()));
  return as_bytes(static_cast<T>(negative ? 0 - magnitude : magnitude));
}

// Bits as PTX writes them: 0f or 0d and all the digits.
template <class Bits>
bool float_bits(std::string_view text, char letter, Bits& bits) {
  if (text.size() != 2 + 2 * sizeof(Bits) || text[0] != '0' || (text[1] | 0x20) != letter) return false;
  const auto [stop, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
  return error == std::errc{} && stop == text.data() + text.size();
}

double decimal(std::string_view all, std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  const bool hex_integer =
      copy.find_first_of("xX") != std::string::npos && copy.find_first_of("pP") == std::string::npos;
  if (copy.empty() || *end != 0 || hex_integer || copy.front() == ' ')
    throw bad(all, "expected a number such as 1.5, 1e-3, nan, 0x1.8p0, or bits: 0f3FC00000 for f32, 0d… for f64");
  return value;
}

std::vector<std::byte> f32(std::string_view all, std::string_view text) {
  uint32_t bits = 0;
  if (float_bits(text, 'f', bits)) return as_bytes(bits);
  decimal(all, text);
  return as_bytes(std::strtof(std::string(text).c_str(), nullptr));  // rounded once
}

std::vector<std::byte> f64(std::string_view all, std::string_view text) {
  uint64_t bits = 0;
  if (float_bits(text, 'd', bits)) return as_bytes(bits);
  return as_bytes(decimal(all, text));
}

template <class Half>
std::vector<std::byte> half(std::string_view all, std::string_view text) {
  return as_bytes(numeric::narrow<Half>(decimal(all, text)).bits);
}

std::vector<std::byte> hex_bytes(std::string_view all, std::string_view text) {
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    uint8_t value = 0;
    const char* end = text.data() + std::min(i + 2, text.size());
    const auto [stop, error] = std::from_chars(text.data() + i, end, value, 16);
    if (i + 2 > text.size() || error != std::errc{} || stop != end)
      throw bad(all, "expected an even number of hexadecimal digits");
    bytes.push_back(static_cast<std::byte>(value));
  }
  if (bytes.empty()) throw bad(all, "expected hexadecimal digits");
  return bytes;
}

uint64_t buffer_size(std::string_view all, std::string_view text) {
  uint64_t count = 0;
  if (!parse_unsigned(text, count) || count > kLargestBuffer)
    throw bad(all, fmt::format("expected a number of bytes, at most {}", kLargestBuffer));
  return count;
}

std::vector<std::byte> contents(std::string_view all, std::string_view text) {
  std::ifstream file{std::string(text), std::ios::binary};
  std::vector<char> read;
  if (file) read.assign(std::istreambuf_iterator<char>(file), {});
  if (!file || file.bad()) throw bad(all, fmt::format("cannot read '{}'", text));
  const auto* begin = reinterpret_cast<const std::byte*>(read.data());
  return {begin, begin + read.size()};
}

struct Form {
  std::string_view name;
  std::vector<std::byte> (*parse)(std::string_view all, std::string_view text);
  bool is_buffer = false;  // without parse: of zeros
};
constexpr Form kForms[] = {
    {"u8", &integer<uint8_t>},
    {"s8", &integer<int8_t>},
    {"u16", &integer<uint16_t>},
    {"s16", &integer<int16_t>},
    {"u32", &integer<uint32_t>},
    {"s32", &integer<int32_t>},
    {"u64", &integer<uint64_t>},
    {"s64", &integer<int64_t>},
    {"f16", &half<numeric::F16>},
    {"bf16", &half<numeric::Bf16>},
    {"f32", &f32},
    {"f64", &f64},
    {"bytes", &hex_bytes},
    {"zeros", nullptr, true},
    {"file", &contents, true},
};

}  // namespace

KernelArgument parse_argument(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::vector<std::string_view> names;
  for (const Form& form : kForms) {
    names.push_back(form.name);
    if (form.name != name || colon == std::string_view::npos) continue;
    KernelArgument argument;
    std::string_view value = text.substr(colon + 1);
    argument.is_buffer = form.is_buffer;
    if (const size_t at = value.rfind('@'); form.is_buffer && at != std::string_view::npos) {
      argument.write_back = value.substr(at + 1);
      if (argument.write_back.empty()) throw bad(text, "expected a file name behind @");
      value = value.substr(0, at);
    }
    if (form.parse) argument.bytes = form.parse(text, value);
    argument.buffer_bytes = form.parse ? argument.bytes.size() : buffer_size(text, value);
    return argument;
  }
  throw bad(text, fmt::format("expected KIND:VALUE with a kind of {}{}", joined(names), did_you_mean(name, names)));
}

Dim3 parse_dimensions(std::string_view option, std::string_view text) {
  uint32_t sizes[3] = {1, 1, 1};
  std::string_view rest = text;
  for (uint32_t& size : sizes) {
    const size_t comma = std::min(rest.find(','), rest.size());
    uint64_t value = 0;
    if (!parse_unsigned(rest.substr(0, comma), value) || value == 0 || value > UINT32_MAX) break;
    size = static_cast<uint32_t>(value);
    if (comma == rest.size()) return {sizes[0], sizes[1], sizes[2]};
    rest.remove_prefix(comma + 1);
  }
  throw Error(ExitCode::Usage, fmt::format("{} {}: expected X, X,Y or X,Y,Z with numbers above 0", option, text));
}

WrittenArguments::WrittenArguments(std::span<const std::string> texts) {
  for (const std::string& text : texts) arguments_.push_back(parse_argument(text));
}

Arguments WrittenArguments::place(Gpu& gpu) {
  Arguments values;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const std::vector<std::byte>& bytes = arguments_[i].bytes;
    Address address = 0;
    if (arguments_[i].is_buffer) {
      address = gpu.allocate(arguments_[i].buffer_bytes, fmt::format("argument {}", i));
      gpu.write(address, bytes.data(), bytes.size());
      values.add(&address, sizeof address);
    } else {
      values.add(bytes.data(), bytes.size());
    }
    addresses_.push_back(address);
  }
  return values;
}

void WrittenArguments::write_back(Gpu& gpu) {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const std::string& path = arguments_[i].write_back;
    if (path.empty()) continue;
    std::vector<char> bytes(arguments_[i].buffer_bytes);
    gpu.read(bytes.data(), addresses_[i], bytes.size());
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
    if (!file) throw Error(ExitCode::Usage, fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  }
}

}  // namespace heddle

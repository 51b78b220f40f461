#include "ptx/literal.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>

namespace heddle::ptx {
namespace {

using Kind = Immediate::Kind;

double to_double(const Immediate& x) {
  switch (x.kind) {
    case Kind::Integer:
      return x.is_unsigned ? static_cast<double>(x.bits) : static_cast<double>(static_cast<int64_t>(x.bits));
    case Kind::F32Bits: return std::bit_cast<float>(static_cast<uint32_t>(x.bits));
    case Kind::F64Bits:
    case Kind::Decimal: return std::bit_cast<double>(x.bits);
  }
  return 0;
}

Immediate decimal(double value) { return {Kind::Decimal, std::bit_cast<uint64_t>(value), false}; }

// 0f3F800000, 0d3FF0000000000000: exactly so many hexadecimal digits.
Immediate float_bits(const Token& token, const Source& source, Kind kind, size_t digits) {
  const std::string_view text = token.text.substr(2);
  uint64_t bits = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (text.size() != digits || failure != std::errc() || end != token.end())
    throw source.error(token.place, fmt::format("expected {} hexadecimal digits after '{}', found '{}'", digits,
                                                token.text.substr(0, 2), text));
  return {kind, bits, false};
}

Immediate decimal_float(const Token& token, const Source& source) {
  double value = 0;
  const auto [end, failure] = std::from_chars(token.text.data(), token.end(), value);
  if (failure == std::errc::result_out_of_range)
    throw source.error(token.place, fmt::format("{} does not fit f64", describe(token)));
  if (failure != std::errc() || end != token.end())
    throw source.error(token.place, fmt::format("expected a number, found {}", describe(token)));
  return decimal(value);
}

Immediate integer_in_base(const Token& token, const Source& source, std::string_view digits, int base) {
  Immediate result;
  if (!digits.empty() && digits.back() == 'U') {
    result.is_unsigned = true;
    digits.remove_suffix(1);
  }
  const char* const last = digits.data() + digits.size();
  const auto [end, failure] = std::from_chars(digits.data(), last, result.bits, base);
  if (failure == std::errc::result_out_of_range)
    throw source.error(token.place, fmt::format("{} does not fit 64 bits", describe(token)));
  if (failure != std::errc() || end != last)
    throw source.error(token.place, fmt::format("expected a number in base {}, found {}", base, describe(token)));
  if (result.bits > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) result.is_unsigned = true;
  return result;
}

Immediate truth(bool value) { return integer(value ? 1 : 0); }

template <typename T>
std::optional<Immediate> compare(uint16_t operation, T x, T y) {
  switch (operation) {
    case symbol('<'): return truth(x < y);
    case symbol('>'): return truth(x > y);
    case symbol('<', '='): return truth(x <= y);
    case symbol('>', '='): return truth(x >= y);
    case symbol('=', '='): return truth(x == y);
    case symbol('!', '='): return truth(x != y);
  }
  return std::nullopt;
}

std::optional<Immediate> apply_float(uint16_t operation, double x, double y) {
  switch (operation) {
    case symbol('+'): return decimal(x + y);
    case symbol('-'): return decimal(x - y);
    case symbol('*'): return decimal(x * y);
    case symbol('/'):
      if (y == 0) return std::nullopt;
      return decimal(x / y);
  }
  return compare(operation, x, y);
}

std::optional<uint64_t> divide(uint16_t operation, uint64_t x, uint64_t y, bool is_unsigned) {
  if (y == 0) return std::nullopt;
  const bool quotient = operation == symbol('/');
  if (is_unsigned) return quotient ? x / y : x % y;
  if (y == ~uint64_t{0}) return quotient ? -x : 0;  // by -1; the processor may trap on the smallest integer
  const auto signed_x = static_cast<int64_t>(x), signed_y = static_cast<int64_t>(y);
  return static_cast<uint64_t>(quotient ? signed_x / signed_y : signed_x % signed_y);
}

uint64_t shift(uint16_t operation, const Immediate& x, uint64_t by) {
  if (operation == symbol('<', '<')) return by < 64 ? x.bits << by : 0;
  if (x.is_unsigned) return by < 64 ? x.bits >> by : 0;
  return static_cast<uint64_t>(static_cast<int64_t>(x.bits) >> (by < 64 ? by : 63));
}

}  // namespace

Immediate integer(int64_t value) { return {Kind::Integer, static_cast<uint64_t>(value), false}; }

bool is_integer(const Immediate& x) { return x.kind == Kind::Integer; }

bool is_true(const Immediate& x) { return is_integer(x) ? x.bits != 0 : to_double(x) != 0; }

Immediate literal_value(const Token& token, const Source& source) {
  const std::string_view text = token.text;
  if (text[0] == '0' && text.size() > 1) {
    switch (text[1]) {
      case 'x':
      case 'X': return integer_in_base(token, source, text.substr(2), 16);
      case 'b':
      case 'B': return integer_in_base(token, source, text.substr(2), 2);
      case 'f':
      case 'F': return float_bits(token, source, Kind::F32Bits, 8);
      case 'd':
      case 'D': return float_bits(token, source, Kind::F64Bits, 16);
    }
  }
  if (text.find_first_of(".eE") != std::string_view::npos) return decimal_float(token, source);
  const bool octal = text.size() > 1 && text[0] == '0' && text[1] != 'U';
  return octal ? integer_in_base(token, source, text.substr(1), 8) : integer_in_base(token, source, text, 10);
}

std::optional<Immediate> apply_unary(uint16_t operation, const Immediate& x) {
  switch (operation) {
    case symbol('+'): return x;
    case symbol('!'): return truth(!is_true(x));
    case symbol('~'):
      if (!is_integer(x)) return std::nullopt;
      return Immediate{Kind::Integer, ~x.bits, x.is_unsigned};
    case symbol('-'):
      switch (x.kind) {
        case Kind::Integer: return Immediate{Kind::Integer, -x.bits, x.is_unsigned};
        case Kind::F32Bits: return Immediate{Kind::F32Bits, x.bits ^ uint64_t{1} << 31, false};
        case Kind::F64Bits:
        case Kind::Decimal: return Immediate{x.kind, x.bits ^ uint64_t{1} << 63, false};
      }
  }
  return std::nullopt;
}

std::optional<Immediate> apply_binary(uint16_t operation, const Immediate& x, const Immediate& y) {
  if (operation == symbol('&', '&')) return truth(is_true(x) && is_true(y));
  if (operation == symbol('|', '|')) return truth(is_true(x) || is_true(y));
  if (!is_integer(x) || !is_integer(y)) return apply_float(operation, to_double(x), to_double(y));

  Immediate result{Kind::Integer, 0, x.is_unsigned || y.is_unsigned};
  switch (operation) {
    case symbol('+'): result.bits = x.bits + y.bits; return result;
    case symbol('-'): result.bits = x.bits - y.bits; return result;
    case symbol('*'): result.bits = x.bits * y.bits; return result;
    case symbol('&'): result.bits = x.bits & y.bits; return result;
    case symbol('|'): result.bits = x.bits | y.bits; return result;
    case symbol('^'): result.bits = x.bits ^ y.bits; return result;
    case symbol('<', '<'):
    case symbol('>', '>'): return Immediate{Kind::Integer, shift(operation, x, y.bits), x.is_unsigned};
    case symbol('/'):
    case symbol('%'): {
      const std::optional<uint64_t> bits = divide(operation, x.bits, y.bits, result.is_unsigned);
      if (!bits) return std::nullopt;
      result.bits = *bits;
      return result;
    }
  }
  if (result.is_unsigned) return compare(operation, x.bits, y.bits);
  return compare(operation, static_cast<int64_t>(x.bits), static_cast<int64_t>(y.bits));
}

}  // namespace heddle::ptx

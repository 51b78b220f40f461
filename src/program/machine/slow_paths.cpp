#include "program/machine/slow_paths.h"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

struct Format {
  int mantissa, exponents;  // bits of the one, and how many values of the other
  // A quotient is usual if its dividend's exponent is at least `dividend`, the divisor's from `divisor` to `divisors`,
  // and the difference of both from `least` to `most`; a reciprocal's and a root's operand as they say.
  int dividend, divisor, divisors, least, most;
  int reciprocals;  // the greatest exponent; the least is 1
  int root;         // the least
};
constexpr Format kSingle{23, 256, 25, 2, 251, -124, 126, 252, 26};
constexpr Format kDouble{52, 2048, 54, 1, 2039, -1021, 1017, 2044, 53};

const Format& format_of(Type type) { return type == Type::F64 ? kDouble : kSingle; }

int exponent(const Format& format, uint64_t bits) {
  return static_cast<int>(bits >> format.mantissa) & (format.exponents - 1);
}
bool negative(const Format& format, uint64_t bits) {
  return static_cast<int>(bits >> format.mantissa) & format.exponents;
}
bool is_special(const Format& format, uint64_t bits) {
  const uint64_t magnitude = bits & ((uint64_t(format.exponents) << format.mantissa) - 1);
  return magnitude == 0 || exponent(format, bits) == format.exponents - 1;
}

bool usual_quotient(const Format& format, int first, int second) {
  return first >= format.dividend && second >= format.divisor && second <= format.divisors &&
         first - second >= format.least && first - second <= format.most;
}

struct Row {
  Op op;
  Type type;
  SlowPath special, extreme;
};
// Zero for what is special; what underflows, and else what is nearest the end, for what is extreme.
constexpr std::array kRows = {
    Row{Op::Div, Type::F32, {32, 195}, {45, 253}},   Row{Op::Div, Type::F64, {61, 301}, {64, 282}},
    Row{Op::Rcp, Type::F32, {10, 87}, {39, 195}},    Row{Op::Rcp, Type::F64, {14, 117}, {30, 232}},
    Row{Op::Sqrt, Type::F32, {7, 77}, {24, 177}},    Row{Op::Sqrt, Type::F64, {12, 130}, {17, 136}},
    Row{Op::Rsqrt, Type::F64, {14, 115}, {33, 222}},
};

const Row* row_of(const Instruction& instruction) {
  const bool short_ends = instruction.type == Type::F32 && (instruction.has(Mod::Approx) || instruction.has(Mod::Full));
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) {
    return row.op == instruction.op && row.type == instruction.type && !short_ends;
  });
  return found == kRows.end() ? nullptr : &*found;
}

}  // namespace

bool has_slow_path(const Instruction& instruction) { return row_of(instruction) != nullptr; }

ValueRange value_range(const Instruction& instruction, uint64_t first, uint64_t second) {
  const Format& format = format_of(instruction.type);
  const bool of_two = instruction.op == Op::Div;
  const bool root = instruction.op == Op::Sqrt || instruction.op == Op::Rsqrt;
  if (is_special(format, first) || (of_two && is_special(format, second)) || (root && negative(format, first)))
    return ValueRange::Special;
  const int of_first = exponent(format, first);
  const bool usual = of_two                       ? usual_quotient(format, of_first, exponent(format, second))
                     : instruction.op == Op::Sqrt ? of_first >= format.root
                     : instruction.op == Op::Rcp  ? of_first >= 1 && of_first <= format.reciprocals
                                                  : of_first >= 1;
  return usual ? ValueRange::Usual : ValueRange::Extreme;
}

SlowPath slow_path(const Instruction& instruction, ValueRange range) {
  const Row* row = row_of(instruction);
  if (!row || range == ValueRange::Usual) return {};
  return range == ValueRange::Special ? row->special : row->extreme;
}

}  // namespace heddle

#include "conformance/approximations.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "exec/numeric/approx_bounds.h"

namespace heddle::test {
namespace {

using numeric::ApproxBound;

struct Subject {
  std::string operation;  // "rcp"
  std::string type;       // of one value
  bool packed = false, flushes = false;
  const ApproxBound* bound = nullptr;
};

std::string without_ftz(std::string name) {
  if (const size_t at = name.find(".ftz"); at != std::string::npos) name.erase(at, 4);
  return name;
}

Subject subject_of(const VectorCase& c) {
  const auto words = split(c.variant, '.');
  Subject subject{words[0], words.back(), words.back().ends_with("x2"), c.variant.find(".ftz") != std::string::npos,
                  nullptr};
  if (subject.packed) subject.type.resize(subject.type.size() - 2);
  for (const ApproxBound& bound : numeric::approx_bounds)
    if (bound.instruction == c.variant) subject.bound = &bound;
  for (const ApproxBound& bound : numeric::approx_bounds)
    if (!subject.bound && without_ftz(std::string(bound.instruction)) == without_ftz(c.variant)) subject.bound = &bound;
  return subject;
}

double smallest_normal(const std::string& type) {
  return type == "f16" ? 0x1p-14 : type == "f64" ? 0x1p-1022 : 0x1p-126;
}

double exact(const Subject& subject, double a, double b) {
  const std::string& op = subject.operation;
  if (op == "rcp") return 1 / a;
  if (op == "sqrt") return std::sqrt(a);
  if (op == "rsqrt") return 1 / std::sqrt(a);
  if (op == "sin") return std::sin(a);
  if (op == "cos") return std::cos(a);
  if (op == "lg2") return std::log2(a);
  if (op == "ex2") return std::exp2(a);
  if (op == "tanh") return std::tanh(a);
  return a / b;
}

uint64_t rounded(double value, const std::string& type) {
  if (type == "f64") return std::bit_cast<uint64_t>(value);
  const auto word = std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == "f32") return word;
  if (type == "bf16") return (word + 0x7fff + (word >> 16 & 1)) >> 16;
  const double scale = std::max(std::ldexp(1.0, std::ilogb(std::max(std::fabs(value), 0x1p-14)) - 10), 0x1p-24);
  const double units = std::nearbyint(std::fabs(value) / scale) * scale;
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (units < 0x1p-14) return sign | static_cast<uint64_t>(units / 0x1p-24);
  const int exponent = std::ilogb(units);
  return sign | static_cast<uint64_t>(exponent + 15) << 10 |
         static_cast<uint64_t>(units / std::ldexp(1.0, exponent - 10) - 1024);
}

double ulp(double value, const std::string& type) {
  const int digits = type == "f16" ? 10 : type == "bf16" ? 7 : type == "f64" ? 52 : 23;
  const double least = type == "f16" ? 0x1p-24 : type == "bf16" ? 0x1p-133 : type == "f64" ? 0x1p-1074 : 0x1p-149;
  return value == 0 ? least : std::max(std::ldexp(1.0, std::ilogb(value) - digits), least);
}

// The largest error allowed at this input; infinity where the manual promises nothing.
double allowed(const Subject& subject, double a, double b, double truth) {
  const double unit = ulp(truth, subject.type);
  if ((subject.operation == "sin" || subject.operation == "cos") && std::fabs(a) > 2 * std::numbers::pi)
    return std::fabs(a) <= 100 * std::numbers::pi ? 0x1.3b2c47bff8329p-15 : INFINITY;
  if (subject.operation == "lg2" && a > 0.5 && a < 2) return 0x1p-22;
  if (subject.operation == "div" && std::fabs(b) > 0x1p126) return INFINITY;
  if (subject.operation == "ex2" && subject.type == "f32")
    return std::max(subject.bound->limit * std::fabs(truth), 2 * unit);
  switch (subject.bound->kind) {
    case ApproxBound::Kind::Ulp: return subject.bound->limit * unit;
    case ApproxBound::Kind::Relative: return std::max(subject.bound->limit * std::fabs(truth), unit);
    case ApproxBound::Kind::Absolute: return subject.bound->limit;
  }
  return 0;
}

struct Sample {
  double a, b;
  uint64_t ours, theirs;
};

void check_one(const Subject& subject, const Sample& sample, ApproximationReport& report) {
  const auto violation = [&](const std::string& what) {
    if (report.first_violation.empty())
      report.first_violation = fmt::format("{} for a={} b={}: {:#x}, the H200 gives {:#x}", what, sample.a, sample.b,
                                           sample.ours, sample.theirs);
  };
  const double least = smallest_normal(subject.type);
  const double a = subject.flushes && std::fabs(sample.a) < least ? std::copysign(0.0, sample.a) : sample.a;
  const double b = subject.flushes && std::fabs(sample.b) < least ? std::copysign(0.0, sample.b) : sample.b;
  const double hardware = value_of(sample.theirs, subject.type), mine = value_of(sample.ours, subject.type);
  const double truth = exact(subject, a, b);
  const bool special =
      !std::isfinite(hardware) || !std::isfinite(truth) || a == 0 || !std::isfinite(a) || !std::isfinite(b);
  if (special || !std::isfinite(mine)) {
    if (!same_value(sample.ours, sample.theirs, subject.type)) violation("special result");
    return;
  }
  report.worst_ulp_hardware =
      std::max(report.worst_ulp_hardware, ulp_distance(sample.ours, sample.theirs, subject.type));
  // Under .ftz a result below the smallest normal number is zero.
  if (subject.flushes && std::fabs(truth) < least) {
    if (mine != 0 && hardware == 0) violation("not flushed");
    return;
  }
  const double limit = allowed(subject, a, b, truth), error = std::fabs(mine - truth);
  if (std::isinf(limit)) return;
  report.worst_of_bound = std::max(report.worst_of_bound, error / limit);
  const bool absolute =
      subject.bound->kind == ApproxBound::Kind::Absolute || (subject.operation == "lg2" && a > 0.5 && a < 2);
  if (!absolute)
    report.worst_ulp_exact =
        std::max(report.worst_ulp_exact, ulp_distance(sample.ours, rounded(truth, subject.type), subject.type));
  // The hardware's own bits are right even where it misses the bound.
  if (error > limit && sample.ours != sample.theirs) violation(fmt::format("error {:g}, allowed {:g},", error, limit));
}

}  // namespace

ApproximationReport check_approximation(const VectorCase& c, const std::byte* inputs, const std::byte* got,
                                        const std::byte* hardware) {
  ApproximationReport report;
  const Subject subject = subject_of(c);
  if (!subject.bound) {
    report.first_violation = "no bound is written down for it";
    return report;
  }
  report.bound = subject.bound->text;
  for (uint32_t record = 0; record < c.n; ++record)
    for (unsigned half = 0; half < (subject.packed ? 2U : 1U); ++half) {
      const auto part = [&](const std::byte* base, size_t stride, const Field& field) {
        const uint64_t bits = bits_at(base + record * stride, field);
        return subject.packed ? bits >> (16 * half) & 0xffff : bits;
      };
      const double a = value_of(part(inputs, c.in_stride, c.inputs[0]), subject.type);
      const double b = c.inputs.size() > 1 ? value_of(part(inputs, c.in_stride, c.inputs[1]), subject.type) : 1;
      check_one(subject, {a, b, part(got, c.out_stride, c.outputs[0]), part(hardware, c.out_stride, c.outputs[0])},
                report);
    }
  return report;
}

}  // namespace heddle::test

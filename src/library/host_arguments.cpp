#include "library/host_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.h"

namespace heddle::library {
namespace {

bool is_in(const heddle_argument& argument) { return argument.kind == HEDDLE_IN || argument.kind == HEDDLE_IN_OUT; }
bool is_out(const heddle_argument& argument) { return argument.kind == HEDDLE_OUT || argument.kind == HEDDLE_IN_OUT; }
bool is_buffer(const heddle_argument& argument) { return argument.kind != HEDDLE_VALUE && argument.data; }
const std::byte* begin_of(const heddle_argument& argument) { return static_cast<const std::byte*>(argument.data); }

void check(size_t number, const heddle_argument& argument) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ExitCode::Usage, fmt::format("argument {}: {}", number, why));
  };
  if (argument.kind != HEDDLE_VALUE && !is_in(argument) && !is_out(argument))
    refuse(
        fmt::format("{} is no kind of argument (HEDDLE_VALUE, HEDDLE_IN, HEDDLE_OUT, HEDDLE_IN_OUT)", argument.kind));
  if (!argument.data && argument.bytes > 0) refuse(fmt::format("{} bytes at NULL", argument.bytes));
  if (argument.kind == HEDDLE_VALUE && argument.bytes == 0) refuse("a value without bytes");
}

}  // namespace

HostArguments::HostArguments(std::span<const heddle_argument> arguments) : arguments_(arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    check(i, arguments[i]);
    if (is_buffer(arguments[i]))
      regions_.push_back(
          {begin_of(arguments[i]), begin_of(arguments[i]) + arguments[i].bytes, fmt::format("argument {}", i)});
  }
  std::stable_sort(regions_.begin(), regions_.end(),
                   [](const Region& a, const Region& b) { return std::less<>()(a.begin, b.begin); });
  std::vector<Region> joined;
  for (Region& region : regions_) {
    if (joined.empty() || (region.begin != joined.back().begin && !std::less<>()(region.begin, joined.back().end))) {
      joined.push_back(std::move(region));
      continue;
    }
    joined.back().end = std::max(joined.back().end, region.end, std::less<>());
    joined.back().label += fmt::format(", {}", region.label);
  }
  regions_ = std::move(joined);
}

HostArguments::Region& HostArguments::region_of(const heddle_argument& argument) {
  const auto behind =
      std::upper_bound(regions_.begin(), regions_.end(), begin_of(argument),
                       [](const std::byte* at, const Region& region) { return std::less<>()(at, region.begin); });
  require(behind != regions_.begin(), "an argument in no region");
  return *std::prev(behind);
}

Address HostArguments::address_of(const heddle_argument& argument) {
  const Region& region = region_of(argument);
  return region.address + static_cast<Address>(begin_of(argument) - region.begin);
}

// Allocated in the order of the arguments: where host memory lies must not change what is measured.
Arguments HostArguments::place(Gpu& gpu) {
  for (const heddle_argument& argument : arguments_) {
    if (!is_buffer(argument)) continue;
    Region& region = region_of(argument);
    if (region.address != 0) continue;
    region.address = gpu.allocate_unwritten(static_cast<size_t>(region.end - region.begin), region.label);
  }
  Arguments values;
  for (const heddle_argument& argument : arguments_) {
    if (argument.kind == HEDDLE_VALUE) {
      values.add(argument.data, argument.bytes);
      continue;
    }
    const Address address = is_buffer(argument) ? address_of(argument) : 0;
    if (address != 0 && is_in(argument)) gpu.write(address, argument.data, argument.bytes);
    values.add(&address, sizeof address);
  }
  return values;
}

void HostArguments::write_back(Gpu& gpu) {
  for (const heddle_argument& argument : arguments_)
    if (is_buffer(argument) && is_out(argument)) gpu.read(argument.data, address_of(argument), argument.bytes);
}

std::vector<std::string> HostArguments::in_words() const {
  std::vector<std::string> words;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const heddle_argument& argument = arguments_[i];
    if (argument.kind == HEDDLE_VALUE) {
      words.emplace_back("bytes:");
      for (size_t at = 0; at < argument.bytes; ++at)
        words.back() += fmt::format("{:02x}", static_cast<unsigned>(begin_of(argument)[at]));
    } else if (!is_buffer(argument)) {
      words.emplace_back("u64:0");
    } else {
      words.push_back(is_in(argument) ? fmt::format("file:argument{}.bin", i)
                                      : fmt::format("zeros:{}", argument.bytes));
    }
  }
  return words;
}

}  // namespace heddle::library

#include "check/check_set.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"

namespace heddle::check {
namespace {

constexpr std::array kChecks{Check::Race, Check::Sync, Check::Init, Check::Leak};
constexpr unsigned kAll = (1U << kChecks.size()) - 1;

unsigned bits_named(std::string_view name) {
  if (name == "all") return kAll;
  for (const Check check : kChecks)
    if (name_of(check) == name) return 1U << static_cast<unsigned>(check);
  throw Error(ExitCode::Usage, fmt::format("--check: there is no check '{}': race, sync, init, leak or all", name));
}

}  // namespace

CheckSet::CheckSet(std::string_view names) {
  while (true) {
    const size_t comma = names.find(',');
    bits_ |= bits_named(names.substr(0, comma));
    if (comma == std::string_view::npos) return;
    names.remove_prefix(comma + 1);
  }
}

std::vector<std::string_view> CheckSet::names() const {
  std::vector<std::string_view> result;
  for (const Check check : kChecks)
    if (has(check)) result.push_back(name_of(check));
  return result;
}

std::string CheckSet::text() const { return bits_ == kAll ? "all" : fmt::format("{}", fmt::join(names(), ",")); }

}  // namespace heddle::check

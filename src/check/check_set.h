// Which checks a run asks for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"

namespace heddle::check {

class CheckSet {
 public:
  CheckSet() = default;
  explicit CheckSet(std::string_view names);  // "race,sync", "all". Error (Usage) that lists the right ones
  bool has(Check check) const { return bits_ >> static_cast<unsigned>(check) & 1U; }
  bool empty() const { return bits_ == 0; }
  bool watches_kernels() const { return has(Check::Race) || has(Check::Sync) || has(Check::Init); }
  std::vector<std::string_view> names() const;
  std::string text() const;  // as it is asked for; "all" where it is all
  bool operator==(const CheckSet&) const = default;

 private:
  unsigned bits_ = 0;
};

}  // namespace heddle::check

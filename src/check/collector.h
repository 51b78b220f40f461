// Gathers what the checks find: what happens again at the same lines is counted, the first is kept.
#pragma once

#include <map>
#include <string>

#include "check/finding.h"

namespace heddle::check {

class Collector {
 public:
  // `make` gives the finding, if it is the first of its kind at these lines. Its number, for again(). Of races at the
  // same lines the worst is kept.
  template <class Make>
  size_t add(Finding::Kind kind, const std::string& lines, Make&& make) {
    const bool race = check_of(kind) == Check::Race;
    const auto [place, fresh] = places_.try_emplace({race ? Finding::Kind::Race : kind, lines}, findings_.size());
    const size_t number = place->second;
    if (fresh) {
      findings_.push_back(make());
    } else if (again(number); kind < findings_[number].kind) {
      const uint64_t count = findings_[number].count;
      findings_[number] = make();
      findings_[number].count = count;
    }
    return number;
  }
  void again(size_t number) { ++findings_[number].count; }
  const Findings& findings() const { return findings_; }

 private:
  std::map<std::pair<Finding::Kind, std::string>, size_t> places_;
  Findings findings_;
};

}  // namespace heddle::check

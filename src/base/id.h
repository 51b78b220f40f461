// A number that says which one of its kind. It indexes arrays like any number, but is made from one only where that is
// said, and ids of different kinds neither convert into each other nor compare.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>

namespace heddle {

template <class Kind>
class Id {
 public:
  static constexpr uint16_t kLast = UINT16_MAX;

  constexpr Id() = default;
  template <std::integral Number>
  constexpr explicit Id(Number number) : value_(static_cast<uint16_t>(number)) {}

  constexpr uint16_t value() const { return value_; }
  constexpr operator uint16_t() const { return value_; }
  constexpr Id& operator++() {
    ++value_;
    return *this;
  }
  // clang-tidy 14 takes the 0 in it for a pointer.
  friend constexpr auto operator<=>(Id, Id) = default;  // NOLINT(modernize-use-nullptr)

 private:
  uint16_t value_ = 0;
};

// Without these both would be compared as the numbers they convert to.
template <class A, class B>
requires(!std::same_as<A, B>) bool operator==(Id<A>, Id<B>) = delete;
template <class A, class B>
requires(!std::same_as<A, B>) std::strong_ordering operator<=>(Id<A>, Id<B>) = delete;

}  // namespace heddle

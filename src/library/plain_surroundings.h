// A thread's floating-point environment and locale as the simulator expects them, and back at the end: a program of
// somebody else may round otherwise, flush denormal numbers, or write decimal commas.
#pragma once

#include <locale.h>

#include <cfenv>

namespace heddle::library {

class PlainSurroundings {
 public:
  PlainSurroundings() : locale_(uselocale(plain_locale())) {
    std::fegetenv(&environment_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~PlainSurroundings() {
    std::fesetenv(&environment_);
    uselocale(locale_);
  }
  PlainSurroundings(const PlainSurroundings&) = delete;
  PlainSurroundings& operator=(const PlainSurroundings&) = delete;

 private:
  static locale_t plain_locale() {
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    return plain;
  }
  locale_t locale_;
  std::fenv_t environment_{};
};

}  // namespace heddle::library

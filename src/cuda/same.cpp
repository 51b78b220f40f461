// Functions that are the runtime's under another name (same.def).
#include <tuple>

#include "cuda/driver.h"
#include "cudart/graph_api.h"

using namespace heddle::shim;

namespace {

template <class Function>
struct Arguments;
template <class... T>
struct Arguments<Status (*)(T...)> {
  template <size_t i>
  using at = std::tuple_element_t<i, std::tuple<T...>>;
};

}  // namespace

#define TYPE(of, i) Arguments<decltype(&(of))>::at<i>
#define TYPES_1(of) TYPE(of, 0) a
#define TYPES_2(of) TYPES_1(of), TYPE(of, 1) b
#define TYPES_3(of) TYPES_2(of), TYPE(of, 2) c
#define TYPES_4(of) TYPES_3(of), TYPE(of, 3) d
#define TYPES_5(of) TYPES_4(of), TYPE(of, 4) e
#define TYPES_6(of) TYPES_5(of), TYPE(of, 5) f
#define TYPES_7(of) TYPES_6(of), TYPE(of, 6) g
#define TYPES_8(of) TYPES_7(of), TYPE(of, 7) h
#define NAMES_1 a
#define NAMES_2 a, b
#define NAMES_3 a, b, c
#define NAMES_4 a, b, c, d
#define NAMES_5 a, b, c, d, e
#define NAMES_6 a, b, c, d, e, f
#define NAMES_7 a, b, c, d, e, f, g
#define NAMES_8 a, b, c, d, e, f, g, h
#define SAME(count, name, of)                             \
  HEDDLE_API Status name(TYPES_##count(of)) {             \
    return in_context([&] { return of(NAMES_##count); }); \
  }
#define ANYWHERE(count, name, of)                     \
  HEDDLE_API Status name(TYPES_##count(of)) {         \
    return driver([&] { return of(NAMES_##count); }); \
  }
#include "cuda/same.def"

#include "stats/counter.h"

#include <algorithm>

namespace heddle {

void add_counters(std::vector<Counter>& to, std::span<const Counter> from) {
  for (const Counter& counter : from) {
    const auto known =
        std::find_if(to.begin(), to.end(), [&](const Counter& each) { return each.name == counter.name; });
    if (known == to.end())
      to.push_back(counter);
    else if (counter.kind == Counter::Kind::Sum)
      known->value += counter.value;
    else
      known->value = std::max(known->value, counter.value);
  }
}

}  // namespace heddle

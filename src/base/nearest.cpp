#include "base/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace heddle {

unsigned edit_distance(std::string_view a, std::string_view b) {
  std::vector<unsigned> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (size_t i = 1; i <= a.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const unsigned substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() > 64) return "";
  std::vector<std::pair<unsigned, std::string_view>> ranked;
  for (std::string_view candidate : known) ranked.emplace_back(edit_distance(name, candidate), candidate);
  std::sort(ranked.begin(), ranked.end());
  const unsigned limit = std::max<unsigned>(2, static_cast<unsigned>(name.size()) / 3);
  std::string text;
  for (size_t i = 0; i < ranked.size() && i < 3 && ranked[i].first <= limit; ++i)
    text += (text.empty() ? "; did you mean '" : "' or '") + std::string(ranked[i].second);
  return text.empty() ? text : text + "'?";
}

std::string joined(std::span<const std::string_view> names) {
  std::string text;
  for (std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace heddle

#include "exec/row/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"

namespace heddle {

// A processor that has what is asked for here has the rest of its level too.
std::span<const RowLevel> row_levels() {
#ifdef HEDDLE_ROW_LEVELS
  static const RowLevel levels[] = {
      {"base", heddle_rows_base, true},
      {"v2", heddle_rows_v2, __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt")},
      {"v3", heddle_rows_v3,
       __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")},
      {"v4", heddle_rows_v4,
       __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")},
  };
#else
  static const RowLevel levels[] = {{"base", heddle_rows_base, true}};
#endif
  return levels;
}

const RowLevel& row_level_named(std::string_view name) {
  const RowLevel* chosen = nullptr;
  std::string names;
  for (const RowLevel& level : row_levels()) {
    if (!level.available) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", level.name);
    if (name.empty() || level.name == name) chosen = &level;
  }
  if (!chosen) throw Error(ExitCode::Usage, fmt::format("HEDDLE_ROWS={}: this processor has {}", name, names));
  return *chosen;
}

const RowLevel& row_level() {
  static const RowLevel& level = []() -> const RowLevel& {
    const char* name = std::getenv("HEDDLE_ROWS");
    return row_level_named(name ? name : "");
  }();
  return level;
}

}  // namespace heddle

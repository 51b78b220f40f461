// The machine, key by key: every result echoes the configuration it was measured on.
#include <fmt/format.h>

#include "report/page/escape.h"
#include "report/page/sections.h"

namespace heddle {

std::string machine_html(const RunGroup& group) {
  const ReportData::Json* run = nullptr;
  for (const auto& cell : group.cells)
    if (!run && !cell.empty()) run = cell[0];
  if (!run) return "";
  std::string text;
  for (const auto& [key, value] : (*run)["config"].items())
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(key),
                        escaped(value.is_string() ? value.get<std::string>() : value.dump()));
  return fmt::format("<details class=machine><summary>The machine, key by key</summary><dl>\n{}</dl></details>\n",
                     text);
}

}  // namespace heddle

// The source of a kernel with what its lines and branches cost beside it.
#include <fmt/format.h>

#include <map>

#include "report/page/escape.h"
#include "report/page/sections.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

constexpr size_t kMostLines = 3000;  // of a file: longer ones show what was executed only

std::string count_text(const Json& json, const char* field) {
  return grouped(static_cast<uint64_t>(json.value(field, 0.0) + 0.5));
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string kind_text(const Json& json) {
  return json.contains("kind") && json["kind"].is_string() ? json["kind"].get<std::string>() : "";
}

std::string line_row(size_t number, const std::string& text, const Json* line, double all) {
  if (!line)
    return fmt::format(
        "<tr class=quiet><td>{}</td><td></td><td></td><td></td><td></td><td></td><td></td>"
        "<td></td><td class=code>{}</td></tr>\n",
        number, escaped(text));
  const double slots = line->value("issue_slots", 0.0), lost = ratio(line->value("lanes_lost", 0.0), all);
  const double branches = line->value("branches", 0.0);
  const std::string diverged = branches > 0 ? percent(ratio(line->value("diverged", 0.0), branches)) : "";
  return fmt::format(
      "<tr{}><td>{}</td><td>{}</td><td data-value=\"{}\">{}</td><td>{}</td><td>{:.1f}</td><td>{}</td><td>{}</td><td "
      "class=text>{}</td><td class=code>{}</td></tr>\n",
      lost >= 0.005 ? fmt::format(" class=hot style=\"--h:{:.2f}\"", 0.08 + 0.5 * lost) : "", number, percent(lost),
      line->value("lanes_lost", 0.0), count_text(*line, "lanes_lost"), count_text(*line, "issue_slots"),
      ratio(line->value("active_threads", 0.0), slots), count_text(*line, "slots_lost"), diverged,
      escaped(kind_text(*line)), escaped(text));
}

std::string source_table(const Json& profile, const Json& source, double all) {
  const std::string file = source.value("file", "");
  std::map<size_t, const Json*> lines;
  for (const Json& line : profile["lines"])
    if (line.value("file", "") == file) lines[line.value("line", size_t{0})] = &line;
  const Json& text = source["lines"];
  std::string rows;
  for (size_t number = lines.contains(0) ? 0 : 1; number <= text.size(); ++number) {
    const auto found = lines.find(number);
    if (found == lines.end() && text.size() > kMostLines) continue;
    rows += line_row(number, number == 0 ? "" : text[number - 1].get<std::string>(),
                     found == lines.end() ? nullptr : found->second, all);
  }
  return fmt::format(
      "<h3>{0}</h3>\n<div class=scroll tabindex=0 role=region aria-label=\"{0} with what its lines cost\"><table "
      "class=source><thead><tr><th scope=col>line</th><th scope=col>share</th><th scope=col>lanes lost</th><th "
      "scope=col>issue slots</th><th scope=col>threads per slot</th><th scope=col>slots lost</th><th "
      "scope=col>diverged</th><th scope=col>kind</th><th scope=col class=code>source</th></tr></thead><tbody>\n{1}"
      "</tbody></table></div>\n",
      escaped(file), rows);
}

std::string branch_table(const Json& profile, double all) {
  std::string rows;
  for (const Json& branch : profile["branches"])
    rows += fmt::format(
        "<tr><th scope=row>{}:{}</th><td class=text><code>{}</code></td><td>{}</td><td>{}</td><td "
        "data-value=\"{}\">{}</td><td>{}</td><td>{}</td><td class=text>{}</td></tr>\n",
        escaped(branch.value("file", "")), branch.value("line", 0), escaped(branch.value("instruction", "")),
        count_text(branch, "executed"), percent(ratio(branch.value("diverged", 0.0), branch.value("executed", 0.0))),
        branch.value("lanes_lost", 0.0), count_text(branch, "lanes_lost"),
        percent(ratio(branch.value("lanes_lost", 0.0), all)), count_text(branch, "slots_lost"),
        escaped(kind_text(branch)));
  const double nobody = profile["cost"].value("lanes_lost_by_no_branch", 0.0);
  rows += fmt::format(
      "<tr><th scope=row>no branch</th><td></td><td></td><td></td><td>{}</td><td>{}</td><td></td><td></td></tr>\n",
      count_text(profile["cost"], "lanes_lost_by_no_branch"), percent(ratio(nobody, all)));
  return fmt::format(
      "<h3>Which branches are to blame</h3>\n<div class=scroll tabindex=0 role=region aria-label=\"branches\"><table "
      "class=branches><thead><tr><th scope=col>line</th><th scope=col class=text>branch</th><th "
      "scope=col>executed</th><th scope=col>diverged</th><th scope=col>lanes lost</th><th scope=col>share</th><th "
      "scope=col>slots lost</th><th scope=col>kind</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
      rows);
}

}  // namespace

std::string profile_html(const Json& profile) {
  const Json& cost = profile["cost"];
  const double all = cost.value("lanes_lost", 0.0), slots = cost.value("issue_slots", 0.0);
  const double lanes = slots * profile["config"].value("warp_size", 32.0);
  std::string text = fmt::format(
      "<p>SIMD efficiency {}: of {} lanes in {} issue slots, {} idled; full warps would need {} slots less. "
      "<span class=soft>Lanes lost: warp size × issue slots − active threads. A line shows where lanes idle; the table "
      "of "
      "branches shows where the threads that are missing went another way. Kind: D if the branch depends on data, P if "
      "only on thread numbers and parameters.</span></p>\n",
      percent(ratio(lanes - all, lanes)), grouped(static_cast<uint64_t>(lanes)), count_text(cost, "issue_slots"),
      count_text(cost, "lanes_lost"), count_text(cost, "slots_lost"));
  text += branch_table(profile, all);
  for (const Json& source : profile["sources"]) text += source_table(profile, source, all);
  return text +
         fmt::format(
             "<p class=command>Again: <code>heddle profile {} --mechanism {} {} --json profile.json</code></p>\n",
             escaped(profile.value("program", "")), escaped(profile.value("mechanism", "")),
             escaped(machine_words(profile)));
}

}  // namespace heddle

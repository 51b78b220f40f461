// The source of a kernel with what its lines and branches cost beside it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/page/escape.h"
#include "report/page/sections.h"
#include "report/table.h"

namespace heddle {
namespace {

using Json = ReportData::Json;

constexpr size_t kContext = 3;  // quiet lines shown beside one that was executed
constexpr size_t kColumns = 9;  // of the source

std::string count_text(const Json& json, const char* field) {
  return grouped(static_cast<uint64_t>(json.value(field, 0.0) + 0.5));
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string kind_text(const Json& json) {
  return json.contains("kind") && json["kind"].is_string() ? json["kind"].get<std::string>() : "";
}

std::string row_id(size_t profile, size_t source, size_t line) {
  return fmt::format("line-{}-{}-{}", profile, source, line);
}

// A line of the source; `line` is null where it was not executed.
std::string line_row(const std::string& id, size_t number, const std::string& text, const Json* line, double all) {
  if (!line)
    return fmt::format("<tr class=quiet><th scope=row>{}</th><td></td><td class=code>{}</td>{}</tr>\n", number,
                       escaped(text), "<td></td><td></td><td></td><td></td><td></td><td></td>");
  const double slots = line->value("issue_slots", 0.0), lost = ratio(line->value("lanes_lost", 0.0), all);
  const double branches = line->value("branches", 0.0);
  const std::string diverged = branches > 0 ? percent(ratio(line->value("diverged", 0.0), branches)) : "";
  return fmt::format(
      "<tr id=\"{}\"{}><th scope=row>{}</th><td>{}</td><td class=code>{}</td><td>{:.1f}</td><td>{}</td><td "
      "class=text>{}</td><td data-value=\"{}\">{}</td><td>{}</td><td>{}</td></tr>\n",
      id, lost >= 0.005 ? fmt::format(" class=hot style=\"--h:{:.2f}\"", 0.08 + 0.5 * lost) : "", number, percent(lost),
      escaped(text), ratio(line->value("active_threads", 0.0), slots), diverged, escaped(kind_text(*line)),
      line->value("lanes_lost", 0.0), count_text(*line, "lanes_lost"), count_text(*line, "issue_slots"),
      count_text(*line, "slots_lost"));
}

using Lines = std::map<size_t, const Json*>;  // that were executed, by number

Lines lines_of(const Json& profile, const std::string& file) {
  Lines lines;
  for (const Json& line : profile["lines"])
    if (line.value("file", "") == file) lines[line.value("line", size_t{0})] = &line;
  return lines;
}

bool near_executed(const Lines& lines, size_t number) {
  const auto next = lines.lower_bound(number > kContext ? number - kContext : 0);
  return next != lines.end() && next->first <= number + kContext;
}

std::string gap_row(size_t lines) {
  if (lines == 0) return "";
  return fmt::format("<tr class=quiet><th scope=row>⋯</th><td></td><td class=code colspan={}>{} lines</td></tr>\n",
                     kColumns - 2, lines);
}

std::string source_table(const Json& profile, size_t place, size_t source, double all) {
  const std::string file = profile["sources"][source].value("file", "");
  const Json& text = profile["sources"][source]["lines"];
  const Lines lines = lines_of(profile, file);
  std::string rows;
  size_t left_out = 0;
  for (size_t number = lines.contains(0) ? 0 : 1; number <= text.size(); ++number) {
    if (!near_executed(lines, number)) {
      ++left_out;
      continue;
    }
    const auto found = lines.find(number);
    rows += gap_row(std::exchange(left_out, 0));
    rows += line_row(row_id(place, source, number), number, number == 0 ? "" : text[number - 1].get<std::string>(),
                     found == lines.end() ? nullptr : found->second, all);
  }
  rows += gap_row(left_out);
  return fmt::format(
      "<h3>{0}</h3>\n<div class=scroll tabindex=0 role=region aria-label=\"{0} with what its lines cost\"><table "
      "class=source><thead><tr><th scope=col>line</th><th scope=col>share lost</th><th scope=col "
      "class=code>source</th><th scope=col>threads per slot</th><th scope=col>diverged</th><th scope=col>kind</th><th "
      "scope=col>lanes lost</th><th scope=col>issue slots</th><th scope=col>slots lost</th></tr></thead><tbody>\n{1}"
      "</tbody></table></div>\n",
      escaped(file), rows);
}

struct BranchLine {
  std::string text, id;  // of the row that shows it; "" without a source
};

BranchLine line_of_branch(const Json& profile, size_t place, const Json& branch) {
  const std::string file = branch.value("file", "");
  const size_t number = branch.value("line", size_t{0});
  for (size_t source = 0; source < profile["sources"].size(); ++source) {
    const Json& text = profile["sources"][source]["lines"];
    if (profile["sources"][source].value("file", "") == file && number > 0 && number <= text.size())
      return {text[number - 1].get<std::string>(), row_id(place, source, number)};
  }
  return {};
}

std::string branch_row(const Json& profile, size_t place, const Json& branch, double all) {
  const BranchLine line = line_of_branch(profile, place, branch);
  const std::string name = escaped(fmt::format("{}:{}", branch.value("file", ""), branch.value("line", size_t{0})));
  return fmt::format(
      "<tr><th scope=row>{}</th><td>{}</td><td class=code>{}</td><td>{}</td><td>{}</td><td class=text>{}</td><td "
      "data-value=\"{}\">{}</td><td>{}</td><td class=text><code>{}</code></td></tr>\n",
      line.id.empty() ? name : fmt::format("<a href=\"#{}\">{}</a>", line.id, name),
      percent(ratio(branch.value("lanes_lost", 0.0), all)),
      escaped(line.text.substr(std::min(line.text.find_first_not_of(" \t"), line.text.size()))),
      count_text(branch, "executed"), percent(ratio(branch.value("diverged", 0.0), branch.value("executed", 0.0))),
      escaped(kind_text(branch)), branch.value("lanes_lost", 0.0), count_text(branch, "lanes_lost"),
      count_text(branch, "slots_lost"), escaped(branch.value("instruction", "")));
}

std::string branch_table(const Json& profile, size_t place, double all) {
  std::string rows;
  for (const Json& branch : profile["branches"]) rows += branch_row(profile, place, branch, all);
  const double nobody = profile["cost"].value("lanes_lost_by_no_branch", 0.0);
  rows += fmt::format(
      "<tr><th scope=row>no branch</th><td>{}</td><td></td><td></td><td></td><td></td><td>{}</td><td></td><td></td>"
      "</tr>\n",
      percent(ratio(nobody, all)), count_text(profile["cost"], "lanes_lost_by_no_branch"));
  return fmt::format(
      "<h3>Which branches are to blame</h3>\n<div class=scroll tabindex=0 role=region aria-label=\"branches\"><table "
      "class=\"source branches\"><thead><tr><th scope=col>line</th><th scope=col>share lost</th><th scope=col "
      "class=code>source</th><th scope=col>executed</th><th scope=col>diverged</th><th scope=col>kind</th><th "
      "scope=col>lanes lost</th><th scope=col>slots lost</th><th scope=col "
      "class=text>branch</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
      rows);
}

bool has_kinds(const Json& profile) {  // measured with --taint
  return std::any_of(profile["lines"].begin(), profile["lines"].end(),
                     [](const Json& line) { return !kind_text(line).empty(); });
}

// What the words of the tables mean, and what to make of them.
std::string words_html(const Json& profile) {
  std::string text =
      "<p class=soft>Lanes lost: warp size × issue slots − active threads. The source shows where lanes idle; the "
      "table "
      "of branches shows why: where the threads that are missing went another way. ";
  const bool kinds = std::any_of(profile["branches"].begin(), profile["branches"].end(),
                                 [](const Json& branch) { return !kind_text(branch).empty(); });
  text +=
      kinds ? "Kind D: the branch depends on data, so that its threads sit in other lanes from warp to warp, and "
              "hardware that compacts warps can gain. Kind P: it depends on thread numbers and parameters only, so "
              "that the same lanes idle in every warp; arrange the work so that consecutive threads take the same way."
            : "With --taint: which branches depend on data (D), and which on thread numbers only (P).";
  return text + "</p>\n";
}

}  // namespace

std::string profile_html(const Json& profile, size_t place) {
  const Json& cost = profile["cost"];
  const double all = cost.value("lanes_lost", 0.0), slots = cost.value("issue_slots", 0.0);
  const double lanes = slots * profile["config"].value("warp_size", 32.0);
  std::string text = fmt::format(
      "<p>SIMD efficiency <b>{}</b>: of {} lanes in {} issue slots, {} idled; full warps would need {} slots "
      "less.</p>\n",
      percent(ratio(lanes - all, lanes)), grouped(static_cast<uint64_t>(lanes)), count_text(cost, "issue_slots"),
      count_text(cost, "lanes_lost"), count_text(cost, "slots_lost"));
  text += words_html(profile) + branch_table(profile, place, all);
  for (size_t i = 0; i < profile["sources"].size(); ++i) text += source_table(profile, place, i, all);
  const std::string launch = profile.value("launch", "");
  return text + fmt::format("<p class=command>Again: <code>heddle profile {}{}{} --mechanism {} {}{}</code></p>\n",
                            escaped(profile.value("program", "")), launch.empty() ? "" : " ", escaped(launch),
                            escaped(profile.value("mechanism", "")), escaped(machine_words(profile)),
                            has_kinds(profile) ? " --taint" : "");
}

}  // namespace heddle

#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/table.h"

namespace heddle {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

constexpr std::string_view kStyle = R"(
:root { --ink:#1a1a1a; --soft:#666; --line:#ddd; --paper:#fff; --panel:#f7f7f5 }
@media (prefers-color-scheme: dark) { :root { --ink:#e8e6e3; --soft:#9a9a9a; --line:#3a3a3a; --paper:#161616; --panel:#1f1f1f } }
* { box-sizing:border-box }
body { margin:0 auto; max-width:62rem; padding:1.5rem; color:var(--ink); background:var(--paper); font:16px/1.5 system-ui,sans-serif }
h1 { font-size:1.6rem; margin:0 0 .25rem } h2 { font-size:1.15rem; margin:2.2rem 0 .3rem } p { margin:.3rem 0 .8rem } .soft { color:var(--soft) }
.scroll { overflow-x:auto } table { border-collapse:collapse; font-variant-numeric:tabular-nums; font-size:.9rem }
th,td { padding:.25rem .7rem; text-align:right; border-bottom:1px solid var(--line); white-space:nowrap } th:first-child,td:first-child { text-align:left }
.best { font-weight:700 } code { background:var(--panel); padding:.1rem .3rem; border-radius:3px }
.row { display:grid; grid-template-columns:7rem 1fr 4.5rem; gap:.6rem; align-items:center; font-size:.85rem; line-height:1.2 }
.group { break-inside:avoid; margin:.7rem 0 } .group h3 { font-size:.95rem; margin:0 0 .15rem }
.track { background:var(--panel); height:.85rem; display:flex } .track i { display:block; height:100% } .value { text-align:right; font-variant-numeric:tabular-nums }
.legend span { display:inline-block; margin-right:.9rem; font-size:.85rem } .legend b { display:inline-block; width:.8rem; height:.8rem; margin-right:.3rem; vertical-align:-1px }
@media print { body { max-width:none } })";

// Colours that stay apart for colour-blind readers, one per mechanism.
constexpr std::array<std::string_view, 8> kColours = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                                      "#66ccee", "#aa3377", "#999933", "#bbbbbb"};
// From few active threads to many.
constexpr std::array<std::string_view, 8> kShades = {"#d73027", "#f46d43", "#fdae61", "#fee090",
                                                     "#d9ef8b", "#a6d96a", "#66bd63", "#1a9850"};

std::string bar(std::string_view colour, double share, const std::string& hint) {
  return fmt::format("<i style=\"width:{:.3f}%;background:{}\" title=\"{}\"></i>", 100 * share, colour, escaped(hint));
}

std::string row(std::string_view name, const std::string& bars, const std::string& value) {
  return fmt::format("<div class=row><span>{}</span><div class=track>{}</div><span class=value>{}</span></div>\n",
                     escaped(name), bars, value);
}

// A table of workloads and mechanisms; the best of each row in bold.
struct Figure {
  double value;
  std::string text, hint;
};

template <class FigureOf, class MeanOf>
std::string matrix(const Comparison& c, std::string_view id, FigureOf&& figure_of, MeanOf&& mean_of) {
  std::string text = fmt::format("<div class=scroll><table id={}><tr><th>workload</th>", id);
  for (const std::string& mechanism : c.mechanisms) text += fmt::format("<th>{}</th>", escaped(mechanism));
  text += "</tr>\n";
  for (size_t w = 0; w < c.workloads.size(); ++w) {
    double best = 0;
    for (size_t m = 0; m < c.mechanisms.size(); ++m)
      if (c.at(w, m).passed()) best = std::max(best, figure_of(w, m).value);
    text += fmt::format("<tr><td>{}</td>", escaped(c.workloads[w]));
    for (size_t m = 0; m < c.mechanisms.size(); ++m) {
      const RunResult& run = c.at(w, m);
      if (!run.passed()) {
        text += fmt::format("<td title=\"{}\">{}</td>", escaped(run.failure ? run.failure->message : run.check->detail),
                            run.failure ? outcome_of(run) : "wrong");
        continue;
      }
      const Figure figure = figure_of(w, m);
      text += fmt::format("<td{} title=\"{}\">{}</td>", figure.value == best ? " class=best" : "", escaped(figure.hint),
                          figure.text);
    }
    text += "</tr>\n";
  }
  text += "<tr><td>mean</td>";
  for (size_t m = 0; m < c.mechanisms.size(); ++m) text += fmt::format("<td>{}</td>", mean_of(m));
  return text + "</tr>\n</table></div>\n";
}

std::string efficiency_table(const Comparison& c) {
  return matrix(
      c, c.timed() ? "efficiency" : "headline",
      [&](size_t w, size_t m) -> Figure {
        const RunResult& run = c.at(w, m);
        const double efficiency = run.total.stats.simd_efficiency(run.warp_size());
        return {efficiency, percent(efficiency), fmt::format("{} issue slots", grouped(run.total.stats.issue_slots))};
      },
      [&](size_t m) { return percent(mean_of(c, m).simd_efficiency); });
}

std::string speed_table(const Comparison& c) {
  return matrix(
      c, "headline",
      [&](size_t w, size_t m) -> Figure {
        const RunResult& run = c.at(w, m);
        const double ratio = against_first(c, w, m).value_or(0);
        return {ratio, fmt::format("{:.3f}", ratio),
                fmt::format("IPC {:.2f}, {} cycles, {} idle", run.total.stats.ipc(), grouped(run.timing().cycles),
                            percent(idle_share(run)))};
      },
      [&](size_t m) { return fmt::format("{:.3f}", mean_of(c, m).against_first); });
}

std::string efficiency_chart(const Comparison& c) {
  std::string text;
  for (size_t w = 0; w < c.workloads.size(); ++w) {
    text += fmt::format("<div class=group><h3>{}</h3>\n", escaped(c.workloads[w]));
    for (size_t m = 0; m < c.mechanisms.size(); ++m) {
      const RunResult& run = c.at(w, m);
      if (!run.passed()) continue;
      const double share = run.total.stats.simd_efficiency(run.warp_size());
      const auto hint = fmt::format("{}: {} issue slots", c.mechanisms[m], run.total.stats.issue_slots);
      text +=
          row(c.mechanisms[m], bar(kColours[m % kColours.size()], share, hint), fmt::format("{:.1f} %", 100 * share));
    }
    text += "</div>\n";
  }
  return text;
}

// One part of a stacked bar, in the colour of its class.
struct Part {
  std::string name;
  std::string_view colour;
  uint64_t amount;
};

// Emulation: issue slots by active threads. Cycle level: the cycles of all cores, by what happened in them.
std::vector<Part> parts_of(const RunResult& run) {
  std::vector<Part> parts;
  std::array<uint64_t, 8> classes{};
  const CoreStats cores = run.timing().all_cores();
  for (unsigned active = 1; active <= run.warp_size(); ++active)
    classes[(active * 8 - 1) / run.warp_size()] +=
        run.timed ? cores.issue_cycles[active] : run.total.stats.active_threads[active];
  for (unsigned i = 0; i < 8; ++i) parts.push_back({fmt::format("{}/8", i + 1), kShades[i], classes[i]});
  if (!run.timed) return parts;
  parts.push_back({"Stall", "#aa3377", cores.stall});
  parts.push_back({"W0_Mem", "#4477aa", cores.w0_mem});
  parts.push_back({"W0_Idle", "#bbbbbb", cores.w0_idle});
  return parts;
}

double length_of(const RunResult& run) {
  return static_cast<double>(run.timed ? run.timing().all_cores().cycles() : run.total.stats.issue_slots);
}

std::string breakdown_chart(const Comparison& c) {
  std::string text = "<p class=legend>";
  for (const Part& part : parts_of(c.runs[0]))
    text += fmt::format("<span><b style=\"background:{}\"></b>{}</span>", part.colour, part.name);
  text += "</p>\n";
  for (size_t w = 0; w < c.workloads.size(); ++w) {
    double longest = 0;
    for (size_t m = 0; m < c.mechanisms.size(); ++m)
      if (c.at(w, m).passed()) longest = std::max(longest, length_of(c.at(w, m)));
    text += fmt::format("<div class=group><h3>{}</h3>\n", escaped(c.workloads[w]));
    for (size_t m = 0; m < c.mechanisms.size(); ++m) {
      const RunResult& run = c.at(w, m);
      if (!run.passed()) continue;
      std::string bars;
      for (const Part& part : parts_of(run))
        bars += bar(part.colour, static_cast<double>(part.amount) / longest,
                    fmt::format("{}: {}", part.name, grouped(part.amount)));
      text += row(c.mechanisms[m], bars, fmt::format("{:.2f} x", length_of(run) / length_of(c.at(w, 0))));
    }
    text += "</div>\n";
  }
  return text;
}

std::string introduction(const Comparison& c, const std::string& command) {
  return fmt::format("<p class=soft>{} workloads under {} divergence mechanisms, {}. Made by <code>{}</code></p>\n",
                     c.workloads.size(), c.mechanisms.size(), c.timed() ? "cycle level" : "emulation",
                     escaped(command));
}

std::string timed_sections(const Comparison& c, const std::string& first) {
  return fmt::format(
      "<h2>Instructions per cycle, over those of {0}</h2>\n"
      "<p class=soft>The best of each row in bold; the mean is harmonic. A mechanism that cannot run a workload, or "
      "runs it wrong, says so.</p>\n{1}"
      "<h2>Where the cycles go</h2>\n"
      "<p class=soft>Length: cycles of all cores, and their ratio to {0}. Colour: the share of lanes that were active "
      "when an instruction was issued; Stall, held by the pipeline below; W0_Mem, nothing ready and some warp waits "
      "for "
      "memory; W0_Idle, nothing ready.</p>\n{2}",
      first, speed_table(c), breakdown_chart(c));
}

std::string efficiency_sections(const Comparison& c) {
  return fmt::format(
      "<h2>SIMD efficiency: active lanes of those issued</h2>\n"
      "<p class=soft>The best of each row in bold. A mechanism that cannot run a workload, or runs it wrong, says "
      "so.</p>\n{}"
      "<h2>The same as bars, 0 to 100 % of the lanes</h2>\n{}",
      efficiency_table(c), efficiency_chart(c));
}

std::string slot_section(const Comparison& c, const std::string& first) {
  return fmt::format(
      "<h2>Where the issue slots go, by share of active lanes</h2>\n"
      "<p class=soft>Length: issue slots, and their ratio to {}. Colour: how many lanes were active in them.</p>\n{}",
      first, breakdown_chart(c));
}

}  // namespace

std::string comparison_html(const Comparison& c, const std::string& command) {
  const std::string first = escaped(c.mechanisms[0]);
  const std::string sections =
      c.timed() ? timed_sections(c, first) + efficiency_sections(c) : efficiency_sections(c) + slot_section(c, first);
  return fmt::format(
      "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\n"
      "<title>Heddle: mechanisms compared</title><style>{}</style>\n"
      "<h1>Which threads issue together?</h1>\n{}{}</html>\n",
      kStyle, introduction(c, command), sections);
}

}  // namespace heddle

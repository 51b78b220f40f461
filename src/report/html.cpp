#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

std::string headline(const Comparison& c) {
  std::string text = "<div class=scroll><table id=headline><tr><th>workload</th>";
  for (const std::string& mechanism : c.mechanisms) text += fmt::format("<th>{}</th>", escaped(mechanism));
  text += "</tr>\n";
  for (size_t w = 0; w < c.workloads.size(); ++w) {
    double best = 0;
    for (size_t m = 0; m < c.mechanisms.size(); ++m)
      if (c.at(w, m).passed()) best = std::max(best, c.at(w, m).active_per_slot());
    text += fmt::format("<tr><td>{}</td>", escaped(c.workloads[w]));
    for (size_t m = 0; m < c.mechanisms.size(); ++m) {
      const RunResult& run = c.at(w, m);
      if (!run.passed())
        text += fmt::format("<td title=\"{}\">{}</td>", escaped(run.failure ? run.failure->message : run.check->detail),
                            run.failure ? "refused" : "wrong");
      else
        text += fmt::format("<td{}>{:.1f} %</td>", run.active_per_slot() == best ? " class=best" : "",
                            100 * run.total.stats.simd_efficiency(run.warp_size()));
    }
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
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

// Issue slots by active threads, in eight classes; the length is relative to the first mechanism.
std::string breakdown_chart(const Comparison& c) {
  std::string text = "<p class=legend>";
  for (unsigned i = 0; i < 8; ++i)
    text += fmt::format("<span><b style=\"background:{}\"></b>{}/8</span>", kShades[i], i + 1);
  text += "</p>\n";
  for (size_t w = 0; w < c.workloads.size(); ++w) {
    double longest = 0;
    for (size_t m = 0; m < c.mechanisms.size(); ++m)
      if (c.at(w, m).passed()) longest = std::max(longest, static_cast<double>(c.at(w, m).total.stats.issue_slots));
    text += fmt::format("<div class=group><h3>{}</h3>\n", escaped(c.workloads[w]));
    for (size_t m = 0; m < c.mechanisms.size(); ++m) {
      const RunResult& run = c.at(w, m);
      if (!run.passed()) continue;
      std::array<uint64_t, 8> classes{};
      for (unsigned active = 1; active <= run.warp_size(); ++active)
        classes[(active * 8 - 1) / run.warp_size()] += run.total.stats.active_threads[active];
      std::string bars;
      for (unsigned i = 0; i < 8; ++i)
        bars += bar(kShades[i], static_cast<double>(classes[i]) / longest,
                    fmt::format("{} slots with up to {}/8 of the lanes active", classes[i], i + 1));
      const auto first = static_cast<double>(c.at(w, 0).total.stats.issue_slots);
      text +=
          row(c.mechanisms[m], bars, fmt::format("{:.2f} x", static_cast<double>(run.total.stats.issue_slots) / first));
    }
    text += "</div>\n";
  }
  return text;
}

}  // namespace

std::string comparison_html(const Comparison& c, const std::string& command) {
  return fmt::format(
      "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\n"
      "<title>Heddle: mechanisms compared</title><style>{}</style>\n"
      "<h1>Which threads issue together?</h1>\n"
      "<p class=soft>{} workloads under {} divergence mechanisms, emulation. Made by <code>{}</code></p>\n"
      "<h2>SIMD efficiency: active lanes of those issued</h2>\n"
      "<p class=soft>The best of each row in bold. A mechanism that cannot run a workload, or runs it wrong, says "
      "so.</p>\n{}"
      "<h2>The same as bars, 0 to 100 % of the lanes</h2>\n{}"
      "<h2>Where the issue slots go, by share of active lanes</h2>\n"
      "<p class=soft>Length: issue slots, and their ratio to {}. Colour: how many lanes were active in them.</p>\n{}"
      "</html>\n",
      kStyle, c.workloads.size(), c.mechanisms.size(), escaped(command), headline(c), efficiency_chart(c),
      escaped(c.mechanisms.empty() ? "" : c.mechanisms[0]), breakdown_chart(c));
}

}  // namespace heddle

// One chart of the report: what it shows, its numbers, and the command that makes them again. The page draws it, and
// sets the same numbers as a table below.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/page/run_group.h"

namespace heddle {

struct Chart {
  enum class Kind : uint8_t {
    Bars,   // a group of bars per workload, one per series
    Stack,  // the same, each bar (`bar`) a stack of series
    Lines,  // series over `x`
    Heat,   // a row per workload, a field per series, shaded by its value: for what would be hundreds of bars
  };
  enum class Unit : uint8_t { Ratio, Share, Count, Bytes };

  struct Series {
    std::string name;
    std::string colour;  // a colour of the page's style: "m1", "w8", "stall"
  };
  struct Datum {
    std::string group;  // of bars: a workload, or a mean
    std::string bar;    // Stack: which. Heat: a class of rows
    size_t series = 0;
    double x = 0;                 // Lines; infinity is "no limit"
    std::optional<double> value;  // none: `note` says why
    std::string note;
    bool best = false;  // Heat: marked, of its row
  };

  Kind kind = Kind::Bars;
  Unit unit = Unit::Ratio;
  std::string id, title, caption;
  std::string values, groups;  // what the axes are called, with units
  double from = 0;             // where bars begin; of a heat chart, the value that has no shade
  bool yardstick = false;      // Bars: the first series is what the others are measured by, and has no bars
  bool folded = false;         // shown when it is asked for
  std::string command;
  std::vector<Series> series;
  std::vector<Datum> data;

  bool empty() const;
  std::string text(double value) const;  // with its unit
};

// The same mechanism has the same colour everywhere.
std::string mechanism_colour(const std::string& mechanism);
std::vector<Chart::Series> mechanism_series(const RunGroup& group);

std::string chart_html(const Chart& chart, bool drawn);  // the figure; `drawn`: there is a script that draws it
ReportData::Json chart_json(const Chart& chart);         // what that script is given

}  // namespace heddle

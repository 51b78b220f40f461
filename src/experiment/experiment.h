// An experiment: the claims of one paper, which runs answer them, how a figure is computed from their statistics, and
// when it counts as what the paper says. Read from TOML (experiments/*.toml, docs/experiments.md); values only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/condition.h"
#include "experiment/variant.h"
#include "run/run_spec.h"

namespace heddle {

// How the values of several workloads become one figure.
enum class Fold : uint8_t {
  Harmonic,    // mean
  Arithmetic,  // mean
  Max,
  Min,
  Spread,  // largest over smallest
  Share,   // of the workloads, those whose value meets a condition
  Each     // no figure: every workload is judged by itself
};

// How a figure is shown.
enum class FigureUnit : uint8_t {
  Change,   // 1.22 is "+22.0 %"
  Times,    // 2.7 is "2.70 x"
  Percent,  // 0.866 is "86.6 %"
  Number
};
std::string_view name_of(FigureUnit unit);  // as in TOML and JSON: "change", …

// A statistic of a run: fields of its `total`, summed, over others, summed.
struct Statistic {
  std::vector<std::string> fields, per;
  std::vector<std::string> per_largest;  // or over the largest of these
};

struct Filter {
  Statistic statistic;
  Condition is;
};

struct Part {
  std::string name;
  Statistic value;
  std::vector<std::string> of;    // runs; of several, the best for each workload
  std::vector<std::string> over;  // the ratio to this run, or the best of these, workload by workload; or none
  std::string via;                // both against this run first, and the ratio of the two folded figures; or ""
  std::vector<std::string> on;    // workloads
  std::optional<Filter> only;     // of these, those whose first run meets this
  Fold fold = Fold::Harmonic;
  std::optional<Condition> is;          // Share: what is counted
  std::map<std::string, double> paper;  // by workload; "" for all
  std::optional<Condition> holds, direction;
  double within = 0.1, near = 0.25;  // figures that are no ratios: how far from the paper's, as a share of it
  bool judged = true;                // false: shown, and used by orders
  FigureUnit unit = FigureUnit::Number;
  std::string place;  // "tbc.toml:12"

  bool ratio() const { return !over.empty(); }
  std::vector<std::string> runs() const;  // all that it needs
  // Of a share or a spread the unit is the figure's, not the values'.
  FigureUnit unit_of_values() const { return fold == Fold::Share || fold == Fold::Spread ? FigureUnit::Number : unit; }
};

struct Claim {
  std::string id, text, paper;
  std::vector<Part> parts;
  std::vector<std::vector<std::string>> orders;  // names of parts, the largest figure first
  std::string remark;                            // ours, on the result at full size
};

// All mechanisms on all workloads, side by side.
struct HeadToHead {
  std::vector<std::string> runs, workloads;
  std::vector<std::string> bounds;  // runs that no hardware has: they win nothing
  std::string what = "mechanism";   // runs differ in it
  bool timed = true;                // compared by IPC; without a clock by active threads per issue slot
};

struct Experiment {
  std::string name, title, quick = "small", full = "paper";
  std::string published;                // "2011-02": papers come first, the oldest first
  std::string file;                     // of one that is not part of the program
  std::map<std::string, RunSpec> runs;  // without workload; the size is empty unless the run has one of its own
  std::map<std::string, std::string> occupancy;  // by workload: the setting that says how many blocks a core holds
  std::vector<Claim> claims;
  std::vector<Variant> variants;  // in the order of the file
  std::optional<HeadToHead> head_to_head;

  // The run of that name on a workload, as it is or changed.
  RunSpec spec(const std::string& run, const std::string& workload, bool quick_size,
               const Variant* variant = nullptr) const;
};

// `file` is for messages. Error (Usage) with file and line.
Experiment read_experiment(std::string_view text, std::string_view name, std::string_view file);

// The files of experiments/ are part of the program: each is an experiment.
std::vector<std::string_view> experiment_names();  // by name
// All of them: papers by their date, then what no paper has by name.
std::vector<Experiment> all_experiments();
bool experiment_has_blocks(std::string_view name);  // one of these that has a table [blocks_per_core] of its own
// One of these, or of a file whose path ends with ".toml".
Experiment experiment_named(std::string_view name);

}  // namespace heddle

// What `heddle reproduce` has found, as a table for the terminal, as JSON and as a page.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiment/head_to_head.h"
#include "experiment/originals.h"
#include "experiment/verdict.h"

namespace heddle {

// The claims that a variant is about, once more.
struct VariantResult {
  const Variant* variant = nullptr;
  std::vector<ClaimResult> claims;
};

struct ExperimentResult {
  const Experiment* experiment = nullptr;
  std::string size;  // of its runs
  std::vector<ClaimResult> claims;
  std::vector<VariantResult> variants;
  std::optional<HeadToHeadResult> head_to_head;

  // Of the variants that are about all claims: what they make of this one.
  std::vector<const ClaimResult*> columns(const Claim& claim) const;
};

struct Reproduction {
  bool quick = false;
  bool sensitivity = false;  // the variants are plausible values (sensitivity.h)
  std::vector<ExperimentResult> experiments;
  std::vector<std::string> problems;  // runs that ended in an error
  std::optional<Originals> originals = std::nullopt;
};

std::string figure_text(FigureUnit unit, double value);  // "+22.0 %"
std::string figure_or_dash(FigureUnit unit, const std::optional<double>& value);

// A claim in lines: itself, then its parts and orders where there are several. The table, the pages and the JSON have
// the same.
struct ClaimLine {
  std::string id;  // empty below the first
  std::string what, paper, ours, verdict;
  std::optional<size_t> part = std::nullopt;  // whose figure `ours` is
};
std::vector<ClaimLine> lines_of(const ClaimResult& result);
std::string outcome_text(const ClaimLine& line);  // "+3.1 %, holds in direction"
// What a workload contributed to a part: "+3.1 %", "FAILED under dwf".
std::string workload_text(const PartResult& part, size_t workload);
// A part, workload by workload: "bfs +3.1 %", "nvrt FAILED under dwf".
std::string workloads_text(const PartResult& part);

// How many claims came to which verdict: "12 hold, …".
std::string tally(const Reproduction& reproduction);

std::string reproduction_table(const Reproduction& reproduction, bool details);
nlohmann::ordered_json reproduction_json(const Reproduction& reproduction);
std::string reproduction_page(const Reproduction& reproduction, const std::string& command);

}  // namespace heddle

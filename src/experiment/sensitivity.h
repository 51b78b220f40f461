// How much of a verdict hangs on what nobody knows: the claims again for every value that a preset calls as plausible
// as its own, one key at a time.
#pragma once

#include <string>
#include <vector>

#include "experiment/reproduction.h"

namespace heddle {

// One for each plausible value of the presets of the experiment's runs, about all claims: "dram_twtr = 0".
std::vector<Variant> plausible_variants(const Experiment& experiment);

// Where a figure is at its least and its most.
struct Swing {
  const ClaimResult* claim = nullptr;
  size_t part = 0;
  double ours = 0, least = 0, most = 0;
  std::string least_by, most_by;       // names of variants; empty: ours
  std::vector<std::string> turned_by;  // variants under which the claim has another verdict
};
std::vector<Swing> swings_of(const ExperimentResult& result);  // result.variants are plausible_variants()

std::string sensitivity_table(const ExperimentResult& result);

}  // namespace heddle

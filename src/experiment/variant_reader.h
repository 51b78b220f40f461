// [variants] of an experiment's file.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "experiment/experiment.h"

namespace heddle {

// `of` has its runs and claims: what a variant changes must count in one of them. Error (Usage) with file and line.
std::vector<Variant> read_variants(const toml::table& table, const Experiment& of, const std::string& file);

}  // namespace heddle

// Verbs and options in groups, for --help and the manual pages.
#pragma once

#include <CLI/CLI.hpp>

namespace heddle::cli {

// Of every verb of the app and its options; what no group names stays under CLI11's own headings.
void put_into_groups(CLI::App& app);

}  // namespace heddle::cli

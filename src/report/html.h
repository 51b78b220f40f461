// A comparison as a web page: one file, nothing fetched, light and dark, readable on paper.
#pragma once

#include <string>

#include "report/comparison.h"

namespace heddle {

// `command` is what reproduces it.
std::string comparison_html(const Comparison& comparison, const std::string& command);

}  // namespace heddle

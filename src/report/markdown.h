// Tables for pages in Markdown.
#pragma once

#include <string>
#include <vector>

namespace heddle {

std::string markdown_row(const std::vector<std::string>& cells);  // whatever they hold stays inside its cell
std::string markdown_head(const std::vector<std::string>& headings);

}  // namespace heddle

// Tables for a terminal: verdicts and warnings in colour. Elsewhere the text as it is.
#pragma once

#include <cstdio>
#include <string>

namespace heddle {

std::string painted(const std::string& text, std::FILE* stream);

}  // namespace heddle

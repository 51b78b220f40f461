// The instructions heddle knows, for a person: made from the table of forms.
#pragma once

#include <string>

namespace heddle {

std::string instruction_table();           // for the terminal: one line per form
std::string instruction_table_markdown();  // docs/ptx-support.md

}  // namespace heddle

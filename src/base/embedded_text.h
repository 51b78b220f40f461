// A text file that is part of the program (tools/embed_texts.cmake).
#pragma once

#include <string_view>

namespace heddle {

struct EmbeddedText {
  std::string_view file;  // "bfs/kernel.ptx"
  std::string_view text;
};

}  // namespace heddle

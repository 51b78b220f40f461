// The gallery of `heddle view --gallery`: worked examples of the papers as PTX (gallery/*.ptx), part of the program.
//
// The comment an example begins with says how it is run, a line each: title, block (threads of its one block), set
// (key=value), arg, beside (the mechanisms to look at first), clock (yes: at cycle level, else by emulation). What
// follows an empty line is about it.
#pragma once

#include <string>
#include <vector>

#include "run/run_spec.h"

namespace heddle {

struct GalleryExample {
  std::string name, title;
  std::string text;                 // paragraphs, with an empty line between them
  std::vector<std::string> beside;  // mechanisms
  RunSpec spec;                     // under any of them
};

std::vector<GalleryExample> gallery();
// All but bounds; those to look at first come first.
std::vector<std::string> mechanisms_for(const GalleryExample& example);

}  // namespace heddle

// Several PTX modules → one: what nvcc -rdc=true leaves to the time of loading.
//
// Everything is kept as it is written, but that
//   declarations of what another module defines go, and so do repeated ones;
//   of weak definitions the first stays;
//   what only its module knows gets another name where two modules have the same;
//   source files are numbered anew.
// The device runtime (cudadevrt), which nvcc links to every such program, is left out unless something asks for it.
#pragma once

#include <string>
#include <vector>

namespace heddle::runtime {

// Error (BadProgram) if a text cannot be taken apart.
std::string link_ptx(const std::vector<std::string>& modules);

}  // namespace heddle::runtime

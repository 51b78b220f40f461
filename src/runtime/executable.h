// What an executable says of itself, as far as the CUDA runtime goes: read before it is run, so that a program that
// could not be served is refused with advice.
#pragma once

#include <string>
#include <vector>

namespace heddle::runtime {

struct Executable {
  std::string path;
  bool is_elf = false;  // of this machine's word size; else a script, say
  bool has_device_code = false;
  std::vector<std::string> needed;  // shared libraries it asks for
  bool has_rpath = false;           // DT_RPATH, which the loader obeys before LD_LIBRARY_PATH
  std::string obstacle = {};        // why this machine cannot run it; empty if it can

  bool has_runtime_inside = false;  // NVIDIA's, with its symbols

  bool needs_cuda() const;  // libcudart.so of some version, or libcuda.so.1
};

// The file that `name` means, looked for along PATH if it has no slash. Error (Usage) if there is none to run.
std::string find_executable(const std::string& name);
Executable read_executable(const std::string& path);
// Error (Usage) if it cannot be run, (BadProgram) that says how to rebuild, if its CUDA runtime is inside it and has no
// symbols by which it could be replaced.
void check_executable(const Executable& executable);

}  // namespace heddle::runtime

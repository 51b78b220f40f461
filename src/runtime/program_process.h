// A CUDA program as a child process, with our libcudart.so and libcuda.so.1 in the place of NVIDIA's.
//
// The loader does that by itself: LD_LIBRARY_PATH names the folder of ours, where it lies under the name of every CUDA
// version. A program with a DT_RPATH looks there first; for it ours is preloaded, under every name, so that the loader
// has it when the program asks for one. One that has NVIDIA's runtime inside it, or a script, which may start such a
// one, has our libcuda.so.1 preloaded, which replaces that runtime (cudart/runtime_inside.cpp).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <string>
#include <vector>

#include "runtime/executable.h"

namespace heddle::runtime {

// The folder with our libraries: beside this program, or where it was installed. Error (Usage) if it is nowhere.
std::string shim_folder();

// Starts `words` (the program and its arguments) with `socket` as the way to the simulator. `silent`: what it prints
// goes nowhere; `output`: its standard output is this open file.
pid_t start_program(const Executable& executable, const std::vector<std::string>& words, const std::string& socket,
                    bool silent = false, int output = -1);

struct ProgramEnd {
  int code = 0;    // its exit code; 128 + the number of the signal that ended it
  int signal = 0;  // that signal, or 0
};
// Waits for it. Once `stop` is set it is sent SIGINT, and SIGKILL a second later.
ProgramEnd wait_for_program(pid_t process, const std::atomic<bool>* stop);

}  // namespace heddle::runtime

// CUDA programs by clang, without the CUDA toolkit: `heddle cc`.
//
// clang compiles a .cu file twice, for the GPU and for the host. Its own way from one to the other goes through two
// tools of the toolkit (ptxas, fatbinary); here the PTX is put into a fat binary as it is (fat_binary.h), which clang
// then takes into the host's object. The toolkit's headers are replaced by ours (include/), which are part of this
// program. The result asks the loader for libcudart.so.13, like a program of nvcc 13.
#pragma once

#include <string>
#include <vector>

namespace heddle::runtime {

struct CudaCompiler {
  std::string compiler;            // the newest clang there is, of era clang++, if empty
  std::string output;              // a.out, or NAME.o with `objects`, if empty
  bool objects = false;            // one object per source, no program
  bool era = false;                // kernels as compilers of 2010 wrote them: 32-bit addresses, the source's branches
  std::string ptx;                 // a file to be the kernels of the one source, instead of what clang makes of them
  std::string cuda_path;           // where Thrust, CUB and libcu++ are taken from, if they are
  bool verbose = false;            // print each command
  std::vector<std::string> words;  // sources, objects and flags, as they stand on the command line

  // Error (BadProgram) if clang refuses; its own messages are on standard error by then. Error (Usage) if there is no
  // clang, no source, or an output that cannot be.
  void run() const;
};

}  // namespace heddle::runtime

#include "runtime/temporary_program.h"

#include "runtime/cuda_compiler.h"

namespace heddle::runtime {

TemporaryProgram::TemporaryProgram(const std::string& source)
    : path_((folder_.path() / std::filesystem::path(source).stem()).string()) {
  CudaCompiler compiler;
  compiler.output = path_;
  compiler.words = {source};
  compiler.run();
}

}  // namespace heddle::runtime

#include "runtime/temporary_program.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "runtime/cuda_compiler.h"

namespace heddle::runtime {
namespace {

std::string new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "heddle-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw Error(ExitCode::Usage, fmt::format("cannot make a folder '{}': {}", name, std::strerror(errno)));
  return name;
}

}  // namespace

TemporaryProgram::TemporaryProgram(const std::string& source) : folder_(new_folder()) {
  path_ = (std::filesystem::path(folder_) / std::filesystem::path(source).stem()).string();
  CudaCompiler compiler;
  compiler.output = path_;
  compiler.words = {source};
  try {
    compiler.run();
  } catch (...) {
    std::filesystem::remove_all(folder_);
    throw;
  }
}

TemporaryProgram::~TemporaryProgram() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace heddle::runtime

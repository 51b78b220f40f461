// A CUDA source compiled into a place that is gone with this object.
#pragma once

#include <string>

namespace heddle::runtime {

class TemporaryProgram {
 public:
  explicit TemporaryProgram(const std::string& source);  // Error as of CudaCompiler
  ~TemporaryProgram();
  TemporaryProgram(const TemporaryProgram&) = delete;
  TemporaryProgram& operator=(const TemporaryProgram&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

}  // namespace heddle::runtime

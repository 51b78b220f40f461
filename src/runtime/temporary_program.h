// A CUDA source compiled into a place that is gone with this object.
#pragma once

#include <string>

#include "base/temporary_folder.h"

namespace heddle::runtime {

class TemporaryProgram {
 public:
  explicit TemporaryProgram(const std::string& source);  // Error as of CudaCompiler
  const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace heddle::runtime

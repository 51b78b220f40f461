// A folder of its own, gone with all that is in it.
#pragma once

#include <filesystem>

namespace heddle {

class TemporaryFolder {
 public:
  TemporaryFolder();  // where such folders lie (TMPDIR). Error (Host) where none can be made
  explicit TemporaryFolder(const std::filesystem::path& parent);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle

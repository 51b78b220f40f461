#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.h"

namespace heddle::cli {
namespace {

Error cannot_write(const std::string& path) {
  return Error(ExitCode::Usage, fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

std::set<std::string> in_use;

// Of a file, whatever its path: "" for what is none, such as /dev/null.
std::string place_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool is_file = path != "-" && (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored));
  return is_file ? fs::weakly_canonical(fs::absolute(path, ignored), ignored).string() : "";
}

int opened(const std::string& path, int more) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | more, 0666);
  if (file < 0 && !(more & O_EXCL)) throw cannot_write(path);
  return file;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path.empty()) return;
  place_ = place_of(path);
  if (in_use.contains(place_)) throw Error(ExitCode::Usage, fmt::format("two things are to be written to '{}'", path));
  if (to_stdout()) {
    std::fflush(stdout);
    file_ = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (file_ < 0) throw cannot_write(path);
  } else if (const int fresh = opened(path, O_EXCL); fresh >= 0) {  // it can be made: that is enough for now
    close(fresh);
    unlink(path.c_str());
  } else {
    file_ = opened(path, 0);
  }
  if (!place_.empty()) in_use.insert(place_);
}

OutputFile::~OutputFile() {
  in_use.erase(place_);
  if (stream_) std::fclose(stream_);
  if (file_ < 0) return;
  if (to_stdout()) {
    std::fflush(stdout);
    dup2(file_, STDOUT_FILENO);
  }
  close(file_);
}

void OutputFile::begin() {
  if (file_ < 0) file_ = opened(path_, 0);
  if (!to_stdout() && ftruncate(file_, 0) != 0 && errno != EINVAL) throw cannot_write(path_);  // EINVAL: a pipe
}

std::FILE* OutputFile::stream() {
  begin();
  stream_ = fdopen(dup(file_), "w");
  if (!stream_) throw cannot_write(path_);
  return stream_;
}

void OutputFile::close_stream() {
  const bool failed = std::ferror(stream_) != 0;
  if (std::fclose(std::exchange(stream_, nullptr)) != 0 || failed) throw cannot_write(path_);
}

void OutputFile::write(const std::string& text) {
  if (!wanted()) return;
  begin();
  for (size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(file_, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) throw cannot_write(path_);
    done += static_cast<size_t>(wrote);
  }
}

void OutputFile::write(const nlohmann::ordered_json& json) {
  if (wanted()) write(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace heddle::cli

// What the fuzzers share. A target reads any bytes and ends, with a result or with an Error: what a user can cause. An
// InternalError, any other exception, a crash or a report of the sanitizers is a bug.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"

namespace heddle::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

template <class Read>
int expect_result_or_error(Read&& read) {
  try {
    read();
  } catch (const InternalError&) {
    throw;
  } catch (const Error&) {
  }
  return 0;
}

// A file with these bytes, in memory, under a path.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* data, size_t size) : descriptor_(memfd_create("fuzz", 0)) {
    if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size)) {
      std::perror("memfd");
      std::abort();
    }
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  const int descriptor_;
};

}  // namespace heddle::fuzz

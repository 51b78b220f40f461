// Memory of the host for what the threads of a core have to themselves. What one launch no longer needs is given to the
// next: to take it from the host for each of them, and by many threads at the same time, takes longer than many a
// launch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

class ThreadMemory {
 public:
  enum class Holds : uint8_t {
    Anything,  // it may hold what others have left
    Zero,      // until somebody writes to it
    Nothing,   // zero, and nobody will write to it: it only has to be there
  };

  ThreadMemory(size_t bytes, Holds what);
  ~ThreadMemory();
  ThreadMemory(const ThreadMemory&) = delete;
  ThreadMemory& operator=(const ThreadMemory&) = delete;

  std::byte* begin() const { return begin_; }

 private:
  const size_t bytes_;
  const Holds what_;
  std::byte* const begin_;  // null: no bytes
};

}  // namespace heddle

#include "exec/thread_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <bit>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.h"

namespace heddle {
namespace {

constexpr size_t kMostKept = 256;                     // of one size
constexpr size_t kMostBytesKept = size_t{512} << 20;  // that somebody has written to

// Of all launches.
class Store {
 public:
  std::byte* take(size_t bytes, ThreadMemory::Holds what) {
    {
      const std::lock_guard lock(mutex_);
      std::vector<std::byte*>& free = free_[{bytes, what}];
      if (!free.empty()) {
        std::byte* const begin = free.back();
        free.pop_back();
        if (what == ThreadMemory::Holds::Anything) bytes_kept_ -= bytes;
        return begin;
      }
    }
    void* const begin =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED)
      throw Error(ExitCode::Host, fmt::format("cannot reserve {} bytes for the threads of a core", bytes));
    return static_cast<std::byte*>(begin);
  }

  void give_back(std::byte* begin, size_t bytes, ThreadMemory::Holds what) {
    if (!keep(begin, bytes, what)) munmap(begin, bytes);
  }

 private:
  bool keep(std::byte* begin, size_t bytes, ThreadMemory::Holds what) {
    if (what == ThreadMemory::Holds::Zero) return false;
    const std::lock_guard lock(mutex_);
    std::vector<std::byte*>& free = free_[{bytes, what}];
    if (free.size() == kMostKept) return false;
    if (what == ThreadMemory::Holds::Anything) {
      if (bytes_kept_ + bytes > kMostBytesKept) return false;
      bytes_kept_ += bytes;
    }
    free.push_back(begin);
    return true;
  }

  std::mutex mutex_;
  std::map<std::pair<size_t, ThreadMemory::Holds>, std::vector<std::byte*>> free_;
  size_t bytes_kept_ = 0;
};

Store& store() {
  static Store* const the = new Store;  // launches may end behind everything else
  return *the;
}

}  // namespace

// Powers of two, so that kernels find what others have left; what nobody touches costs nothing.
ThreadMemory::ThreadMemory(size_t bytes, Holds what)
    : bytes_(what == Holds::Anything && bytes > 0 ? std::bit_ceil(bytes) : bytes),
      what_(what),
      begin_(bytes_ == 0 ? nullptr : store().take(bytes_, what)) {}

ThreadMemory::~ThreadMemory() {
  if (begin_) store().give_back(begin_, bytes_, what_);
}

}  // namespace heddle

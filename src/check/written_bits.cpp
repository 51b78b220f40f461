#include "check/written_bits.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "base/error.h"

namespace heddle::check {
namespace {

// Calls f(place, bytes) for the parts of a range that lie in one word each, until it says no.
template <class F>
bool each_word(uint64_t at, uint64_t bytes, F&& f) {
  while (bytes > 0) {
    const uint64_t part = std::min(bytes, 64 - at % 64);
    if (!f(at, part)) return false;
    at += part;
    bytes -= part;
  }
  return true;
}

}  // namespace

WrittenBits::WrittenBits(uint64_t bytes) : reserved_((bytes / 64 + 1) * 8) {
  void* at = mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    throw Error(ExitCode::Host, fmt::format("cannot reserve {} bytes for the check of written memory", reserved_));
  words_ = static_cast<uint64_t*>(at);
}

WrittenBits::~WrittenBits() { munmap(words_, reserved_); }

bool WrittenBits::has_all(uint64_t at, uint64_t bytes) const {
  return each_word(at, bytes,
                   [this](uint64_t place, uint64_t part) { return (~words_[place / 64] & mask(place, part)) == 0; });
}

void WrittenBits::set(uint64_t at, uint64_t bytes, bool value) {
  each_word(at, bytes, [&](uint64_t place, uint64_t part) {
    const uint64_t bits = mask(place, part);
    words_[place / 64] = value ? words_[place / 64] | bits : words_[place / 64] & ~bits;
    return true;
  });
}

}  // namespace heddle::check

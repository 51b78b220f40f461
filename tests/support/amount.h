// How much of a long product or random test is run.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace heddle::test {

inline bool full_run() { return std::getenv("HEDDLE_FULL") != nullptr; }

// Sanitizers make everything twenty times slower.
constexpr bool sanitized() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
  return true;
#else
  return false;
#endif
}

// So many in `make test-full`, in `make test`, and under sanitizers.
inline uint64_t amount(uint64_t full, uint64_t usual, uint64_t under_sanitizers) {
  if (full_run()) return full;
  return sanitized() ? under_sanitizers : usual;
}

// Of what is sampled another share's turn comes with every commit (tools/run-tests); by hand always the first.
inline uint64_t turn() {
  const char* turn = std::getenv("HEDDLE_TURN");
  return turn ? std::strtoull(turn, nullptr, 10) : 0;
}

}  // namespace heddle::test

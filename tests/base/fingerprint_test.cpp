#include "base/fingerprint.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace heddle {
namespace {

uint64_t of(const std::vector<unsigned char>& first, const std::vector<unsigned char>& second = {}) {
  Fingerprint fingerprint;
  fingerprint.add(first.data(), first.size());
  fingerprint.add(second.data(), second.size());
  return fingerprint.value();
}

TEST(Fingerprint, changes_with_every_byte_of_every_part) {
  for (size_t size : {1U, 4U, 31U, 32U, 33U, 100U}) {
    std::set<uint64_t> seen{of(std::vector<unsigned char>(size), {7, 8})};
    for (size_t i = 0; i < size; ++i) {
      std::vector<unsigned char> bytes(size);
      bytes[i] = 1;
      EXPECT_TRUE(seen.insert(of(bytes, {7, 8})).second) << size << " " << i;
    }
    EXPECT_TRUE(seen.insert(of(std::vector<unsigned char>(size), {7, 9})).second) << size;
  }
}

TEST(Fingerprint, is_the_same_for_the_same_bytes) { EXPECT_EQ(of({1, 2, 3}, {4}), of({1, 2, 3}, {4})); }

}  // namespace
}  // namespace heddle

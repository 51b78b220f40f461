// Which bytes have been written: a bit each, of a range that is reserved and takes memory as it is touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::check {

class WrittenBits {
 public:
  explicit WrittenBits(uint64_t bytes);  // so many have a bit
  ~WrittenBits();
  WrittenBits(const WrittenBits&) = delete;
  WrittenBits& operator=(const WrittenBits&) = delete;

  // Few at a time, which do not cross a multiple of 64.
  bool has(uint64_t at, unsigned bytes) const { return (~words_[at / 64] & mask(at, bytes)) == 0; }
  void add(uint64_t at, unsigned bytes) { words_[at / 64] |= mask(at, bytes); }
  // Many.
  bool has_all(uint64_t at, uint64_t bytes) const;
  void add_all(uint64_t at, uint64_t bytes) { set(at, bytes, true); }
  void remove_all(uint64_t at, uint64_t bytes) { set(at, bytes, false); }

 private:
  static uint64_t mask(uint64_t at, uint64_t bytes) {
    return (bytes >= 64 ? ~uint64_t{0} : (uint64_t{1} << bytes) - 1) << (at % 64);
  }
  void set(uint64_t at, uint64_t bytes, bool value);

  uint64_t* words_ = nullptr;
  size_t reserved_ = 0;
};

}  // namespace heddle::check

// AES-128 on the host, byte by byte as FIPS 197 writes it, for aes and decrypt: tables for their kernels and
// the check of their results.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/support.h"

namespace heddle::workloads::aes {

using Bytes = std::vector<uint8_t>;
using Block = std::array<uint8_t, 16>;

class Cipher {
 public:
  explicit Cipher(const Block& key);
  Block encrypt(Block block) const;
  const std::array<Block, 11>& round_keys() const { return round_keys_; }

 private:
  std::array<Block, 11> round_keys_;
};

const std::array<uint8_t, 256>& substitution();  // the S-box
uint8_t product(uint8_t a, uint8_t b);           // in the field of 256 elements

// Bytes as little-endian words: the first byte is the lowest, as the kernels have it.
uint32_t word_of(uint8_t a, uint8_t b, uint8_t c, uint8_t d);
std::vector<uint32_t> words_of(const Bytes& bytes);
Bytes bytes_of(const std::vector<uint32_t>& words);

// The key, and the block that goes with it, of the example in appendix C.1 of FIPS 197.
Block example_key();
Block example_plain();
Block example_cipher();

}  // namespace heddle::workloads::aes

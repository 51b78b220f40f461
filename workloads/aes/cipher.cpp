#include "workloads/aes/cipher.h"

#include <algorithm>
#include <bit>

namespace heddle::workloads::aes {

namespace {

// The inverse in the field, then an affine map of its bits (FIPS 197, 5.1.1).
std::array<uint8_t, 256> made_substitution() {
  std::array<uint8_t, 256> table;
  for (int value = 0; value < 256; ++value) {
    uint8_t inverse = 0;
    for (int other = 1; other < 256; ++other)
      if (product(static_cast<uint8_t>(value), static_cast<uint8_t>(other)) == 1) inverse = static_cast<uint8_t>(other);
    uint8_t mapped = 0x63;
    for (int turn = 0; turn < 5; ++turn) mapped ^= std::rotl(inverse, turn);
    table[value] = mapped;
  }
  return table;
}

void substitute(Block& block) {
  for (uint8_t& byte : block) byte = substitution()[byte];
}

void shift_rows(Block& block) {
  const Block old = block;
  for (size_t column = 0; column < 4; ++column)
    for (size_t row = 0; row < 4; ++row) block[4 * column + row] = old[4 * ((column + row) % 4) + row];
}

void mix_columns(Block& block) {
  const Block old = block;
  for (size_t column = 0; column < 4; ++column)
    for (size_t row = 0; row < 4; ++row) {
      auto at = [&](size_t i) { return old[4 * column + (row + i) % 4]; };
      block[4 * column + row] = static_cast<uint8_t>(product(2, at(0)) ^ product(3, at(1)) ^ at(2) ^ at(3));
    }
}

void add(Block& block, const Block& key) {
  for (size_t i = 0; i < block.size(); ++i) block[i] ^= key[i];
}

}  // namespace

uint8_t product(uint8_t a, uint8_t b) {
  unsigned result = 0, power = a;
  for (; b != 0; b >>= 1) {
    if (b & 1) result ^= power;
    power <<= 1;
    if (power & 0x100) power ^= 0x11b;
  }
  return static_cast<uint8_t>(result);
}

const std::array<uint8_t, 256>& substitution() {
  static const std::array<uint8_t, 256> table = made_substitution();
  return table;
}

Cipher::Cipher(const Block& key) {
  round_keys_[0] = key;
  uint8_t constant = 1;
  for (size_t round = 1; round < round_keys_.size(); ++round, constant = product(constant, 2)) {
    const Block& last = round_keys_[round - 1];
    Block& next = round_keys_[round];
    for (size_t i = 0; i < 4; ++i) next[i] = last[i] ^ substitution()[last[12 + (i + 1) % 4]];
    next[0] ^= constant;
    for (size_t i = 4; i < 16; ++i) next[i] = last[i] ^ next[i - 4];
  }
}

Block Cipher::encrypt(Block block) const {
  add(block, round_keys_[0]);
  for (size_t round = 1; round <= 10; ++round) {
    substitute(block);
    shift_rows(block);
    if (round < 10) mix_columns(block);
    add(block, round_keys_[round]);
  }
  return block;
}

uint32_t word_of(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return a | uint32_t{b} << 8 | uint32_t{c} << 16 | uint32_t{d} << 24;
}

std::vector<uint32_t> words_of(const Bytes& bytes) {
  std::vector<uint32_t> words;
  for (size_t i = 0; i < bytes.size(); i += 4)
    words.push_back(word_of(bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]));
  return words;
}

Bytes bytes_of(const std::vector<uint32_t>& words) {
  Bytes bytes;
  for (uint32_t word : words)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<uint8_t>(word >> shift));
  return bytes;
}

Block example_key() {
  Block key;
  for (size_t i = 0; i < 16; ++i) key[i] = static_cast<uint8_t>(i);
  return key;
}

Block example_plain() {
  Block plain;
  for (size_t i = 0; i < 16; ++i) plain[i] = static_cast<uint8_t>(0x11 * i);
  return plain;
}

Block example_cipher() {
  return {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
}

}  // namespace heddle::workloads::aes

#include <algorithm>

#include "workloads/aes/cipher.h"

namespace heddle::workloads::decrypt {

namespace {

using namespace aes;

std::vector<uint8_t> inverse_substitution() {
  std::vector<uint8_t> inverse(256);
  for (size_t i = 0; i < 256; ++i) inverse[substitution()[i]] = static_cast<uint8_t>(i);
  return inverse;
}

// What a byte in the first row adds to its column when the mixing of columns is undone.
uint32_t unmixed(uint8_t byte) {
  return word_of(product(14, byte), product(9, byte), product(13, byte), product(11, byte));
}

std::vector<uint32_t> mixing_table() {
  std::vector<uint32_t> table;
  for (uint8_t byte : inverse_substitution()) table.push_back(unmixed(byte));
  return table;
}

uint32_t unmixed_column(const uint8_t* column) {
  uint32_t result = 0;
  for (int row = 0; row < 4; ++row) {
    const uint32_t word = unmixed(column[row]);
    result ^= row == 0 ? word : word << (8 * row) | word >> (32 - 8 * row);
  }
  return result;
}

// Last to first; those between are unmixed, so that the kernel may add them after it has unmixed the state.
std::vector<uint32_t> decryption_keys(const Cipher& cipher) {
  std::vector<uint32_t> keys;
  for (size_t round = 0; round <= 10; ++round) {
    const Block& key = cipher.round_keys()[10 - round];
    for (size_t i = 0; i < 16; i += 4)
      keys.push_back(round == 0 || round == 10 ? word_of(key[i], key[i + 1], key[i + 2], key[i + 3])
                                               : unmixed_column(&key[i]));
  }
  return keys;
}

Bytes random_bytes(uint64_t seed, size_t count) {
  Random random(seed);
  Bytes bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.below(256));
  return bytes;
}

// Cipher block chaining: each block is added to the encrypted one before it; the first is the initial vector.
Bytes chained(const Cipher& cipher, const Bytes& plain) {
  Bytes result = random_bytes(2, 16);
  for (size_t i = 0; i < plain.size(); i += 16) {
    Block block;
    for (size_t j = 0; j < 16; ++j) block[j] = plain[i + j] ^ result[i + j];
    block = cipher.encrypt(block);
    result.insert(result.end(), block.begin(), block.end());
  }
  return result;
}

}  // namespace

// The number of cipher blocks is no multiple of 256.
Check run(Device& device, Size size) {
  const Cipher cipher(example_key());
  const uint32_t blocks = by_size(size, 300u, 16'100u, 64'100u);
  const Bytes text = random_bytes(1, size_t{blocks} * 16);
  const std::vector<uint32_t> keys = decryption_keys(cipher);
  device.write(device.symbol("round_keys"), keys.data(), keys.size() * sizeof keys[0]);
  Buffer<uint32_t> mixing(device, mixing_table(), "mixing table");
  Buffer<uint8_t> unsubstitution(device, inverse_substitution(), "substitution table");
  Buffer<uint32_t> encrypted(device, words_of(chained(cipher, text)), "cipher text");
  Buffer<uint32_t> plain(device, size_t{blocks} * 4, "plain text");
  device.launch("decrypt", {.grid = {ceil_div(blocks, 256)}, .block = {256}},
                Arguments(mixing.address(), unsubstitution.address(), encrypted.address(), plain.address(), blocks));
  return compare("plain text", text, bytes_of(plain.download()));
}

}  // namespace heddle::workloads::decrypt

#include <algorithm>

#include "workloads/aes/cipher.h"

namespace heddle::workloads::aes {

namespace {

constexpr uint32_t kThreads = 256;  // a column of four bytes each

// Table r holds what a byte in row r adds to its column: its substitute times column r of the mixing matrix.
std::vector<uint32_t> encryption_tables() {
  std::vector<uint32_t> tables;
  for (size_t row = 0; row < 4; ++row)
    for (uint8_t s : substitution()) {
      const std::array<uint8_t, 4> first = {product(2, s), s, s, product(3, s)};
      auto at = [&](size_t i) { return first[(i + 4 - row) % 4]; };
      tables.push_back(word_of(at(0), at(1), at(2), at(3)));
    }
  return tables;
}

Bytes random_text(uint32_t thread_blocks) {
  Random random(1);
  Bytes text(size_t{thread_blocks} * kThreads * 4);
  for (uint8_t& byte : text) byte = static_cast<uint8_t>(random.below(256));
  std::ranges::copy(example_plain(), text.begin());
  return text;
}

Bytes encrypted_on_cpu(const Cipher& cipher, const Bytes& plain) {
  Bytes result;
  for (size_t i = 0; i < plain.size(); i += 16) {
    Block block;
    std::copy_n(plain.begin() + static_cast<std::ptrdiff_t>(i), 16, block.begin());
    block = cipher.encrypt(block);
    result.insert(result.end(), block.begin(), block.end());
  }
  return result;
}

}  // namespace

// Each cipher block by itself (ECB). The first is the example of FIPS 197, with its published result.
Check run(Device& device, Size size) {
  const Cipher cipher(example_key());
  const uint32_t thread_blocks = by_size(size, 3u, 250u, 257u);
  const Bytes text = random_text(thread_blocks);
  device.write(device.symbol("round_keys"), cipher.round_keys().data(), sizeof cipher.round_keys());
  Buffer<uint32_t> tables(device, encryption_tables(), "tables"), plain(device, words_of(text), "plain text");
  Buffer<uint32_t> encrypted(device, text.size() / 4, "cipher text");
  device.launch("encrypt", {.grid = {thread_blocks}, .block = {kThreads}},
                Arguments(tables.address(), plain.address(), encrypted.address()));
  const Bytes got = bytes_of(encrypted.download());
  const Block published = example_cipher();
  return all_of(
      {compare("cipher text", encrypted_on_cpu(cipher, text), got),
       compare("published example", Bytes(published.begin(), published.end()), Bytes(got.begin(), got.begin() + 16))});
}

}  // namespace heddle::workloads::aes

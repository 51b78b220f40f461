#include "workloads/storegpu/hashes.h"

#include <bit>
#include <cmath>

namespace heddle::workloads::storegpu {

namespace {

// A one bit, zeros up to eight bytes before a multiple of 64, then the length in bits.
std::vector<uint8_t> padded(std::span<const uint8_t> message, bool length_backwards) {
  std::vector<uint8_t> bytes(message.begin(), message.end());
  bytes.push_back(0x80);
  while (bytes.size() % 64 != 56) bytes.push_back(0);
  const uint64_t bits = uint64_t{message.size()} * 8;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<uint8_t>(bits >> (length_backwards ? 56 - 8 * i : 8 * i)));
  return bytes;
}

uint32_t round_function(int round, uint32_t x, uint32_t y, uint32_t z) {
  switch (round) {
    case 0: return (x & y) | (~x & z);
    case 1: return (x & z) | (y & ~z);
    case 2: return x ^ y ^ z;
    default: return y ^ (x | ~z);
  }
}

constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
constexpr int kFactors[4] = {1, 5, 3, 7}, kOffsets[4] = {0, 1, 5, 0};

}  // namespace

std::array<uint32_t, 64> md5_sines() {
  std::array<uint32_t, 64> sines;
  for (int i = 0; i < 64; ++i) sines[i] = static_cast<uint32_t>(0x1p32 * std::abs(std::sin(i + 1.0)));
  return sines;
}

std::array<uint8_t, 16> md5(std::span<const uint8_t> message) {
  static const std::array<uint32_t, 64> sines = md5_sines();
  const std::vector<uint8_t> bytes = padded(message, false);
  std::array<uint32_t, 4> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (size_t block = 0; block < bytes.size(); block += 64) {
    auto [a, b, c, d] = state;
    for (int i = 0; i < 64; ++i) {
      const int round = i / 16;
      const uint8_t* at = &bytes[block + 4 * ((kFactors[round] * i + kOffsets[round]) % 16)];
      const uint32_t word = at[0] | at[1] << 8 | at[2] << 16 | uint32_t{at[3]} << 24;
      const uint32_t sum = a + round_function(round, b, c, d) + word + sines[i];
      a = d;
      d = c;
      c = b;
      b += std::rotl(sum, kShifts[round][i % 4]);
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
  }
  std::array<uint8_t, 16> digest;
  for (int i = 0; i < 16; ++i) digest[i] = static_cast<uint8_t>(state[i / 4] >> (8 * (i % 4)));
  return digest;
}

std::array<uint8_t, 20> sha1(std::span<const uint8_t> message) {
  const std::vector<uint8_t> bytes = padded(message, true);
  std::array<uint32_t, 5> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  for (size_t block = 0; block < bytes.size(); block += 64) {
    std::array<uint32_t, 80> w;
    for (int i = 0; i < 16; ++i) {
      const uint8_t* at = &bytes[block + 4 * i];
      w[i] = uint32_t{at[0]} << 24 | at[1] << 16 | at[2] << 8 | at[3];
    }
    for (int i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = state;
    for (int i = 0; i < 80; ++i) {
      constexpr uint32_t kConstants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
      const uint32_t majority = (b & c) | (b & d) | (c & d);
      const uint32_t mixed = i < 20 ? (b & c) | (~b & d) : i >= 40 && i < 60 ? majority : b ^ c ^ d;
      const uint32_t next = std::rotl(a, 5) + mixed + e + w[i] + kConstants[i / 20];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
  }
  std::array<uint8_t, 20> digest;
  for (int i = 0; i < 20; ++i) digest[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

}  // namespace heddle::workloads::storegpu

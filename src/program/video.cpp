#include "program/video.h"

#include <algorithm>

namespace heddle {
namespace {

// The digits behind the letter, the last one first: digit n is that of lane n.
bool read_digits(std::string_view text, unsigned bits, unsigned below, std::string_view& digits) {
  if (text.size() < 2 || text[0] != (bits == 8 ? 'b' : 'h')) return false;
  digits = text.substr(1);
  return std::all_of(digits.begin(), digits.end(),
                     [&](char c) { return c >= '0' && c < static_cast<char>('0' + below); });
}

// .b0 … .b3, .h0, .h1
bool read_one_piece(std::string_view text, VideoPart& part) {
  for (const unsigned bits : {8U, 16U}) {
    std::string_view digits;
    if (!read_digits(text, bits, 32 / bits, digits) || digits.size() != 1) continue;
    part = {static_cast<uint8_t>(bits), static_cast<uint16_t>(digits[0] - '0')};
    return true;
  }
  return false;
}

}  // namespace

bool is_video(Op op) { return op >= Op::VideoAbsDiff && op <= Op::VideoSub; }

Video video_of(std::string_view opcode) {
  if (opcode.ends_with('2')) return {2, {16, 0x10}, {16, 0x32}, {16, 0b11}, false, false};
  if (opcode.ends_with('4')) return {4, {8, 0x3210}, {8, 0x7654}, {8, 0b1111}, false, false};
  return {};
}

bool read_source_selector(std::string_view text, unsigned lanes, VideoPart& part) {
  if (lanes == 1) return read_one_piece(text, part);
  std::string_view digits;
  if (!read_digits(text, 32 / lanes, 2 * lanes, digits) || digits.size() != lanes) return false;
  part.pieces = 0;
  for (const char digit : digits) part.pieces = static_cast<uint16_t>(part.pieces << 4 | (digit - '0'));
  return true;
}

bool read_destination_selector(std::string_view text, unsigned lanes, VideoPart& part) {
  if (lanes == 1) return read_one_piece(text, part);
  std::string_view digits;
  const auto falls = [](char left, char right) { return left <= right; };
  if (!read_digits(text, 32 / lanes, lanes, digits)) return false;
  if (std::adjacent_find(digits.begin(), digits.end(), falls) != digits.end()) return false;
  part.pieces = 0;
  for (const char digit : digits) part.pieces = static_cast<uint16_t>(part.pieces | 1U << (digit - '0'));
  return true;
}

}  // namespace heddle

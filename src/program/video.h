// Video instructions work on bytes and half-words of their operands. A selector says on which: %r1.b3 is the uppermost
// byte, %r1.h0 the lower half-word; where there are two or four lanes, .h20 and .b7531 choose one piece for each of
// them out of both sources, the highest lane first, and the selector of a destination says which lanes are written.
#pragma once

#include <cstdint>
#include <string_view>

#include "program/op.h"

namespace heddle {

struct VideoPart {
  uint8_t bits = 32;  // of a piece
  uint16_t pieces =
      0;  // source: nibble n is the piece for lane n; destination: the piece, or with lanes a bit for each
};

struct Video {
  uint8_t lanes = 1;
  VideoPart a, b, d;
  bool minus_product = false, minus_c = false;  // vmad
};

bool is_video(Op op);
Video video_of(std::string_view opcode);  // without selectors: vadd4 has four lanes, all of them written

// False where these lanes have no such selector.
bool read_source_selector(std::string_view text, unsigned lanes, VideoPart& part);
bool read_destination_selector(std::string_view text, unsigned lanes, VideoPart& part);

}  // namespace heddle

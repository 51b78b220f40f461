// What travels between a core and the memory system.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "memory/sectors.h"

namespace heddle {

struct Request {
  enum class Kind : uint8_t {
    Read,    // a line; answered
    Write,   // some or all bytes of a line; not answered
    Atomic,  // done at the L2; answered if `answered`
  };
  Kind kind = Kind::Read;
  bool answered = true;  // Atomic
  uint16_t core = 0;
  uint16_t bytes = 0;       // Read: asked for. Write: bytes written. Atomic: operands
  uint16_t line_bytes = 0;  // size of the line as the core sees it; address is a multiple of it
  uint16_t operations = 0;  // Atomic
  Sectors sectors = 0;      // of that line; 0: all
  bool code = false;        // Read: of an instruction cache, whose sectors are not counted among those of data
  uint32_t tag = 0;         // the core's own, comes back with the reply
  Address address = 0;
  ByteMask written{};  // Write, with sectors: which bytes
  bool whole_line() const { return bytes == line_bytes; }
  bool is_answered() const { return kind == Kind::Read || (kind == Kind::Atomic && answered); }
};

struct Reply {
  uint16_t core = 0;
  uint32_t tag = 0;
  bool fetched = false;  // from DRAM
  bool code = false;     // from a cache that cores share
};

}  // namespace heddle

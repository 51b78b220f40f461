// The container in which CUDA compilers put device code into an executable.
//
// Layout, all numbers little-endian. A header of 16 bytes: magic 0xba55ed50 (u32), version 1 (u16), bytes of this
// header (u16), bytes of all entries behind it (u64). Then the entries, each a header and its payload:
//
//   offset  type  what
//        0  u16   kind: 1 PTX text, 2 machine code (ELF)
//        2  u16   version, 0x0101
//        4  u32   bytes of this header (64, 72 or 80)
//        8  u64   bytes of the payload, padding included
//       16  u32   bytes of the compressed payload; 0 where it is plain
//       20  u32   offset of the compiler's options in this header, or 0
//       24  u16   minor, and
//       26  u16   major version of the PTX language or of the code
//       28  u32   architecture: 75 is compute_75 or sm_75
//       32  u32   offset, and
//       36  u32   bytes of a name
//       40  u64   flags: 0x2000 the payload is one LZ4 block, 0x8000 it is one zstd frame
//       48  u64   0
//       56  u64   bytes of the payload when it is unpacked; 0 where it is plain
//
// PTX text may be padded with newlines before and zeros behind. write_fat_binary() makes the plain form, for clang,
// which takes a container but has no tool to make one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace heddle::runtime {

// There is no device code that can be read.
class NoPtx : public Error {
 public:
  explicit NoPtx(const std::string& message) : Error(ExitCode::BadProgram, message) {}
};

// It is no device code at all.
class NoCode : public Error {
 public:
  explicit NoCode(const std::string& message) : Error(ExitCode::BadProgram, message) {}
};

struct FatBinaryEntry {
  bool is_ptx = false;
  uint32_t architecture = 0;
  uint32_t language_major = 0, language_minor = 0;
  std::string text;  // of PTX, unpacked
};

inline constexpr uint32_t kFatBinaryMagic = 0xba55ed50;

// Bytes of the container that starts here, as its header says. Error (BadProgram) if it is none.
uint64_t fat_binary_bytes(const void* begin);

// All entries. Error (BadProgram) where the container contradicts itself.
std::vector<FatBinaryEntry> read_fat_binary(std::span<const std::byte> bytes);

// What the driver API may be given: a container, PTX by itself, or machine code by itself; else NoCode.
std::vector<FatBinaryEntry> read_image(std::string_view bytes);

// The PTX entries, the one to be preferred first: the newest architecture. NoPtx that says how to rebuild if there are
// none.
std::vector<FatBinaryEntry> ptx_of(std::vector<FatBinaryEntry> entries);

std::string write_fat_binary(std::string_view ptx, uint32_t architecture);

}  // namespace heddle::runtime

// One decoded instruction: operands are places in register planes, names are gone.
//
// Registers of a row of 32 threads lie in one plane: [slot][32 lanes], a predicate is one 32-bit word for the
// row. Immediates, parameters and addresses of symbols are rows of the constant plane, filled once per launch,
// so that a source operand is always a row.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "program/op.h"
#include "program/video.h"
#include "ptx/module.h"

namespace heddle {

using ptx::Space;
using ptx::Type;

struct Operand {
  static constexpr uint32_t kConstant = 0x8000'0000;
  uint32_t at = 0;       // byte offset in the thread's plane, or in the constant plane with kConstant set
  uint8_t bytes = 0;     // width of the register: 0 a predicate, else 1, 2, 4, 8, 16
  bool negated = false;  // !p
  bool constant() const { return at & kConstant; }
  uint32_t offset() const { return at & ~kConstant; }
  bool operator==(const Operand&) const = default;
};

struct Instruction {
  static constexpr uint32_t kNoGuard = ~uint32_t{0};

  Op op = Op::Mov;
  Flow flow = Flow::Plain;
  Type type = Type::None;                // the first type of the instruction
  Type source_type = Type::None;         // the second, or the first where there is one only
  Type second_source_type = Type::None;  // the third, or the second
  Type third_source_type = Type::None;   // the fourth, or the third
  Space space = Space::None;             // memory: None is generic
  uint8_t vector = 1;                    // ld/st/atom: elements
  uint8_t dst_count = 0, src_count = 0;
  uint32_t guard = kNoGuard;  // offset of the predicate
  bool guard_negated = false;
  bool uniform_hint = false;  // .uni on a branch or call
  bool joined = false;        // atomic: one operation for all threads of a warp (machine code)
  bool nounroll = false;      // the loop that begins with it stays as it is (machine code)
  bool retried = false;       // exchange of a loop that is one atomic: it waits for nobody (machine code)
  std::array<Operand, 8> dst;
  std::array<Operand, 17> src;  // memory: src[0] is the address base
  int64_t displacement = 0;     // memory: added to src[0]
  int64_t displacement2 = 0;    // cp.async: added to src[1]
  ModSet mods;
  Video video;
  Pc target = kNoPc;   // Bra: where to; direct Call: first instruction of the callee
  uint32_t table = 0;  // Brx: index into Kernel::tables; Call: into Kernel::calls
  ptx::Place place;
  int32_t loc = -1;  // index into Kernel::locs

  bool has(Mod m) const { return mods[static_cast<size_t>(m)]; }
  bool guarded() const { return guard != kNoGuard; }
};

// Of an instruction on an image: has it a layer, and how many coordinates behind it?
bool is_layered(const Instruction& instruction);
unsigned coordinates_of(const Instruction& instruction);

}  // namespace heddle

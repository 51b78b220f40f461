// The instructions heddle knows: one table, from which decoding, the documentation and the tests are made.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "program/op.h"
#include "ptx/type.h"

namespace heddle {

// One row. `mods` lists what may or must follow the opcode, in any order: a word must stand there, `word?` may;
// `a/b/c` is a choice of one, and `@name` stands for a group (see kGroups). `types` lists the legal types;
// `to<from` pairs for two, and so on for three and four. `operands`, in order: `=` marks a destination,
//   t, s  first and second type · w  twice the width of t · p  predicate · 1 2 4 8  that many bytes
//   P  an address, of 4 or 8 bytes · v  4 bytes, of which a video selector may choose
//   C  the carry flag (not written in the text) · V  as many t as the vector says · A  address
//   M  registers that hold a part of a matrix (decode_tensor.cpp)
//   X  an image and coordinates, of the second type where that is a float · G  a gradient · L  label · T  branch table
//   x  ignored · f  the function part of a call
//   `a|b?` a pair of which the second may be missing, `?` may be missing.
struct Form {
  std::string_view opcode;
  Op op;
  std::string_view mods;
  std::string_view types;
  std::string_view operands;
};

std::span<const Form> forms();
std::span<const std::string_view> group_members(std::string_view group);  // "@rnd" -> rn rz rm rp

// A form with its modifiers and types resolved for one written instruction.
struct Match {
  const Form* form = nullptr;
  ModSet mods;
  ptx::Type type = ptx::Type::None, source_type = ptx::Type::None, second_source_type = ptx::Type::None,
            third_source_type = ptx::Type::None;
};

// Finds the form of opcode.modifiers, or explains in `why` what is wrong with it.
Match match(std::string_view opcode, std::span<const std::string> modifiers, std::string& why);

}  // namespace heddle

#include "program/fragment.h"

#include "base/error.h"

namespace heddle {
namespace {

struct NamedShape {
  Mod mod;
  TensorShape shape;
};
constexpr NamedShape kShapes[] = {
    {Mod::M8n8k4, {8, 8, 4}},       {Mod::M8n8k16, {8, 8, 16}},     {Mod::M8n8k32, {8, 8, 32}},
    {Mod::M8n8k128, {8, 8, 128}},   {Mod::M16n8k4, {16, 8, 4}},     {Mod::M16n8k8, {16, 8, 8}},
    {Mod::M16n8k16, {16, 8, 16}},   {Mod::M16n8k32, {16, 8, 32}},   {Mod::M16n8k64, {16, 8, 64}},
    {Mod::M16n8k128, {16, 8, 128}}, {Mod::M16n8k256, {16, 8, 256}}, {Mod::M16n16k16, {16, 16, 16}},
    {Mod::M32n8k16, {32, 8, 16}},   {Mod::M8n32k16, {8, 32, 16}},   {Mod::M16n16k8, {16, 16, 8}},
};

}  // namespace

TensorShape tensor_shape(const ModSet& mods) {
  for (const NamedShape& each : kShapes)
    if (mods[static_cast<size_t>(each.mod)]) return each.shape;
  throw InternalError("a tensor-core instruction has no shape");
}

unsigned element_bits(Type type) {
  switch (type) {
    case Type::B1: return 1;
    case Type::S4:
    case Type::U4: return 4;
    case Type::TF32: return 32;
    default: return 8 * bytes_of(type);
  }
}

unsigned fragment_elements(Part part, TensorShape shape) {
  switch (part) {
    case Part::A: return shape.m * shape.k / kRow;
    case Part::B: return shape.k * shape.n / kRow;
    case Part::C: return shape.m * shape.n / kRow;
  }
  return 0;
}

unsigned fragment_registers(Part part, TensorShape shape, Type type) {
  const unsigned bits = element_bits(type);
  return bits > 32 ? fragment_elements(part, shape) : fragment_elements(part, shape) * bits / 32;
}

// A lane is in group lane / 4, at place lane % 4. A group has a row of A and of C and a column of B, and those eight
// behind it; a place has the elements of one register of these, and what is as far behind as all four places reach.
MatrixElement fragment_element(Part part, TensorShape shape, Type type, unsigned lane, unsigned index) {
  const unsigned group = lane / 4, place = lane % 4;
  if (part == Part::C) return {group + index / 2 * 8, place * 2 + index % 2};
  const unsigned bits = element_bits(type), together = bits < 32 ? 32 / bits : 1;
  const unsigned number = index / together, rows = part == Part::A ? shape.m / 8 : 1;
  const unsigned across = group + number % rows * 8;
  const unsigned along = place * together + number / rows * 4 * together + index % together;
  return part == Part::A ? MatrixElement{across, along} : MatrixElement{along, across};
}

bool is_quad_pairs(const Instruction& instruction) {
  return instruction.has(Mod::M8n8k4) && instruction.source_type == Type::F16;
}

unsigned quad_pair(unsigned lane) { return lane % 16 / 4; }

MatrixElement quad_pair_element(Part part, const Instruction& instruction, Type type, unsigned lane, unsigned index) {
  const unsigned upper = lane < 16 ? 0 : 4;
  const bool a_rows = instruction.has(Mod::RowRow) || instruction.has(Mod::RowCol);
  const bool b_rows = instruction.has(Mod::RowRow) || instruction.has(Mod::ColRow);
  switch (part) {
    case Part::A: return a_rows ? MatrixElement{lane % 4 + upper, index} : MatrixElement{index + upper, lane % 4};
    case Part::B: return b_rows ? MatrixElement{lane % 4, index + upper} : MatrixElement{index, lane % 4 + upper};
    case Part::C: break;
  }
  if (type == Type::F16) return {lane % 4 + upper, index};
  return {(lane & 1) + (index & 2) + upper, (index & 4) + (lane & 2) + (index & 1)};
}

}  // namespace heddle

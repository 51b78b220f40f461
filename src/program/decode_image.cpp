// Textures and surfaces: their operands, and what an access to a surface becomes.
#include <fmt/format.h>

#include "program/code_maker.h"
#include "program/function_decoder.h"

namespace heddle {

bool is_layered(const Instruction& i) {
  return i.has(Mod::OneDArray) || i.has(Mod::TwoDArray) || i.has(Mod::CubeArray);
}
unsigned coordinates_of(const Instruction& i) {
  return i.has(Mod::OneD) || i.has(Mod::OneDArray) ? 1 : i.has(Mod::TwoD) || i.has(Mod::TwoDArray) ? 2 : 3;
}

// [handle, {layer, x, y}]: the handle, the layer if there is one, as many coordinates as there are dimensions; behind
// them may stand what fills the vector up.
void FunctionDecoder::image(const ptx::Operand& written, Instruction& out) {
  const auto* address = std::get_if<ptx::AddressOf>(&written.value);
  const unsigned layer = is_layered(out) ? 1 : 0, count = layer + coordinates_of(out);
  if (!address || address->coordinates.size() < count)
    return problem(written.place, fmt::format("{} and {} coordinates are expected here",
                                              layer ? "an image, a layer" : "an image", count - layer));
  this->address(written, out, false);
  for (unsigned k = 0; k < count; ++k) {
    const Type type = k < layer || out.source_type != Type::F32 ? Type::S32 : Type::F32;
    out.src[out.src_count++] = value(address->coordinates[k], 4, type);
  }
  out.space = Space::Global;
}

void FunctionDecoder::gradient(const ptx::Operand& written, Instruction& out) {
  const auto* vector = std::get_if<ptx::Vector>(&written.value);
  const unsigned count = coordinates_of(out);
  if ((vector ? vector->elements.size() : 1) < count)
    return problem(written.place, fmt::format("a gradient of {} numbers is expected here", count));
  for (unsigned k = 0; k < count; ++k)
    out.src[out.src_count++] = value(vector ? vector->elements[k] : written, 4, Type::F32);
}

// The address, then a load or store of it. With .zero there may be none: nothing is stored then, and zeros are loaded.
void FunctionDecoder::surface(const ptx::Instruction& written, const Instruction& out) {
  const bool load = out.op == Op::SurfaceLoad;
  if (written.operands.size() != 2)
    return problem(written.place,
                   fmt::format("'{}' does not take {} operands", written.opcode, written.operands.size()));
  CodeMaker maker(state_, out);
  Instruction find = out;
  find.op = Op::SurfaceAddress;
  if (written.guard) guard(find, *written.guard);
  image(written.operands[load ? 1 : 0], find);
  find.space = Space::None;
  find.dst[find.dst_count++] = maker.fresh(8);
  find.dst[find.dst_count++] = maker.fresh(0);

  Instruction access = maker.make(load ? Op::Ld : Op::St, out.type, {find.dst[0]});
  access.space = Space::Global;
  access.vector = out.vector;
  access.guard = find.guard;
  access.guard_negated = find.guard_negated;
  widths_may_differ_ = true;
  vector(written.operands[load ? 0 : 1], access, load);
  widths_may_differ_ = false;
  if (!out.has(Mod::ZeroOutside)) {
    emit(find);
    return emit(access);
  }
  if (written.guard) {
    Instruction none = maker.make(Op::Mov, Type::Pred, {state_.pool.literal(0, 0)});
    none.dst[none.dst_count++] = find.dst[1];
    emit(none);
  }
  emit(find);
  for (unsigned k = 0; k < access.dst_count; ++k) {
    const unsigned bytes = access.dst[k].bytes;
    Instruction clear = maker.make(Op::Mov,
                                   bytes == 8   ? Type::B64
                                   : bytes == 4 ? Type::B32
                                                : Type::B16,
                                   {state_.pool.literal(0, bytes)});
    clear.dst[clear.dst_count++] = access.dst[k];
    clear.guard = find.guard;
    clear.guard_negated = find.guard_negated;
    emit(clear);
  }
  access.guard = find.dst[1].at;
  access.guard_negated = false;
  emit(access);
}

}  // namespace heddle

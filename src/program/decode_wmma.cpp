// wmma: its matrices are put together from the fragments of mma, as the hardware does it, and so its products are one
// or two of mma. A load or a store is one of each thread for itself, of the elements that it has.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "program/code_maker.h"
#include "program/fragment.h"

namespace heddle {
namespace {

// How a product is made: of which ones, how many, which operand of these has two halves (the other is the same in
// both), whether they multiply the transposed matrices in the other order, and whether each is made in two steps, of
// half as many elements along k.
struct Plan {
  Mod shape;
  unsigned products;
  Part halved;
  bool transposed = false;
  Mod step = shape;
  unsigned steps = 1;

  Part role(Part part) const {
    if (!transposed || part == Part::C) return part;
    return part == Part::A ? Part::B : Part::A;
  }
  unsigned times(Part part) const { return part == Part::C || role(part) == halved ? products : 1; }
};

Plan plan_of(const Instruction& i) {
  if (i.has(Mod::M16n16k16)) return {Mod::M16n8k16, 2, Part::B};
  if (i.has(Mod::M16n16k8)) return {Mod::M16n8k8, 2, Part::B, false, Mod::M16n8k4, 2};
  if (i.has(Mod::M32n8k16)) return {Mod::M16n8k16, 2, Part::A};
  if (i.has(Mod::M8n32k16)) return {Mod::M16n8k16, 2, Part::A, true};
  for (const Mod same : {Mod::M8n8k4, Mod::M8n8k32, Mod::M8n8k128})
    if (i.has(same)) return {same, 1, Part::B};
  throw InternalError("wmma has no such shape");
}

TensorShape shape_named(Mod mod) {
  ModSet mods;
  mods.set(static_cast<size_t>(mod));
  return tensor_shape(mods);
}

TensorShape product_shape(const Plan& plan) { return shape_named(plan.shape); }

unsigned registers_in_use(const Plan& plan, Part part, Type type) {
  return fragment_registers(plan.role(part), product_shape(plan), type) * plan.times(part);
}

// A and B of f16 have eight registers whatever their size, the same ones several times over.
unsigned registers_written(const Plan& plan, Part part, Type type) {
  return part != Part::C && type == Type::F16 ? 8 : registers_in_use(plan, part, type);
}

Part part_of(const Instruction& i) { return i.has(Mod::MatrixA) ? Part::A : i.has(Mod::MatrixB) ? Part::B : Part::C; }

// What one thread reads or writes, one access after another.
class Access {
 public:
  Access(DecodeState& state, const Instruction& written, const Instruction& memory, const Operand& stride)
      : maker_(state, written),
        memory_(memory),
        plan_(plan_of(written)),
        part_(part_of(written)),
        role_(plan_.role(part_)),
        type_(written.type),
        bits_(element_bits(type_)),
        rows_lie_together_(written.has(Mod::Row)),
        stride_(stride) {
    const unsigned together = bits_ < 32 ? 32 / bits_ : 1;
    const Operand lane = state.special(Special::LaneId);
    group_ = value(Op::Shr, Type::U32, {lane, maker_.number(2)});
    place_ = value(Op::And, Type::B32, {lane, maker_.number(3)});
    const unsigned step = role_ == Part::C ? 2 : together;
    if (step > 1) place_ = value(Op::Mul, Type::U32, {place_, maker_.number(step)}, Mod::Lo);
  }

  std::vector<Instruction> code(const std::vector<Operand>& registers, bool load) {
    const unsigned used = registers_in_use(plan_, part_, type_), together = bits_ < 32 ? 32 / bits_ : 1;
    for (unsigned r = 0; r < used; ++r) {
      const bool whole = bits_ >= 32 || follows(r * together);
      if (whole)
        access(load, registers[r], r * together, bits_ > 32 ? Type::B64 : Type::B32);
      else if (load)
        gather(registers[r], r * together, together);
      else
        scatter(registers[r], r * together, together);
    }
    for (unsigned r = used; load && r < registers.size(); ++r) {
      Instruction copy = maker_.make(Op::Mov, Type::B32, {registers[r % used]});
      copy.dst[copy.dst_count++] = registers[r];
      code_.push_back(copy);
    }
    return std::move(code_);
  }

 private:
  struct Place {
    unsigned major, minor;  // in memory
  };

  // Of lane 0. Another lane's lies `group_` and `place_` behind it.
  Place place_of(unsigned index) const {
    const TensorShape shape = product_shape(plan_);
    const unsigned each = fragment_elements(role_, shape), half = index / each;
    MatrixElement at = fragment_element(role_, shape, type_, 0, index % each);
    const bool below = role_ == Part::A || (role_ == Part::C && plan_.halved == Part::A);
    (below ? at.row : at.column) += half * (below ? shape.m : shape.n);
    return rows_are_major() ? Place{at.row, at.column} : Place{at.column, at.row};
  }
  // As the product sees it.
  bool rows_are_major() const { return rows_lie_together_ != plan_.transposed; }
  bool follows(unsigned index) const {
    const Place first = place_of(index), second = place_of(index + 1);
    return first.major == second.major && second.minor == first.minor + 1;
  }

  Operand value(Op op, Type type, std::initializer_list<Operand> sources, Mod how = Mod::Count_, unsigned bytes = 4) {
    Instruction out = maker_.make(op, type, sources);
    if (how != Mod::Count_) out.mods.set(static_cast<size_t>(how));
    const Operand result = maker_.fresh(bytes);
    out.dst[out.dst_count++] = result;
    code_.push_back(out);
    return result;
  }

  // The address of what lane 0 has at (major, 0), and other lanes behind it; made once.
  Operand address_of(unsigned major) {
    if (const auto known = addresses_.find(major); known != addresses_.end()) return known->second;
    const bool group_is_row = role_ != Part::B;
    const Operand across = group_is_row == rows_are_major() ? group_ : place_;
    const Operand along = group_is_row == rows_are_major() ? place_ : group_;
    const Operand line = major == 0 ? across : value(Op::Add, Type::U32, {across, maker_.number(major)});
    Operand offset = value(Op::Mad, Type::U32, {line, stride_, along}, Mod::Lo);
    if (bits_ < 8) offset = value(Op::Shr, Type::U32, {offset, maker_.number(bits_ == 4 ? 1 : 3)});
    const Operand size = maker_.number(bits_ < 8 ? 1 : bits_ / 8), base = memory_.src[0];
    const Operand address =
        value(Op::Mad, Type::U32, {offset, size, base}, base.bytes == 8 ? Mod::Wide : Mod::Lo, base.bytes);
    addresses_.emplace(major, address);
    return address;
  }

  void access(bool load, const Operand& reg, unsigned index, Type type) {
    const Place at = place_of(index);
    const Operand address = address_of(at.major);
    Instruction out = maker_.make(load ? Op::Ld : Op::St, type, {address});
    out.space = memory_.space;
    out.displacement = memory_.displacement + at.minor * bits_ / 8;
    if (load)
      out.dst[out.dst_count++] = reg;
    else
      out.src[out.src_count++] = reg;
    code_.push_back(out);
  }

  Type narrow() const { return bits_ == 8 ? Type::U8 : Type::U16; }

  void gather(const Operand& reg, unsigned index, unsigned together) {
    for (unsigned e = 0; e < together; ++e) {
      const Operand one = e == 0 ? reg : maker_.fresh(4);
      access(true, one, index + e, narrow());
      if (e == 0) continue;
      Instruction insert = maker_.make(Op::Bfi, Type::B32, {one, reg, maker_.number(e * bits_), maker_.number(bits_)});
      insert.dst[insert.dst_count++] = reg;
      code_.push_back(insert);
    }
  }
  void scatter(const Operand& reg, unsigned index, unsigned together) {
    for (unsigned e = 0; e < together; ++e)
      access(false, e == 0 ? reg : value(Op::Shr, Type::U32, {reg, maker_.number(e * bits_)}), index + e, narrow());
  }

  CodeMaker maker_;
  const Instruction& memory_;  // its address is that of the matrix
  const Plan plan_;
  const Part part_, role_;
  const Type type_;
  const unsigned bits_;
  const bool rows_lie_together_;
  const Operand stride_;
  Operand group_, place_;
  std::map<unsigned, Operand> addresses_;
  std::vector<Instruction> code_;
};

// Elements from one row (or column) to the next, where the text does not say it.
unsigned tight_stride(const Instruction& i) {
  const TensorShape shape = tensor_shape(i.mods);
  const bool row = i.has(Mod::Row);
  switch (part_of(i)) {
    case Part::A: return row ? shape.k : shape.m;
    case Part::B: return row ? shape.n : shape.k;
    case Part::C: break;
  }
  return row ? shape.n : shape.m;
}

bool overlap(const std::vector<Operand>& written, const std::vector<Operand>& read) {
  for (const Operand& each : written)
    for (const Operand& other : read)
      if (each == other) return true;
  return false;
}

}  // namespace

std::vector<Instruction> FunctionDecoder::wmma_access(const ptx::Instruction& written, const Instruction& out) {
  const bool load = out.op == Op::WmmaLoad;
  const Plan plan = plan_of(out);
  const unsigned count = registers_written(plan, part_of(out), out.type);
  const std::vector<Operand> registers =
      fragment(written.operands[load ? 0 : 1], count, out.type == Type::F64 ? 8 : 4, load);
  Instruction memory = out;
  address(written.operands[load ? 1 : 0], memory, false);
  const Operand stride = written.operands.size() > 2 ? value(written.operands[2], 4, Type::U32)
                                                     : state_.pool.literal(tight_stride(out), 4);
  return Access(state_, out, memory, stride).code(registers, load);
}

std::vector<Instruction> FunctionDecoder::wmma_product(const ptx::Instruction& written, const Instruction& out) {
  Instruction each = out;
  if (out.source_type == Type::F16 || out.source_type == Type::F32) {
    each.third_source_type = out.source_type;  // of f16 only the types of D and C are written
    each.source_type = each.second_source_type = Type::F16;
  }
  const Plan plan = plan_of(out);
  const auto part = [&](size_t operand, Part which, Type type) {
    return fragment(written.operands[operand], registers_written(plan, which, type), type == Type::F64 ? 8 : 4,
                    operand == 0);
  };
  const std::vector<Operand> d = part(0, Part::C, each.type), c = part(3, Part::C, each.third_source_type);
  const std::vector<Operand> given_a = part(1, Part::A, each.source_type), given_b = part(2, Part::B, each.source_type);
  const std::vector<Operand>& a = plan.transposed ? given_b : given_a;
  const std::vector<Operand>& b = plan.transposed ? given_a : given_b;
  each.op = Op::Mma;
  for (const Mod shape : {Mod::M16n16k16, Mod::M16n16k8, Mod::M32n8k16, Mod::M8n32k16})
    each.mods.reset(static_cast<size_t>(shape));
  each.mods.set(static_cast<size_t>(plan.step));
  const TensorShape shape = shape_named(plan.step);
  const auto take = [&](const std::vector<Operand>& from, Part role, Type type, unsigned product, unsigned step) {
    const unsigned count = fragment_registers(role, shape, type), steps = role == Part::C ? 1 : plan.steps;
    const unsigned half = role == Part::C || role == plan.halved ? product : 0;
    const auto first = from.begin() + (half * steps + step) * count;
    return std::vector<Operand>(first, first + count);
  };
  std::vector<Instruction> code;
  std::vector<Operand> written_before;
  for (unsigned product = 0; product < plan.products; ++product)
    for (unsigned step = 0; step < plan.steps; ++step) {
      Instruction one = each;
      const std::vector<Operand> to = take(d, Part::C, each.type, product, 0);
      const std::vector<Operand> sums = step > 0 ? to : take(c, Part::C, each.third_source_type, product, 0);
      std::vector<Operand> reads = take(a, Part::A, each.source_type, product, step);
      for (const Operand& from : take(b, Part::B, each.source_type, product, step)) reads.push_back(from);
      if (overlap(written_before, reads) || (step == 0 && overlap(written_before, sums)))
        problem(written.place,
                "the result of wmma may be in the registers of C in their order, and of no other operand");
      reads.insert(reads.end(), sums.begin(), sums.end());
      for (const Operand& from : reads) one.src[one.src_count++] = from;
      one.src[one.src_count++] = all_lanes();
      for (const Operand& each_to : to) one.dst[one.dst_count++] = each_to;
      written_before.insert(written_before.end(), to.begin(), to.end());
      code.push_back(one);
    }
  return code;
}

}  // namespace heddle

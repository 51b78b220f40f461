#include "program/machine/looped_atomics.h"

#include <initializer_list>

#include "program/machine/code_edit.h"

namespace heddle {
namespace {

constexpr uint32_t kPredicates = 64;  // bytes of a plane that keep rows aligned

bool is_looped(const Instruction& i) {
  if ((i.op != Op::Atom && i.op != Op::Red) || i.space != Space::Shared || !i.has(Mod::Add) || i.vector != 1)
    return false;
  return i.type == Type::F32 || i.type == Type::F64 || i.type == Type::U64 || i.type == Type::S64;
}

class LoopedAtomics {
 public:
  explicit LoopedAtomics(Kernel& kernel) : kernel_(kernel) {}

  bool run() {
    std::vector<Pc> place;
    bool any = false;
    for (const Instruction& each : kernel_.code) {
      place.push_back(here());
      if (is_looped(each)) {
        loop(each);
        any = true;
      } else {
        code_.push_back(each);
      }
    }
    place.push_back(here());
    if (any) put(place);
    return any;
  }

 private:
  Pc here() const { return static_cast<Pc>(code_.size()); }

  Operand fresh(unsigned bytes) {
    const Operand made{.at = kernel_.plane_bytes, .bytes = static_cast<uint8_t>(bytes)};
    kernel_.plane_bytes += bytes == 0 ? kPredicates : bytes * kRow;
    return made;
  }

  static Instruction make(const Instruction& written, Op op, Type type, std::initializer_list<Operand> results,
                          std::initializer_list<Operand> sources) {
    Instruction out;
    out.op = op;
    out.flow = flow_of(op);
    out.type = out.source_type = out.second_source_type = out.third_source_type = type;
    for (const Operand& each : results) out.dst[out.dst_count++] = each;
    for (const Operand& each : sources) out.src[out.src_count++] = each;
    out.place = written.place;
    out.loc = written.loc;
    return out;
  }

  static void at_the_same_place(Instruction& access, const Instruction& written) {
    access.space = written.space;
    access.mods.set(static_cast<size_t>(Mod::Shared));
    access.displacement = written.displacement;
  }

  // Those whose guard is false go around it.
  void loop(const Instruction& written) {
    const unsigned bytes = bytes_of(written.type);
    const Type bits = bytes == 8 ? Type::B64 : Type::B32;
    const Operand address = written.src[0], old = fresh(bytes), sum = fresh(bytes), found = fresh(bytes),
                  again = fresh(0);
    const Pc around = here();
    if (written.guarded()) {
      code_.push_back(make(written, Op::Bra, Type::None, {}, {}));
      code_.back().guard = written.guard;
      code_.back().guard_negated = !written.guard_negated;
    }
    const Pc head = here();
    code_.push_back(make(written, Op::Ld, bits, {old}, {address}));
    at_the_same_place(code_.back(), written);
    code_.push_back(make(written, Op::Add, written.type, {sum}, {written.src[1], old}));
    code_.push_back(make(written, Op::Atom, bits, {found}, {address, old, sum}));
    at_the_same_place(code_.back(), written);
    code_.back().mods.set(static_cast<size_t>(Mod::Cas));
    code_.back().retried = true;
    code_.push_back(make(written, Op::Setp, bits, {again}, {found, old}));
    code_.back().mods.set(static_cast<size_t>(Mod::Ne));
    code_.push_back(make(written, Op::Bra, Type::None, {}, {}));
    code_.back().guard = again.at;
    own_targets_.emplace_back(here() - 1, head);
    if (written.dst_count > 0) code_.push_back(make(written, Op::Mov, bits, {written.dst[0]}, {old}));
    if (written.guarded()) own_targets_.emplace_back(around, here());
  }

  void put(const std::vector<Pc>& place) {
    replace(kernel_, std::move(code_), place);
    for (const auto& [branch, target] : own_targets_) kernel_.code[branch].target = target;
  }

  Kernel& kernel_;
  std::vector<Instruction> code_;
  std::vector<std::pair<Pc, Pc>> own_targets_;
};

}  // namespace

bool loop_atomics(Kernel& kernel) { return LoopedAtomics(kernel).run(); }

}  // namespace heddle

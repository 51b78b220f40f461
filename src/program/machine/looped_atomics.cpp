#include "program/machine/looped_atomics.h"

#include "program/machine/code_edit.h"
#include "program/machine/made_code.h"

namespace heddle {
namespace {

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

  static void at_the_same_place(Instruction& access, const Instruction& written) {
    access.space = written.space;
    access.mods.set(static_cast<size_t>(Mod::Shared));
    access.displacement = written.displacement;
  }

  // Those whose guard is false go around it.
  void loop(const Instruction& written) {
    const unsigned bytes = bytes_of(written.type);
    const Type bits = bytes == 8 ? Type::B64 : Type::B32;
    const Operand address = written.src[0], old = new_register(kernel_, bytes), sum = new_register(kernel_, bytes),
                  found = new_register(kernel_, bytes), again = new_register(kernel_, 0);
    const Pc around = here();
    if (written.guarded()) {
      code_.push_back(made(written, Op::Bra, Type::None, {}, {}));
      code_.back().guard = written.guard;
      code_.back().guard_negated = !written.guard_negated;
    }
    const Pc head = here();
    code_.push_back(made(written, Op::Ld, bits, {old}, {address}));
    at_the_same_place(code_.back(), written);
    code_.push_back(made(written, Op::Add, written.type, {sum}, {written.src[1], old}));
    code_.push_back(made(written, Op::Atom, bits, {found}, {address, old, sum}));
    at_the_same_place(code_.back(), written);
    code_.back().mods.set(static_cast<size_t>(Mod::Cas));
    code_.back().retried = true;
    code_.push_back(made(written, Op::Setp, bits, {again}, {found, old}));
    code_.back().mods.set(static_cast<size_t>(Mod::Ne));
    code_.push_back(made(written, Op::Bra, Type::None, {}, {}));
    code_.back().guard = again.at;
    own_targets_.emplace_back(here() - 1, head);
    if (written.dst_count > 0) code_.push_back(made(written, Op::Mov, bits, {written.dst[0]}, {old}));
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

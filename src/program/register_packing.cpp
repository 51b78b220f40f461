#include "program/register_packing.h"

#include <algorithm>
#include <map>
#include <optional>

#include "program/liveness.h"
#include "program/planes.h"
#include "program/unit.h"

namespace heddle {
namespace {

constexpr size_t kMostRegisters = 16384;  // who meets whom is a table
constexpr uint32_t kShared = ~uint32_t{0};

template <class F>
void for_each_register(Kernel& kernel, F&& f) {
  const auto visit = [&](Operand& operand) {
    if (!operand.constant()) f(operand);
  };
  for (Instruction& i : kernel.code) {
    for (unsigned k = 0; k < i.dst_count; ++k) visit(i.dst[k]);
    for (unsigned k = 0; k < i.src_count; ++k) visit(i.src[k]);
  }
  for (CallSite& site : kernel.calls) {
    for (auto* const items : {&site.arguments, &site.results})
      for (CallSite::Item& item : *items)
        if (!item.in_frame) visit(item.reg);
    for (Operand& operand : site.saved) visit(operand);
  }
  for (SpecialRegister& special : kernel.specials) visit(special.at);
  visit(kernel.frame);
}

// Results that may still be put into their registers: those of global memory, and what goes along with them, until
// somebody has waited for them. Where cores run ahead a load is done again in its turn.
class Pending {
 public:
  Pending(const Kernel& kernel, const std::vector<Accesses>& accesses, const Liveness& liveness)
      : kernel_(kernel), accesses_(accesses), liveness_(liveness) {
    const RegisterSet none(liveness.registers().size());
    before_.assign(kernel.blocks.size(), none);
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t i = 0; i < kernel.blocks.size(); ++i) changed = flow_on(i) || changed;
    }
  }

  const RegisterSet& before(uint32_t block) const { return before_[block]; }
  void step(Pc pc, RegisterSet& pending) const {
    const bool along = !kernel_.costs.empty() && kernel_.costs[pc].slots == 0;
    bool late = reaches_global(kernel_.code[pc]);
    for (const Operand& read : accesses_[pc].reads) {
      late = late || (along && pending.has(liveness_.number_of(read)));
      if (!along) pending.remove(liveness_.number_of(read));
    }
    for (const Operand& written : accesses_[pc].writes)
      if (late)
        pending.add(liveness_.number_of(written));
      else if (!along)
        pending.remove(liveness_.number_of(written));
  }

 private:
  bool flow_on(uint32_t block) {
    RegisterSet pending = before_[block];
    for (Pc pc = kernel_.blocks[block].begin; pc < kernel_.blocks[block].end; ++pc) step(pc, pending);
    bool changed = false;
    for (const uint32_t next : kernel_.blocks[block].successors) {
      const RegisterSet was = before_[next];
      before_[next].add(pending);
      changed = changed || !(was == before_[next]);
    }
    return changed;
  }

  const Kernel& kernel_;
  const std::vector<Accesses>& accesses_;
  const Liveness& liveness_;
  std::vector<RegisterSet> before_;  // by block
};

class Packing {
 public:
  explicit Packing(Kernel& kernel)
      : kernel_(kernel),
        accesses_(accesses_of(kernel)),
        liveness_(kernel, accesses_),
        count_(liveness_.registers().size()) {}

  void pack() {
    if (kernel_.code.empty() || count_ > kMostRegisters) return;
    find_specials();
    find_owners();
    find_meetings();
    find_places();
    kernel_.uses = std::make_shared<RegisterUses>(kernel_);
    move_all();
    if (!kernel_.has_calls && std::ranges::none_of(kernel_.code, sees_other_lanes)) find_read_first();
  }

 private:
  struct Place {
    uint32_t function;
    unsigned bytes;
    uint32_t at;
  };
  size_t number_of(const Operand& operand) const { return liveness_.number_of(operand); }

  // The one function whose register it is. Those of functions that call themselves, those that several functions
  // share, and what a function finds when it starts stay by themselves, but for special registers of the kernel, which
  // it does not find again. So do predicates, which are small.
  void find_owners() {
    constexpr uint32_t nobody = kShared - 1;
    owner_.assign(count_, nobody);
    for (const BasicBlock& block : kernel_.blocks)
      for (Pc pc = block.begin; pc < block.end; ++pc)
        for (const auto* const operands : {&accesses_[pc].reads, &accesses_[pc].writes})
          for (const Operand& operand : *operands) {
            uint32_t& owner = owner_[number_of(operand)];
            const bool alone = owner == nobody || owner == block.function;
            owner = alone && !kernel_.functions[block.function].recursive ? block.function : kShared;
          }
    for (uint32_t i = 0; i < kernel_.blocks.size(); ++i)
      if (kernel_.blocks[i].begin == kernel_.functions[kernel_.blocks[i].function].begin)
        liveness_.before(i).for_each([&](size_t number) {
          if (kernel_.blocks[i].function != 0 || !specials_.has(number)) owner_[number] = kShared;
        });
  }
  void find_specials() {
    for (size_t number = 0; number < count_; ++number)
      for (const SpecialRegister& special : kernel_.specials)
        if (special.at.at == liveness_.registers()[number].at) specials_.add(number);
  }

  void meet(size_t a, size_t b) {
    if (a == b) return;
    meets_[a].add(b);
    meets_[b].add(a);
  }

  // Each register with those that hold a value when it is written. What an instruction reads counts, too: it may write
  // one result before it has read all.
  void find_meetings() {
    meets_.assign(count_, RegisterSet(count_));
    const Pending pending(kernel_, accesses_, liveness_);
    const RegisterSet& first = liveness_.before(kernel_.block_of[0]);
    first.for_each([&](size_t a) { first.for_each([&](size_t b) { meet(a, b); }); });
    for (uint32_t i = 0; i < kernel_.blocks.size(); ++i) {
      RegisterSet live = liveness_.behind(i), late = pending.before(i);
      for (Pc pc = kernel_.blocks[i].end; pc-- > kernel_.blocks[i].begin; liveness_.step_back(pc, live)) {
        meet_all(pc, live);
        for (const Operand& written : accesses_[pc].writes) {
          for (const Operand& read : accesses_[pc].reads) meet(number_of(written), number_of(read));
          for (const Operand& other : accesses_[pc].writes) meet(number_of(written), number_of(other));
        }
      }
      for (Pc pc = kernel_.blocks[i].begin; pc < kernel_.blocks[i].end; pending.step(pc++, late)) meet_all(pc, late);
    }
  }
  void meet_all(Pc pc, const RegisterSet& others) {
    for (const Operand& written : accesses_[pc].writes)
      others.for_each([&](size_t other) { meet(number_of(written), other); });
  }

  void find_places() {
    std::vector<std::optional<size_t>> place_of(count_);
    for (size_t number = 0; number < count_; ++number) {
      const Operand& own = liveness_.registers()[number];
      if (own.bytes == 0 || own.at == kernel_.frame.at) owner_[number] = kShared;
      std::vector<bool> taken(places_.size());
      meets_[number].for_each([&](size_t other) {
        if (place_of[other]) taken[*place_of[other]] = true;
      });
      size_t place = 0;
      while (place < places_.size() && (taken[place] || !fits(places_[place], number))) ++place;
      if (place == places_.size()) places_.push_back({owner_[number], own.bytes, layout_.row(own.bytes)});
      place_of[number] = place;
      moved_[own.at] = places_[place].at;
    }
  }
  bool fits(const Place& place, size_t number) const {
    return owner_[number] != kShared && place.function == owner_[number] &&
           place.bytes == liveness_.registers()[number].bytes;
  }

  uint32_t moved(uint32_t at, unsigned bytes) {
    const auto [found, is_new] = moved_.try_emplace(at);
    if (is_new) found->second = layout_.row(bytes);  // nobody reads it
    return found->second;
  }
  void move_all() {
    for_each_register(kernel_, [&](Operand& operand) { operand.at = moved(operand.at, operand.bytes); });
    for (Instruction& instruction : kernel_.code)
      if (instruction.guarded()) instruction.guard = moved(instruction.guard, 0);
    kernel_.plane_bytes = layout_.size();
  }

  static bool sees_other_lanes(const Instruction& instruction) {
    return instruction.flow == Flow::Sync || is_on_matrices(instruction.op);
  }
  // None of these shares its place. Special registers are filled in.
  void find_read_first() {
    kernel_.read_first.emplace();
    if (!kernel_.frame.constant()) kernel_.read_first->push_back(kernel_.frame);
    liveness_.before(kernel_.block_of[0]).for_each([&](size_t number) {
      Operand found = liveness_.registers()[number];
      if (specials_.has(number)) return;
      found.at = moved_.at(found.at);
      kernel_.read_first->push_back(found);
    });
  }

  Kernel& kernel_;
  const std::vector<Accesses> accesses_;
  const Liveness liveness_;
  const size_t count_;
  RegisterSet specials_{count_};
  std::vector<uint32_t> owner_;     // by register: a function, or kShared
  std::vector<RegisterSet> meets_;  // by register
  PlaneLayout layout_;
  std::vector<Place> places_;
  std::map<uint32_t, uint32_t> moved_;  // from its own place
};

}  // namespace

void pack_registers(Kernel& kernel) { Packing(kernel).pack(); }

}  // namespace heddle

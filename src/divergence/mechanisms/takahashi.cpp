#include "divergence/mechanisms/takahashi.h"

#include <algorithm>

#include "divergence/support/limits.h"

namespace heddle {
namespace {

// The order in which threads run: deepest level, lowest address.
struct Before {
  template <class Party>
  bool operator()(const Party& a, const Party& b) const {
    return a.depth != b.depth ? a.depth > b.depth : a.pc < b.pc;
  }
};

}  // namespace

std::string Takahashi::refuses(const Kernel& kernel) const {
  return first_reason(recursion_in(kernel), indirection_in(kernel));
}

void Takahashi::pick(StaticWarp& threads) {
  run_first(threads, Before{},
            [](const Party& first, const Party& other) { return first.pc == other.pc && first.depth == other.depth; });
}

void Takahashi::resolve(WarpId id, std::span<const Outcome> outcomes) {
  StaticWarp& threads = of(id);
  const Warp& warp = host_.warp(id);
  if (outcomes.empty()) {
    const Pc next = second_choice(warp.pc);
    threads.phantom = false;
    return next == kNoPc ? arbitrate(threads) : walk(threads, next, warp.depth);
  }
  if (outcomes[0].kind != Outcome::Kind::Branch) return ThreadPcs::resolve(id, outcomes);
  part(threads, outcomes[0].targets);
  walk(threads, first_choice(warp.pc), warp.depth);
}

// To where the unit goes, which does not walk then.
std::optional<Pc> Takahashi::goes_on(WarpId id, Pc pc) const {
  return pc == first_choice(host_.warp(id).pc) ? goes_first(of(id), pc, Before{}) : std::nullopt;
}

Pc Takahashi::first_choice(Pc branch) const { return std::min(branch + 1, host_.kernel().code[branch].target); }

Pc Takahashi::second_choice(Pc pc) const {
  const Instruction& instruction = host_.kernel().code[pc];
  switch (instruction.op) {
    case Op::Ret:
    case Op::Exit: return kNoPc;
    case Op::Bra:
      if (!instruction.guarded() && instruction.target <= pc) return kNoPc;
      return std::max(pc + 1, instruction.target);
    default: return pc + 1;
  }
}

void Takahashi::walk(StaticWarp& threads, Pc pc, unsigned depth) {
  const Party& first = *std::min_element(threads.waiting.begin(), threads.waiting.end(), Before{});
  if (first.depth != depth || first.pc <= pc) return arbitrate(threads);
  show_phantom(threads, pc, depth, 0);
}

StateCost Takahashi::cost() const {
  // A PC and an activity bit per thread, whatever the nesting.
  return {1, uint64_t{host_.warp_size()} * (32 + 1), true};
}

}  // namespace heddle

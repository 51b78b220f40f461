#include "divergence/mechanisms/implicit_stack.h"

#include <algorithm>

#include "divergence/support/limits.h"

namespace heddle {

std::string ImplicitStack::refuses(const Kernel& kernel) const {
  return first_reason(call_in(kernel), indirection_in(kernel));
}

void ImplicitStack::pick(StaticWarp& threads) {
  threads.running.assign(1, threads.waiting.back());
  threads.waiting.pop_back();
}

Pc ImplicitStack::next_ask(const StaticWarp& threads, Pc pc) const {
  const Pc top = threads.waiting.back().pc;
  return top > pc ? top : kNoPc;
}

// Who jumps to before the top's address, or has the stack to themselves.
std::optional<Pc> ImplicitStack::goes_on(WarpId id, Pc pc) const {
  const StaticWarp& threads = of(id);
  return goes_first(threads, pc, [&](const Party& there, const Party& party) {
    return &party != &threads.waiting.back() || there.pc < party.pc;
  });
}

void ImplicitStack::wait(StaticWarp& threads, const Party& party) {
  if (!threads.waiting.empty() && threads.waiting.back().pc == party.pc)
    threads.waiting.back().who |= party.who;
  else
    threads.waiting.push_back(party);
  deepest_ = std::max(deepest_, threads.waiting.size() + 1);
}

bool ImplicitStack::at_top(const StaticWarp& threads) {
  return !threads.waiting.empty() && threads.waiting.back().pc == threads.running[0].pc;
}

void ImplicitStack::join_top(StaticWarp& threads) {
  while (at_top(threads)) {
    threads.running[0].who |= threads.waiting.back().who;
    threads.waiting.pop_back();
  }
}

void ImplicitStack::resolve(WarpId id, std::span<const Outcome> outcomes) {
  StaticWarp& threads = of(id);
  if (outcomes.empty()) {  // the slot after which the instruction is issued again
    join_top(threads);
    return go(threads);
  }
  const std::span<const Target> targets = outcomes[0].targets;
  if (targets.empty()) {  // exit
    threads.running.clear();
    return arbitrate(threads);
  }
  if (targets.size() == 1) return jump(threads, targets[0].pc);
  threads.running[0] = {targets[0].pc, 0, targets[0].who};
  join_top(threads);
  for (size_t i = targets.size(); i-- > 1;) wait(threads, {targets[i].pc, 0, targets[i].who});
  go(threads);
}

void ImplicitStack::jump(StaticWarp& threads, Pc target) {
  threads.running[0].pc = target;
  if (!threads.waiting.empty() && target > threads.waiting.back().pc)
    std::swap(threads.running[0], threads.waiting.back());
  else
    join_top(threads);
  go(threads);
}

void ImplicitStack::arrive(WarpId id) {
  StaticWarp& threads = of(id);
  Party& running = threads.running[0];
  running.pc = host_.warp(id).pc;
  if (at_top(threads)) return show_phantom(threads, running.pc, 0, running.who.count());
  go(threads);
}

StateCost ImplicitStack::cost() const {
  // An entry holds an address and a mask, the running threads' included.
  return {static_cast<unsigned>(deepest_), deepest_ * (32 + host_.warp_size()), false};
}

}  // namespace heddle

#include "core/port_watch.h"

#include <algorithm>
#include <map>

namespace heddle {

void PortWatch::wakes(const Reason& reason) {
  if (!wakes_.empty() && wakes_.back().when != reason.when) wakes_.clear();
  wakes_.push_back(reason);
}

const PortWatch::Reason& PortWatch::end_of_wait(WarpId goes) const {
  static constexpr Reason kNobodyKnows;
  if (wakes_.empty()) return kNobodyKnows;
  const auto own = std::find_if(wakes_.begin(), wakes_.end(), [&](const Reason& r) { return r.warp == goes; });
  return own != wakes_.end() && goes != kNoWarp ? *own : wakes_.back();
}

void PortWatch::passed(CoreCycle from, CoreCycle to, IdleClass in, CoreCycle port_free, bool resident) {
  static constexpr Reason kPort{IdleCause::Port}, kEmpty{IdleCause::NoWarp};
  if (!resident) return add(from, to, in, &kEmpty);
  if (from < port_free) {
    add(from, std::min(to, port_free), in, &kPort);
    from = port_free;
    if (from >= to) return;
  }
  if (in == IdleClass::Stall) charge(end_of_wait(kNoWarp));  // what was before is another wait
  add(from, to, in, in == IdleClass::Stall ? &stall_ : nullptr);
}

void PortWatch::add(CoreCycle from, CoreCycle to, IdleClass in, const Reason* reason) {
  Idled what{from, to - from, port_, in, {}, kNoPc, crowded_barrier()};
  if (reason) what.cause = reason->cause, what.waited_for = reason->pc;
  spans_.push_back({what, reason != nullptr});
}

void PortWatch::charge(const Reason& reason) {
  for (Span& span : spans_) {
    if (span.known) continue;
    span.what.cause = reason.cause;
    span.what.waited_for = reason.pc;
    span.known = true;
  }
}

void PortWatch::end_wait(WarpId warp, Pc pc) {
  Reason reason = end_of_wait(warp);
  if (reason.cause == IdleCause::Fetch) reason.pc = pc;
  charge(reason);
  for (const Span& span : spans_) host_.watch.tell<&Observer::idled>(Observer::kIdle, span.what);
  spans_.clear();
  wakes_.clear();
}

Pc PortWatch::crowded_barrier() const {
  const unsigned there = host_.count(WarpState::AtBarrier);
  const unsigned others = host_.count(WarpState::Ready) + host_.count(WarpState::InFlight) +
                          host_.count(WarpState::Held) + host_.count(WarpState::AtSync);
  if (there <= others) return kNoPc;
  std::map<Pc, unsigned> waiting;
  for (WarpId id{0}; id < host_.size(); ++id)
    if (const Warp& warp = host_.warp(id); warp.state == WarpState::AtBarrier) ++waiting[warp.pc];
  return std::max_element(waiting.begin(), waiting.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace heddle

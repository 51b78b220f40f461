#include "divergence/mechanisms/aware.h"

#include <algorithm>

#include "program/delayed_joins.h"

namespace heddle {

Aware::Aware(Host& host, const Config& config)
    : MultiPath(host, false),
      timeout_(static_cast<uint64_t>(config.integer("recv_timeout"))),
      joins_(config.boolean("delayed") ? delayed_joins(host.kernel()) : host.kernel().reconvergence) {
  limit(static_cast<size_t>(config.integer("st_entries")), static_cast<size_t>(config.integer("rt_entries")));
}

void Aware::choose(StaticWarp& own) {
  time_out(own);
  MultiPath::choose(own);
}

// Whoever goes on goes before the one that has jumped.
void Aware::jumped(StaticWarp& own, WarpId id) {
  time_out(own);
  MultiPath::jumped(own, id);
}

// Where there is nobody whose time may be out.
std::optional<Pc> Aware::goes_on(WarpId id, Pc pc) const {
  return first_due(of(id)) == kNone ? MultiPath::goes_on(id, pc) : std::nullopt;
}

// No control instruction will come from a warp whose splits all wait for others.
bool Aware::starved() {
  if (host_.count(WarpState::AtBarrier) + host_.count(WarpState::AtSync) == 0) return false;
  bool found = false;
  for_each_warp([&](StaticWarp& own) {
    const auto waits = [&](WarpId id) {
      const WarpState state = host_.warp(id).state;
      return state == WarpState::AtBarrier || state == WarpState::AtSync;
    };
    if (own.splits.empty() || !std::all_of(own.splits.begin(), own.splits.end(), waits)) return;
    const uint32_t due = first_due(own);
    if (due == kNone) return;
    const CoreCycle when = own.joins[due].last_came + timeout_ + 1;
    if (const WarpId id = let_go(own, due); id != kNoWarp) host_.warp(id).not_before = when;
    for (const WarpId id : own.splits) split(id).meets = waits(id);
    arrange(own);
    found = true;
  });
  return found;
}

void Aware::time_out(StaticWarp& own) {
  for (uint32_t due = first_due(own); due != kNone && host_.now - own.joins[due].last_came > timeout_;
       due = first_due(own))
    let_go(own, due);
}

uint32_t Aware::first_due(const StaticWarp& own) const {
  uint32_t first = kNone;
  if (timeout_ == 0) return first;
  for (uint32_t join = kRoot + 1; join < own.joins.size(); ++join)
    if (!own.joins[join].here().empty() && (first == kNone || own.joins[join].last_came < own.joins[first].last_came))
      first = join;
  return first;
}

WarpId Aware::let_go(StaticWarp& own, uint32_t index) {
  Join& join = own.joins[index];
  const LaneMask who = join.here();
  join.mask = join.pending;
  join.last_came = host_.now;
  ++timed_out_;
  Join& above = own.joins[join.parent];
  if (above.at != join.at) return enter(own, own.splits[0], join.parent, join.at, who);
  above.pending = above.pending.without(who);
  above.last_came = host_.now;
  return kNoWarp;
}

std::vector<Counter> Aware::counters() const {
  return {{"joins_timed_out", timed_out_}, {"st_spills", spilled_splits()}, {"rt_spills", spilled_joins()}};
}

}  // namespace heddle

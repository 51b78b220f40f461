#include "divergence/mechanisms/vws.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle {

Vws::Vws(Host& host, const Config& config)
    : Mechanism(host),
      slice_(std::min(static_cast<unsigned>(config.integer("slice")), host.warp_size())),
      width_(static_cast<unsigned>(config.integer("gangs_per_cycle"))),
      part_at_loads_(config.boolean("part_at_loads")),
      other_warps_(config.boolean("other_warps")),
      companions_(host) {}

void Vws::own(WarpId gang, size_t index) {
  if (owner_.size() <= gang) owner_.resize(gang + 1U);
  owner_[gang] = index;
}

// ---- what the machine tells

void Vws::block_start(BlockId block) {
  const BlockShape& shape = host_.block(block);
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const Group group = host_.static_warp(block, i);
    const size_t index = shape.first / host_.warp_size() + i;
    if (warps_.size() <= index) warps_.resize(index + 1);
    const WarpId gang = host_.open(block, 0, group);
    own(gang, index);
    StaticWarp& own = warps_[index];  // its stacks have memory if there was one before it
    own.row = group.row;
    own.slices.resize((group.mask.count() + slice_ - 1) / slice_);
    own.gangs.fill(gang);
    LaneMask left = group.mask;
    for (Stack& slice : own.slices) {
      const LaneMask lanes = left & LaneMask(LaneMask::first(slice_).bits() << left.lowest());
      left = left.without(lanes);
      slice.start(lanes);
    }
    place(own, gang);
  }
}

void Vws::resolve(WarpId gang, std::span<const Outcome> outcomes) {
  StaticWarp& own = of(gang);
  const Pc pc = host_.warp(gang).pc;
  own.for_each_of(gang, [&](Stack& slice, size_t) { follow(slice, pc, outcomes[0]); });
  settle(own, gang);
}

// What the gang did, for the threads of one slice.
void Vws::follow(Stack& stack, Pc pc, const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::Exit) return stack.exit(outcome.group.mask);
  targets_.clear();
  for (const Target& target : outcome.targets)
    if (const LaneMask who = target.who & stack.top().mask; !who.empty()) targets_.push_back({target.pc, who});
  const std::span<Target> own(targets_);
  switch (outcome.kind) {
    case Outcome::Kind::Exit: break;
    case Outcome::Kind::Call: return stack.call(pc, own);
    case Outcome::Kind::Return:
      require(own.size() == 1, "threads of one stack entry return to different places");
      return stack.leave(own[0].pc);
    case Outcome::Kind::Branch:
    case Outcome::Kind::Indirect:
      if (own.size() == 1)
        stack.top().at.pc = own[0].pc;
      else
        stack.diverge(host_.kernel(), pc, own);
  }
}

// Only gangs that are whole join others.
std::optional<Pc> Vws::goes_on(WarpId gang, Pc pc) const {
  const StaticWarp& own = of(gang);
  if (host_.has_kin(gang) && is_whole(own, gang)) return std::nullopt;
  Pc ask_at = kNoPc;
  const CodePoint* last = nullptr;  // most slices of a gang meet others at the same place
  for (size_t i = 0; i < own.slices.size(); ++i) {
    if (own.gangs[i] != gang) continue;
    const CodePoint& meets = own.slices[i].top().reconvergence;
    if (last != nullptr && meets == *last) continue;
    last = &meets;
    const std::optional<Pc> next = own.slices[i].goes_on(pc);
    if (!next) return std::nullopt;
    ask_at = std::min(ask_at, *next);
  }
  return ask_at;
}

// Nobody joins it, whatever others do.
bool Vws::goes_alone(WarpId gang) const { return !host_.has_kin(gang) || !is_whole(of(gang), gang); }

void Vws::arrive(WarpId gang) {
  StaticWarp& own = of(gang);
  stand_at(own, gang, host_.warp(gang).pc);
  settle(own, gang);
}

void Vws::release(WarpId gang) {
  ++host_.warp(gang).pc;
  arrive(gang);
}

void Vws::issued(WarpId gang) {
  if (std::exchange(cycle_, host_.now) != host_.now) {
    taken_ = {};
    cursor_ = 0;
  }
  taken_ |= slices_of(gang);
}

// Narrow warps share a row, and have the same lanes.
LaneMask Vws::lanes_of(WarpId gang) const {
  const LaneMask row = host_.warp(gang).group.mask;
  return host_.warp_size() == kRow ? row
                                   : LaneMask(row.bits() >> (row.lowest() / host_.warp_size() * host_.warp_size()));
}

// All lanes of the slices in which it has threads.
LaneMask Vws::slices_of(WarpId gang) const {
  LaneMask left = lanes_of(gang), slices;
  while (!left.empty()) {
    const LaneMask slice(LaneMask::first(slice_).bits() << (left.lowest() / slice_ * slice_));
    slices |= slice;
    left = left.without(slice);
  }
  return slices;
}

WarpId Vws::companion(WarpId gang, const WarpSet& ready) {
  if (host_.timed || &ready != &host_.ready()) return look_for_companion(gang, ready);
  if (!companions_.knows(gang)) companions_.note(gang, look_for_companion(gang, ready));
  return companions_.of(gang);
}

// The gang may have parted, or met others, by what was issued just now.
WarpId Vws::look_for_companion(WarpId gang, const WarpSet& ready) {
  const StaticWarp& own = of(gang);
  for (const WarpId other : std::span(own.gangs).first(own.slices.size()))
    if (other != gang && other != kNoWarp && ready.contains(other) && (!host_.timed || is_free(other))) return other;
  if (!host_.timed || !other_warps_ || taken_.count() == host_.warp_size()) return kNoWarp;
  WarpId other = ready.next_from(cursor_);  // whoever had no room has none now
  while (other != kNoWarp && !is_free(other)) other = ready.next_from(other + 1U);
  cursor_ = other == kNoWarp ? kNoWarp : other + 1U;
  return other;
}

void Vws::returned(WarpId parent, LaneMask, bool) {
  StaticWarp& own = of(parent);
  for (size_t i = 0; i < own.slices.size(); ++i) {
    const WarpId gang = own.gangs[i];
    if (gang == kNoWarp || host_.warp(gang).state != WarpState::Ready) continue;
    const Pc pc = host_.warp(gang).pc;
    const auto waits = [&](const Stack& slice) {
      return host_.wait_of(pc, Group::rows(own.row, slice.top().mask)) != Wait::Nothing;
    };
    if (!waits(own.slices[i])) continue;
    bool some_go = false;
    own.for_each_of(gang, [&](const Stack& slice, size_t) { some_go = some_go || !waits(slice); });
    if (!some_go) continue;
    stand_at(own, gang, pc);
    const WarpId early = part(own, gang, [&](const Stack& slice) { return !waits(slice); });
    place(own, gang);
    place(own, early);
  }
}

// ---- gangs

void Vws::stand_at(StaticWarp& own, WarpId gang, Pc pc) const {
  own.for_each_of(gang, [&](Stack& slice, size_t) { slice.top().at.pc = pc; });
}

void Vws::settle(StaticWarp& own, WarpId gang) {
  const Stack* first = nullptr;
  bool agree = true;
  own.for_each_of(gang, [&](Stack& slice, size_t number) {
    if (slice.size() > entries_) {
      entries_ = slice.size();
      deepest_ = std::max(deepest_, slice.depth());
    }
    slice.settle([](Pc) {});
    if (slice.empty()) {
      own.gangs[number] = kNoWarp;
      return;
    }
    if (first == nullptr) first = &slice;
    agree = agree && slice.top().at == first->top().at;
  });
  if (first == nullptr) return host_.close(gang);
  if (agree) {
    place(own, gang);
    return regang(own, gang);
  }
  std::vector<WarpId> gangs;
  own.for_each_of(gang, [&](const Stack& slice, size_t) {
    const CodePoint at = slice.top().at;
    gangs.push_back(part(own, gang, [&](const Stack& each) { return each.top().at == at; }));
  });
  host_.close(gang);
  for (const WarpId each : gangs) place(own, each);
  for (const WarpId each : gangs) regang(own, each);
}

template <class F>
WarpId Vws::part(StaticWarp& own, WarpId gang, F&& leaves) {
  const WarpId fresh = host_.open_split(gang, host_.warp(gang).pc, Group::rows(own.row, {}));
  this->own(fresh, owner_[gang]);
  ++made_;
  own.for_each_of(gang, [&](const Stack& slice, size_t number) {
    if (leaves(slice)) own.gangs[number] = fresh;
  });
  return fresh;
}

void Vws::place(StaticWarp& own, WarpId gang) {
  Warp& warp = host_.warp(gang);
  LaneMask lanes;
  warp.ask_at = kNoPc;
  own.for_each_of(gang, [&](const Stack& slice, size_t) {
    const Stack::Entry& top = slice.top();
    lanes |= top.mask;
    warp.pc = top.at.pc;
    warp.depth = static_cast<uint8_t>(std::min(top.at.depth, 255U));
    warp.ask_at = std::min(warp.ask_at, slice.ask_at(top.at.pc));
  });
  warp.group = Group::rows(own.row, lanes);
  host_.set_state(gang, WarpState::Ready);
}

bool Vws::is_whole(const StaticWarp& own, WarpId gang) const {
  for (size_t i = 0; i < own.slices.size(); ++i)
    if (own.gangs[i] == gang && !is_whole(own.slices[i])) return false;
  return true;
}

void Vws::regang(StaticWarp& own, WarpId gang) {
  if (!host_.has_kin(gang)) return;
  const auto depth_of = [&](WarpId id) { return own.first_of(id).top().at.depth; };
  for (const WarpId other : std::span(own.gangs).first(own.slices.size())) {
    if (other == gang || other == kNoWarp || host_.warp(other).state != WarpState::Ready) continue;
    if (host_.warp(other).pc == host_.warp(gang).pc && depth_of(other) == depth_of(gang) && is_whole(own, gang) &&
        is_whole(own, other))
      return unite(own, gang, other);
  }
}

void Vws::unite(StaticWarp& own, WarpId gang, WarpId other) {
  const Pc pc = host_.warp(other).pc;
  std::replace(own.gangs.begin(), own.gangs.end(), gang, other);
  host_.close(gang);
  ++united_;
  stand_at(own, other, pc);
  place(own, other);
}

// ---- for a person

State Vws::state(BlockId block) const {
  const BlockShape& shape = host_.block(block);
  State state;
  for (unsigned i = 0; i < host_.warps_of(shape); ++i) {
    const StaticWarp& own = warps_[shape.first / host_.warp_size() + i];
    for (size_t k = 0; k < own.slices.size(); ++k) {
      const WarpId gang = own.gangs[k];
      if (gang == kNoWarp) continue;
      state.push_back({"gang", gang, own.slices[k].state(host_.warp(gang).pc, [&](LaneMask mask) {
                         return lanes_of_warp(host_.warp_size(), mask);
                       })});
    }
  }
  return state;
}

StateCost Vws::cost() const {
  // A stack per slice: two PCs and a mask per entry. Which gang a slice is in.
  const uint64_t slices = (host_.warp_size() + slice_ - 1) / slice_;
  return {static_cast<unsigned>(deepest_), slices * (entries_ * (64 + slice_) + std::bit_width(slices - 1)), false};
}

std::vector<Counter> Vws::counters() const { return {{"gangs_made", made_}, {"gangs_united", united_}}; }

}  // namespace heddle

// Instructions in which the lanes of a static warp see each other. They run once, on the row of that warp, with all
// their member lanes present (the machine sees to that).
#include <array>
#include <bit>

#include "exec/handlers.h"
#include "exec/numeric/min_max.h"
#include "exec/row/row.h"

namespace heddle {
namespace {

// Where a lane takes its value from, and whether that is inside its segment. c holds the clamp in its low bits and the
// segment mask above.
struct Source {
  uint32_t lane;
  bool inside;
};
using FindSource = Source (*)(uint32_t lane, uint32_t b, uint32_t c);

constexpr uint32_t segment_of(uint32_t c) { return c >> 8 & 31; }
constexpr uint32_t highest_of(uint32_t lane, uint32_t c) { return (lane & segment_of(c)) | (c & 31 & ~segment_of(c)); }

constexpr Source up(uint32_t lane, uint32_t b, uint32_t c) {
  return {lane - b, static_cast<int32_t>(lane - b) >= static_cast<int32_t>(highest_of(lane, c))};
}
constexpr Source down(uint32_t lane, uint32_t b, uint32_t c) { return {lane + b, lane + b <= highest_of(lane, c)}; }
constexpr Source butterfly(uint32_t lane, uint32_t b, uint32_t c) {
  return {lane ^ b, (lane ^ b) <= highest_of(lane, c)};
}
constexpr Source index(uint32_t lane, uint32_t b, uint32_t c) {
  const uint32_t from = (lane & segment_of(c)) | (b & ~segment_of(c));
  return {from, from <= highest_of(lane, c)};
}

template <FindSource find>
void shuffle(Context& context, const Instruction& i, const Lanes& lanes) {
  std::array<uint32_t, kRow> value = context.offered;  // a lane that is no member gives 0, as on hardware
  blend(value.data(), context.source_row<uint32_t>(i.src[0], lanes.first), lanes.mask);
  const uint32_t* const b = context.source_row<uint32_t>(i.src[1], lanes.first);
  const uint32_t* const c = context.source_row<uint32_t>(i.src[2], lanes.first);
  uint32_t result[kRow];
  LaneMask inside;
  for (uint32_t lane = 0; lane < kRow; ++lane) {
    const Source from = find(lane, b[lane] & 31, c[lane]);
    result[lane] = value[from.inside ? from.lane & 31 : lane];
    if (from.inside) inside.add(lane);
  }
  blend(context.row<uint32_t>(i.dst[0], lanes.first), result, lanes.mask);
  if (i.dst_count < 2) return;
  for_each_lane(lanes.mask, [&](unsigned lane) {
    context.set_predicate(i.dst[1], static_cast<Hw>(lanes.first + lane), inside.has(lane));
  });
}

Handler select_shuffle(const Instruction& i) {
  return i.has(Mod::Up)     ? &shuffle<up>
         : i.has(Mod::Down) ? &shuffle<down>
         : i.has(Mod::Bfly) ? &shuffle<butterfly>
                            : &shuffle<index>;
}

void vote_among(Context& context, const Instruction& i, const Lanes& lanes, LaneMask yes) {
  const bool all = yes == lanes.mask, any = !yes.empty();
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    if (i.has(Mod::Ballot))
      context.set(i.dst[0], thread, yes.bits());
    else
      context.set_predicate(i.dst[0], thread, i.has(Mod::All) ? all : i.has(Mod::Any) ? any : all || !any);
  });
}

void vote(Context& context, const Instruction& i, const Lanes& lanes) {
  vote_among(context, i, lanes, context.predicate_mask(i.src[0], lanes));
}

// Without .sync: among the threads of the same static warp that execute together.
void vote_now(Context& context, const Instruction& i, const Lanes& lanes) {
  if (lanes.is_row()) return vote(context, i, lanes);
  LaneMask left = lanes.mask;
  while (!left.empty()) {
    const unsigned row = lanes.threads[left.lowest()] / kRow;
    Lanes together{{}, static_cast<Hw>(row * kRow), nullptr};
    for_each_lane(left, [&](unsigned k) {
      if (lanes.threads[k] / kRow != row) return;
      together.mask.add(lanes.threads[k] % kRow);
      left.remove(k);
    });
    vote(context, i, together);
  }
}

void match(Context& context, const Instruction& i, const Lanes& lanes) {
  const auto value = [&](unsigned lane) { return context.get_bits(i.src[0], static_cast<Hw>(lanes.first + lane)); };
  for_each_lane(lanes.mask, [&](unsigned lane) {
    LaneMask same;
    for_each_lane(lanes.mask, [&](unsigned other) {
      if (value(other) == value(lane)) same.add(other);
    });
    const Hw thread = static_cast<Hw>(lanes.first + lane);
    if (i.has(Mod::Any)) return context.set(i.dst[0], thread, same.bits());
    const bool all = same == lanes.mask;
    context.set(i.dst[0], thread, all ? same.bits() : 0);
    if (i.dst_count > 1) context.set_predicate(i.dst[1], thread, all);
  });
}

uint32_t reduce(const Instruction& i, uint32_t a, uint32_t b) {
  if (i.type == Type::F32) {
    const bool magnitude = i.has(Mod::Abs);
    const float x = std::bit_cast<float>(magnitude ? a & 0x7fffffffU : a),
                y = std::bit_cast<float>(magnitude ? b & 0x7fffffffU : b);
    if (i.has(Mod::NaN))
      return std::bit_cast<uint32_t>(i.has(Mod::Min) ? numeric::min_nan(x, y) : numeric::max_nan(x, y));
    return std::bit_cast<uint32_t>(i.has(Mod::Min) ? numeric::min(x, y) : numeric::max(x, y));
  }
  if (i.has(Mod::Add)) return a + b;
  if (i.has(Mod::And)) return a & b;
  if (i.has(Mod::Or)) return a | b;
  if (i.has(Mod::Xor)) return a ^ b;
  const bool less = is_signed(i.type) ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  return less == i.has(Mod::Min) ? a : b;
}

void redux(Context& context, const Instruction& i, const Lanes& lanes) {
  uint32_t result = 0;
  bool started = false;
  for_each_lane(lanes.mask, [&](unsigned lane) {
    const auto value = context.get<uint32_t>(i.src[0], static_cast<Hw>(lanes.first + lane));
    result = started ? reduce(i, result, value) : value;
    started = true;
  });
  for_each_lane(lanes.mask, [&](unsigned lane) { context.set(i.dst[0], static_cast<Hw>(lanes.first + lane), result); });
}

void elect(Context& context, const Instruction& i, const Lanes& lanes) {
  const unsigned leader = lanes.mask.lowest();
  for_each_lane(lanes.mask, [&](unsigned lane) {
    const Hw thread = static_cast<Hw>(lanes.first + lane);
    context.set(i.dst[0], thread, leader);
    context.set_predicate(i.dst[1], thread, lane == leader);
  });
}

void nothing(Context&, const Instruction&, const Lanes&) {}

}  // namespace

LaneMask barrier_predicate(Context& context, const Instruction& i, const Lanes& lanes) {
  return context.predicate_mask(i.src[i.src_count - 1U], lanes);
}

Handler select_warp_wide(const Instruction& i) {
  switch (i.op) {
    case Op::Shfl: return select_shuffle(i);
    case Op::Vote: return &vote;
    case Op::VoteNow: return &vote_now;
    case Op::Match: return &match;
    case Op::Redux: return &redux;
    case Op::Elect: return &elect;
    case Op::WarpSync:
    case Op::BarSync:
    case Op::BarArrive:
    case Op::BarRed: return &nothing;
    default: return nullptr;
  }
}

}  // namespace heddle

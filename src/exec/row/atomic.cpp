// Row forms of the commonest atomics: integers of 32 bits are added. Threads act one after another, lowest first.
#include <cstring>

#include "exec/handlers.h"
#include "exec/row/places.h"
#include "exec/row/select.h"

namespace heddle {
namespace {

inline uint32_t add_to(std::byte* at, uint32_t value) {
  uint32_t old;
  std::memcpy(&old, at, sizeof old);
  value += old;
  std::memcpy(at, &value, sizeof value);
  return old;
}

// `old`: somebody wants what was there before.
template <class Base, bool old>
void add_words(Context& context, const Instruction& i, const Lanes& lanes) {
  Places<Base> places;
  find_places(context, i, lanes, 4, true, false, context.tells, places);
  if (places.kind == Places<Base>::Kind::Unknown) return select_atomic(i)(context, i, lanes);
  uint32_t gathered[kRow];
  const uint32_t* const values =
      lanes.is_row() ? context.source_row<uint32_t>(i.src[1], lanes.first) : gather(context, i.src[1], lanes, gathered);
  uint32_t before[kRow];
  for_each_lane(lanes.mask, [&](unsigned lane) { before[lane] = add_to(places.lane(lane), values[lane]); });
  if constexpr (!old) return;
  if (lanes.is_row()) return blend(context.row<uint32_t>(i.dst[0], lanes.first), before, lanes.mask);
  const RegisterOf<uint32_t> to = context.register_of<uint32_t>(i.dst[0]);
  for_each_lane(lanes.mask, [&](unsigned lane) { to(lanes.thread(lane)) = before[lane]; });
}

template <class Base>
Handler adds(const Instruction& i) {
  return i.op == Op::Atom ? &add_words<Base, true> : &add_words<Base, false>;
}

}  // namespace

Handler select_row_atomic(const Instruction& i) {
  if ((i.op != Op::Atom && i.op != Op::Red) || i.vector != 1 || !i.has(Mod::Add)) return nullptr;
  if (i.type != Type::U32 && i.type != Type::S32) return nullptr;
  switch (i.src[0].bytes) {
    case 4: return adds<uint32_t>(i);
    case 8: return adds<uint64_t>(i);
    default: return nullptr;
  }
}

}  // namespace heddle

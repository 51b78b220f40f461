// Row forms of loads and stores. What is not known to be good goes thread by thread (memory.cpp), with all checks.
#include <algorithm>
#include <cstring>

#include "exec/handlers.h"
#include "exec/row/places.h"
#include "exec/row/run.h"
#include "exec/row/select.h"

namespace heddle {
namespace {

// M: the type in memory, R: the register. Widening goes by M's sign.
template <class M, class R>
inline R load_as(const std::byte* from) {
  M value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<R>(value);
}

template <class M, class R>
inline void store_as(std::byte* to, R value) {
  const auto narrow = static_cast<M>(value);
  std::memcpy(to, &narrow, sizeof narrow);
}

// Eight lanes that lie `apart` from each other.
template <class M, class R>
inline void load_part(R* to, const std::byte* from, unsigned apart) {
  constexpr unsigned part = Places<uint64_t>::kPart;
  if (sizeof(M) == sizeof(R) && apart == sizeof(M)) {
    std::memcpy(to, from, part * sizeof(M));
    return;
  }
  for (unsigned lane = 0; lane < part; ++lane) to[lane] = load_as<M, R>(from + lane * apart);
}

// The same value for eight lanes, by registers.
template <class R>
[[gnu::always_inline]] inline void spread_part(R* to, R value) {
  const PartOf<R> all = PartOf<R>{} + value;
  for (unsigned k = 0; k < Places<uint64_t>::kPart; k += sizeof all / sizeof(R)) std::memcpy(to + k, &all, sizeof all);
}

template <class M, class R>
inline void store_part(std::byte* to, const R* from, unsigned apart) {
  constexpr unsigned part = Places<uint64_t>::kPart;
  if (sizeof(M) == sizeof(R) && apart == sizeof(M)) {
    std::memcpy(to, from, part * sizeof(M));
    return;
  }
  for (unsigned lane = 0; lane < part; ++lane) store_as<M, R>(to + lane * apart, from[lane]);
}

// One element of a vector, `skip` bytes behind where the lanes lie.
template <class M, class R, class Base>
inline void load_parts(R* to, const Places<Base>& places, unsigned skip, unsigned bytes) {
  constexpr unsigned part = Places<Base>::kPart;
  for (unsigned p = 0; p < Places<Base>::kParts; ++p) {
    const std::byte* const from = places.part(p) + skip;
    if (places.kind == Places<Base>::Kind::Same)
      spread_part(to + p * part, load_as<M, R>(from));
    else
      load_part<M, R>(to + p * part, from, bytes);
  }
}

template <class M, class R, class Base>
inline void load_element(Context& context, const Operand& to, const Lanes& lanes, const Places<Base>& places,
                         unsigned skip, unsigned bytes) {
  const bool whole = lanes.is_row() && lanes.mask.full(), each = places.kind == Places<Base>::Kind::Each;
  R* const row = context.row<R>(to, lanes.first);
  if (whole && !each) return load_parts<M, R>(row, places, skip, bytes);
  if (whole) {
    for (unsigned lane = 0; lane < kRow; ++lane) row[lane] = load_as<M, R>(places.lane(lane) + skip);
  } else if (each) {
    const RegisterOf<R> registers = context.register_of<R>(to);
    for_each_lane(lanes.mask,
                  [&](unsigned lane) { registers(lanes.thread(lane)) = load_as<M, R>(places.lane(lane) + skip); });
  } else {
    R values[kRow];
    load_parts<M, R>(values, places, skip, bytes);
    blend(row, values, lanes.mask);
  }
}

template <class M, class R>
[[gnu::always_inline]] inline void load_run(R* to, const std::byte* from, LaneMask mask) {
  if constexpr (sizeof(M) == sizeof(R)) {
    put(to, reinterpret_cast<const R*>(from), mask);
  } else {
    R values[kRow];
    for (unsigned lane = 0; lane < kRow; ++lane) values[lane] = load_as<M, R>(from + lane * sizeof(M));
    put(to, values, mask);
  }
}

template <class M, class R, class Base>
[[gnu::noinline]] void load_places(Context& context, const Instruction& i, const Lanes& lanes) {
  Places<Base> places;
  find_places(context, i, lanes, sizeof(M), false, places);
  if (places.kind == Places<Base>::Kind::Unknown) return select_memory(i)(context, i, lanes);
  load_element<M, R>(context, i.dst[0], lanes, places, 0, sizeof(M));
}

template <class M, class R, class Base>
[[gnu::noinline]] void load_quietly(Context& context, const Instruction& i, const Lanes& lanes, const Region& region,
                                    const Base* at) {
  Places<Base> places;
  find_places(at, i, lanes.mask, region, sizeof(M), true, places);
  if (places.kind == Places<Base>::Kind::Unknown) return load_places<M, R, Base>(context, i, lanes);
  load_element<M, R>(context, i.dst[0], lanes, places, 0, sizeof(M));
}

template <class M, class R>
[[gnu::always_inline]] inline void load_again(R* to, const std::byte* from, const BasePlaces& known) {
  constexpr unsigned part = Places<uint32_t>::kPart;
  if (known.same) {
#pragma GCC unroll 4
    for (unsigned p = 0; p < known.part.size(); ++p) spread_part(to + p * part, load_as<M, R>(from + known.part[p]));
  } else {
#pragma GCC unroll 4
    for (unsigned p = 0; p < known.part.size(); ++p)
      load_part<M, R>(to + p * part, from + known.part[p], sizeof(M));  // one behind the other
  }
}

template <class M, class R>
[[gnu::always_inline]] inline bool load_again(Context& context, const Instruction& i, const Lanes& lanes) {
  const BasePlaces* const known = find_again<sizeof(M)>(context, i, lanes);
  if (!known) return false;
  R* const to = context.row<R>(i.dst[0], lanes.first);
  const std::byte* const from = known->base + i.displacement;
  if (lanes.mask.full()) {
    load_again<M, R>(to, from, *known);
  } else {
    R values[kRow];
    load_again<M, R>(values, from, *known);
    blend(to, values, lanes.mask);
  }
  return true;
}

template <class M, class R, class Base>
void load(Context& context, const Instruction& i, const Lanes& lanes) {
  if constexpr (sizeof(Base) == 4)
    if (load_again<M, R>(context, i, lanes)) return;
  const Region region = quiet_region(context, i, lanes);
  if (region.bytes == 0) return load_places<M, R, Base>(context, i, lanes);
  const Base* const at = context.source_row<Base>(i.src[0], lanes.first);
  const std::byte* const run = find_run<sizeof(M)>(region, at, i.displacement);
  if (!run) return load_quietly<M, R>(context, i, lanes, region, at);
  load_run<M, R>(context.row<R>(i.dst[0], lanes.first), run, lanes.mask);
}

template <class M, class R, class Base>
void load_vector(Context& context, const Instruction& i, const Lanes& lanes) {
  const auto bytes = static_cast<unsigned>(sizeof(M) * i.vector);
  Places<Base> places;
  find_places(context, i, lanes, bytes, false, places);
  if (places.kind == Places<Base>::Kind::Unknown) return select_memory(i)(context, i, lanes);
  for (unsigned element = 0; element < i.vector; ++element)
    load_element<M, R>(context, i.dst[element], lanes, places, element * sizeof(M), bytes);
}

// Of lanes on one place the highest is the last to write.
template <class M, class R, class Base>
inline void store_parts(const R* from, const Places<Base>& places, unsigned skip, unsigned bytes) {
  constexpr unsigned part = Places<Base>::kPart;
  for (unsigned p = 0; p < Places<Base>::kParts; ++p) {
    std::byte* const to = places.part(p) + skip;
    if (places.kind == Places<Base>::Kind::Same)
      store_as<M, R>(to, from[p * part + part - 1]);
    else
      store_part<M, R>(to, from + p * part, bytes);
  }
}

template <class M, class R, class Base>
inline void store_element(Context& context, const Operand& from, const Lanes& lanes, const Places<Base>& places,
                          unsigned skip, unsigned bytes) {
  if (places.kind != Places<Base>::Kind::Each)
    return store_parts<M, R>(context.source_row<R>(from, lanes.first), places, skip, bytes);
  const RegisterOf<const R> registers = context.source_of<R>(from);
  for_each_lane(lanes.mask,
                [&](unsigned lane) { store_as<M, R>(places.lane(lane) + skip, registers(lanes.thread(lane))); });
}

template <class M, class R, class Base>
[[gnu::noinline]] void store_places(Context& context, const Instruction& i, const Lanes& lanes) {
  Places<Base> places;
  find_places(context, i, lanes, sizeof(M), true, places);
  if (places.kind == Places<Base>::Kind::Unknown) return select_memory(i)(context, i, lanes);
  store_element<M, R>(context, i.src[1], lanes, places, 0, sizeof(M));
}

template <class M, class R, class Base>
[[gnu::noinline]] void store_quietly(Context& context, const Instruction& i, const Lanes& lanes, const Region& region,
                                     const Base* at) {
  Places<Base> places;
  find_places(at, i, lanes.mask, region, sizeof(M), lanes.mask.full(), places);
  if (places.kind == Places<Base>::Kind::Unknown) return store_places<M, R, Base>(context, i, lanes);
  store_element<M, R>(context, i.src[1], lanes, places, 0, sizeof(M));
}

template <class M, class R>
[[gnu::always_inline]] inline bool store_again(Context& context, const Instruction& i, const Lanes& lanes) {
  const BasePlaces* const known = lanes.mask.full() ? find_again<sizeof(M)>(context, i, lanes) : nullptr;
  if (!known || known->same) return false;
  const R* const from = context.source_row<R>(i.src[1], lanes.first);
  std::byte* const to = known->base + i.displacement;
  constexpr unsigned part = Places<uint32_t>::kPart;
  for (unsigned p = 0; p < known->part.size(); ++p) store_part<M, R>(to + known->part[p], from + p * part, sizeof(M));
  return true;
}

template <class M, class R, class Base>
void store(Context& context, const Instruction& i, const Lanes& lanes) {
  if constexpr (sizeof(Base) == 4)
    if (store_again<M, R>(context, i, lanes)) return;
  const Region region = quiet_region(context, i, lanes);
  if (region.bytes == 0) return store_places<M, R, Base>(context, i, lanes);
  const Base* const at = context.source_row<Base>(i.src[0], lanes.first);
  std::byte* const run = lanes.mask.full() ? find_run<sizeof(M)>(region, at, i.displacement) : nullptr;
  if (!run) return store_quietly<M, R>(context, i, lanes, region, at);
  const R* const from = context.source_row<R>(i.src[1], lanes.first);
  for (unsigned lane = 0; lane < kRow; ++lane) store_as<M, R>(run + lane * sizeof(M), from[lane]);
}

template <class M, class R, class Base>
void store_vector(Context& context, const Instruction& i, const Lanes& lanes) {
  const auto bytes = static_cast<unsigned>(sizeof(M) * i.vector);
  Places<Base> places;
  find_places(context, i, lanes, bytes, true, places);
  if (places.kind == Places<Base>::Kind::Unknown) return select_memory(i)(context, i, lanes);
  for (unsigned element = 0; element < i.vector; ++element)
    store_element<M, R>(context, i.src[1 + element], lanes, places, element * sizeof(M), bytes);
}

// ---- which form

template <class M, class R>
Handler loads(const Instruction& i) {
  if (i.vector > 1) return i.src[0].bytes == 4 ? &load_vector<M, R, uint32_t> : &load_vector<M, R, uint64_t>;
  return i.src[0].bytes == 4 ? &load<M, R, uint32_t> : &load<M, R, uint64_t>;
}
template <class M, class R>
Handler stores(const Instruction& i) {
  if (i.vector > 1) return i.src[0].bytes == 4 ? &store_vector<M, R, uint32_t> : &store_vector<M, R, uint64_t>;
  return i.src[0].bytes == 4 ? &store<M, R, uint32_t> : &store<M, R, uint64_t>;
}

template <class M>
Handler load_to(const Instruction& i) {
  constexpr bool sign = std::is_signed_v<M>;
  switch (i.dst[0].bytes) {
    case 2:
      if constexpr (sizeof(M) <= 2) return loads<M, std::conditional_t<sign, int16_t, uint16_t>>(i);
      return nullptr;
    case 4:
      if constexpr (sizeof(M) <= 4) return loads<M, std::conditional_t<sign, int32_t, uint32_t>>(i);
      return nullptr;
    case 8: return loads<M, std::conditional_t<sign, int64_t, uint64_t>>(i);
    default: return nullptr;
  }
}

Handler select_load(const Instruction& i) {
  const bool sign = is_signed(i.type);
  switch (bytes_of(i.type)) {
    case 1: return sign ? load_to<int8_t>(i) : load_to<uint8_t>(i);
    case 2: return sign ? load_to<int16_t>(i) : load_to<uint16_t>(i);
    case 4: return sign ? load_to<int32_t>(i) : load_to<uint32_t>(i);
    case 8: return load_to<uint64_t>(i);
    default: return nullptr;
  }
}

template <class M>
Handler store_from(const Instruction& i) {
  switch (i.src[1].bytes) {
    case 2:
      if constexpr (sizeof(M) <= 2) return stores<M, uint16_t>(i);
      return nullptr;
    case 4:
      if constexpr (sizeof(M) <= 4) return stores<M, uint32_t>(i);
      return nullptr;
    case 8: return stores<M, uint64_t>(i);
    default: return nullptr;
  }
}

Handler select_store(const Instruction& i) {
  switch (bytes_of(i.type)) {
    case 1: return store_from<uint8_t>(i);
    case 2: return store_from<uint16_t>(i);
    case 4: return store_from<uint32_t>(i);
    case 8: return store_from<uint64_t>(i);
    default: return nullptr;
  }
}

// Elements of one vector may sit in registers of different widths.
bool mixed_widths(const Instruction& i) {
  for (unsigned k = 1; k < i.vector; ++k)
    if ((i.op == Op::Ld && i.dst[k].bytes != i.dst[0].bytes) ||
        (i.op == Op::St && i.src[k + 1].bytes != i.src[1].bytes))
      return true;
  return false;
}

}  // namespace

Handler select_row_memory(const Instruction& i) {
  if ((i.op != Op::Ld && i.op != Op::St) || mixed_widths(i)) return nullptr;
  if (i.src[0].bytes != 4 && i.src[0].bytes != 8) return nullptr;
  return i.op == Op::Ld ? select_load(i) : select_store(i);
}

}  // namespace heddle

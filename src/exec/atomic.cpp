// Atomics, reductions and mbarriers. Threads of one instruction act one after another, lowest first.
#include <bit>
#include <cstring>

#include "exec/atomic_value.h"
#include "exec/handlers.h"
#include "exec/resolve.h"
#include "exec/wide.h"

namespace heddle {
namespace {

bool in_shared(const Context& context, const Instruction& i, unsigned lane) {
  if (i.space == Space::Shared) return true;
  return i.space == Space::None && context.access.address[lane] - kSharedWindow < kWindowBytes;
}

void atomic(Context& context, const Instruction& i, const Lanes& lanes) {
  const unsigned bytes = bytes_of(i.type);
  std::array<std::byte*, kRow> host;
  resolve(context, i, lanes, bytes * i.vector, true, host);
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    for (unsigned element = 0; element < i.vector; ++element) {
      std::byte* at = host[k] + element * bytes;
      uint64_t old = 0;
      std::memcpy(&old, at, bytes);
      const uint64_t a = context.get_bits(i.src[1 + element], thread);
      const uint64_t b = i.has(Mod::Cas) ? context.get_bits(i.src[2], thread) : 0;
      const uint64_t value = atomic_value(i, in_shared(context, i, k), old, a, b);
      std::memcpy(at, &value, bytes);
      if (i.op == Op::Atom) context.set_bits(i.dst[element], thread, old);
    }
  });
}

void atomic_wide(Context& context, const Instruction& i, const Lanes& lanes) {
  std::array<std::byte*, kRow> host;
  resolve(context, i, lanes, 16, true, host);
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    Wide old;
    std::memcpy(&old, host[k], 16);
    const Wide a = context.get<Wide>(i.src[1], thread);
    Wide value = a;
    if (i.has(Mod::Cas)) value = old == a ? context.get<Wide>(i.src[2], thread) : old;
    std::memcpy(host[k], &value, 16);
    context.set(i.dst[0], thread, old);
  });
}

}  // namespace

Handler select_atomic(const Instruction& i) {
  switch (i.op) {
    case Op::Atom:
    case Op::Red: return i.type == Type::B128 ? &atomic_wide : &atomic;
    default: return nullptr;
  }
}

}  // namespace heddle

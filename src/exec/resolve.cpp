#include "exec/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exec/row/places.h"

namespace heddle {
namespace {

// base + displacement for each of the lanes.
void compute_addresses(Context& context, const Instruction& i, const Lanes& lanes) {
  auto& address = context.access.address;
  const auto displacement = static_cast<uint64_t>(i.displacement);
  // Negative displacements wrap; and of a register that is wider than addresses in the space its lower half counts.
  const bool is_short = i.src[0].bytes == 4 || i.space == Space::Shared || i.space == Space::Local;
  for_each_lane(lanes.mask, [&](unsigned k) {
    address[k] = context.get_bits(i.src[0], lanes.thread(k)) + displacement;
    if (is_short) address[k] &= 0xffffffffU;
  });
}

[[noreturn]] void misaligned(Context& context, Hw thread, Address address, unsigned bytes, bool store) {
  throw context.fault(thread,
                      fmt::format("misaligned {} of {} bytes at {:#x}", store ? "store" : "load", bytes, address),
                      Fault::Kind::Alignment);
}

[[noreturn]] void outside(Context& context, Hw thread, Address address, unsigned bytes, bool store,
                          const std::string& where) {
  throw context.fault(
      thread, fmt::format("out-of-bounds {} of {} bytes at {:#x}: {}", store ? "store" : "load", bytes, address, where),
      Fault::Kind::Address);
}

void check_alignment(Context& context, const Lanes& lanes, unsigned bytes, bool store) {
  uint64_t low = 0;
  for_each_lane(lanes.mask, [&](unsigned k) { low |= context.access.address[k]; });
  if ((low & (bytes - 1)) == 0) [[likely]]
    return;
  for_each_lane(lanes.mask, [&](unsigned k) {
    if (context.access.address[k] & (bytes - 1))
      misaligned(context, lanes.thread(k), context.access.address[k], bytes, store);
  });
}

bool inside(const Extent& extent, Address address, unsigned bytes) {
  const uint64_t offset = address - extent.begin;
  return offset < extent.bytes && extent.bytes - offset >= bytes;
}

// A load beside an allocation goes unnoticed on hardware, and programs have them: a row too many is read and not used.
bool pass_stray_load(Context& context, Hw thread, Address address, unsigned bytes) {
  if (!context.stray_load || !context.memory.beside_allocation(address)) return false;
  if (!std::exchange(context.stray_seen, true))
    context.stray_load(context
                           .fault(thread, fmt::format("out-of-bounds load of {} bytes at {:#x}: {}", bytes, address,
                                                      context.memory.describe(address)))
                           .what());
  return true;
}

std::byte* global_address(Context& context, Hw thread, Address address, unsigned bytes, bool store, Extent& hint) {
  if (!inside(hint, address, bytes)) [[unlikely]] {
    const Extent found = context.memory.extent_at(address);
    if (!inside(found, address, bytes)) {
      if (!store && pass_stray_load(context, thread, address, bytes)) return context.memory.host(address);
      outside(context, thread, address, bytes, store, context.memory.describe(address));
    }
    hint = found;
  }
  if (context.touches) [[unlikely]]
    context.touches->range(hint.begin, address, bytes, store);
  return context.memory.host(address);
}

std::byte* shared_address(Context& context, Hw thread, Address offset, unsigned bytes, bool store) {
  BlockState& block = context.block_of(thread);
  if (offset >= block.shared.size() || block.shared.size() - offset < bytes) [[unlikely]]
    outside(context, thread, offset, bytes, store,
            fmt::format("the block has {} bytes of shared memory", block.shared.size()));
  return block.shared.data() + offset;
}

std::byte* local_address(Context& context, Hw thread, Address offset, unsigned bytes, bool store) {
  if (offset >= Context::kLocalBytes || Context::kLocalBytes - offset < bytes) [[unlikely]]
    outside(context, thread, offset, bytes, store,
            fmt::format("a thread has {} bytes of local memory (stack overflow?)", Context::kLocalBytes));
  return context.local(thread) + offset;
}

std::byte* generic_address(Context& context, Hw thread, Address address, unsigned bytes, bool store, Extent& hint) {
  if (address - kSharedWindow < kWindowBytes)
    return shared_address(context, thread, address - kSharedWindow, bytes, store);
  if (address - kLocalWindow < kWindowBytes)
    return local_address(context, thread, address - kLocalWindow, bytes, store);
  return global_address(context, thread, address, bytes, store, hint);
}

void note_access(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes) {
  context.access.space = i.space;
  context.access.bytes = static_cast<uint8_t>(bytes);
  context.access.mask = lanes.mask;
  context.access.by_parts = false;
}

// Thread by thread, with all checks, which name the thread that fails.
void resolve_each(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, bool store,
                  std::array<std::byte*, kRow>& host) {
  compute_addresses(context, i, lanes);
  check_alignment(context, lanes, bytes, store);
  Extent& hint = context.hints[context.pc];
  const auto each = [&](auto&& find) {
    for_each_lane(lanes.mask, [&](unsigned k) { host[k] = find(lanes.thread(k), context.access.address[k]); });
  };
  switch (i.space) {
    case Space::Shared: return each([&](Hw t, Address a) { return shared_address(context, t, a, bytes, store); });
    case Space::Local: return each([&](Hw t, Address a) { return local_address(context, t, a, bytes, store); });
    case Space::None: return each([&](Hw t, Address a) { return generic_address(context, t, a, bytes, store, hint); });
    case Space::Global:
    case Space::Const:
    case Space::Param:
    case Space::Reg: return each([&](Hw t, Address a) { return global_address(context, t, a, bytes, store, hint); });
  }
}

// All at once, inside one region; false if some lane is not.
template <class Base>
bool resolve_row(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, bool store, Tells tells,
                 std::array<std::byte*, kRow>& host) {
  using Kind = typename Places<Base>::Kind;
  Places<Base> places;
  find_places(context, i, lanes, bytes, store, tells == Tells::Parts, tells, places);
  if (places.kind == Kind::Unknown) return false;
  if (context.access.by_parts) {
    for (unsigned part = 0; part < Places<Base>::kParts; ++part) host[part] = places.part(part);
  } else if (places.kind == Kind::Each) {
    for (unsigned lane = 0; lane < kRow; ++lane) host[lane] = places.lane(lane);
  } else {
    const unsigned step = places.kind == Kind::Next ? bytes : 0;
    for (unsigned lane = 0; lane < kRow; ++lane)
      host[lane] = places.part(lane / Places<Base>::kPart) + lane % Places<Base>::kPart * step;
  }
  return true;
}

void resolve_telling(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, bool store,
                     Tells tells, std::array<std::byte*, kRow>& host) {
  if (i.src[0].bytes == 8 ? resolve_row<uint64_t>(context, i, lanes, bytes, store, tells, host)
                          : resolve_row<uint32_t>(context, i, lanes, bytes, store, tells, host))
    return;
  note_access(context, i, lanes, bytes);
  resolve_each(context, i, lanes, bytes, store, host);
}

}  // namespace

void resolve(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, bool store,
             std::array<std::byte*, kRow>& host) {
  resolve_telling(context, i, lanes, bytes, store, Tells::All, host);
}

void resolve_parts(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, bool store,
                   std::array<std::byte*, kRow>& host) {
  resolve_telling(context, i, lanes, bytes, store, context.tells == Tells::Parts ? Tells::Parts : Tells::All, host);
}

std::byte* resolve_generic(Context& context, Hw thread, Address address, unsigned bytes, bool store) {
  Extent none;
  return generic_address(context, thread, address, bytes, store, none);
}

}  // namespace heddle

#include "exec/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exec/touches.h"

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

// What all threads of a row may touch without further questions: the block's shared memory, each thread's own local
// memory, or the allocation this instruction touched last.
struct Region {
  std::byte* base = nullptr;
  Address begin = 0;
  uint64_t bytes = 0;
  size_t lane_stride = 0;
  bool global = false;
};

Region shared_region(Context& context, const Lanes& lanes, Address begin) {
  BlockState& block = context.block_of(lanes.first);
  return {block.shared.data(), begin, block.shared.size(), 0};
}

Region local_region(Context& context, const Lanes& lanes, Address begin) {
  return {context.local(lanes.first), begin, Context::kLocalBytes,
          static_cast<size_t>(context.local(Hw{1}) - context.local(Hw{0}))};
}

Region global_region(Context& context) {
  const Extent& hint = context.hints[context.pc];
  if (hint.bytes == 0) return {};  // nothing touched yet
  return {context.memory.host(hint.begin), hint.begin, hint.bytes, 0, true};
}

Region region_of(Context& context, const Instruction& i, const Lanes& lanes) {
  switch (i.space) {
    case Space::Shared: return shared_region(context, lanes, 0);
    case Space::Local: return local_region(context, lanes, 0);
    case Space::None: {
      const Hw thread = lanes.thread(lanes.mask.lowest());
      const Address first = context.get_bits(i.src[0], thread) + static_cast<uint64_t>(i.displacement);
      if (first - kSharedWindow < kWindowBytes) return shared_region(context, lanes, kSharedWindow);
      if (first - kLocalWindow < kWindowBytes) return local_region(context, lanes, kLocalWindow);
      return global_region(context);
    }
    case Space::Global:
    case Space::Const:
    case Space::Param:
    case Space::Reg: break;
  }
  return global_region(context);
}

// The whole row at once, inside one region; false if some lane is not. Inactive lanes may hold anything.
template <class Base>
bool resolve_row(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, const Region& region,
                 std::array<std::byte*, kRow>& host) {
  if (region.bytes < bytes) return false;
  const Base* base = context.source_row<Base>(i.src[0], lanes.first);
  const auto displacement = static_cast<uint64_t>(i.displacement);
  const uint64_t limit = region.bytes - bytes;
  const uint32_t mask = lanes.mask.bits();
  uint64_t address[kRow], offset[kRow];
  uint64_t outside = 0, low = 0;
  for (unsigned lane = 0; lane < kRow; ++lane) {
    const uint64_t active = uint64_t{0} - (mask >> lane & 1U);
    const uint64_t at = base[lane] + displacement;
    address[lane] = at;
    offset[lane] = (at - region.begin) & active;
    outside |= offset[lane] > limit ? active : 0;
    low |= at & active;
  }
  if (outside != 0 || (low & (bytes - 1)) != 0) return false;
  std::copy_n(address, kRow, context.access.address.begin());
  for (unsigned lane = 0; lane < kRow; ++lane) host[lane] = region.base + lane * region.lane_stride + offset[lane];
  return true;
}

void note_access(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes) {
  context.access.space = i.space;
  context.access.bytes = static_cast<uint8_t>(bytes);
  context.access.mask = lanes.mask;
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

// Zero if each lane's base lies `bytes` behind that of the lane before.
template <class Base>
uint64_t distance_apart(const Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes) {
  const Base* base = context.source_row<Base>(i.src[0], lanes.first);
  Base apart = 0;
  for (unsigned lane = 0; lane < kRow; ++lane) apart |= base[lane] ^ static_cast<Base>(base[0] + lane * bytes);
  return apart;
}

}  // namespace

void resolve(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, bool store,
             std::array<std::byte*, kRow>& host) {
  note_access(context, i, lanes, bytes);
  if (lanes.is_row()) {
    const Region region = region_of(context, i, lanes);
    if (i.src[0].bytes == 8 ? resolve_row<uint64_t>(context, i, lanes, bytes, region, host)
                            : resolve_row<uint32_t>(context, i, lanes, bytes, region, host)) {
      if (context.touches && region.global) [[unlikely]]
        context.touches->row(region.begin, context.access.address, lanes.mask, bytes, store);
      return;
    }
  }
  resolve_each(context, i, lanes, bytes, store, host);
}

std::byte* resolve_contiguous(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, bool store) {
  if (!lanes.is_row() || !lanes.mask.full() || i.space == Space::Local) return nullptr;
  const Region region = region_of(context, i, lanes);
  const bool short_base = i.src[0].bytes == 4;
  const Address first = context.get_bits(i.src[0], lanes.first) + static_cast<uint64_t>(i.displacement);
  const uint64_t apart = short_base ? distance_apart<uint32_t>(context, i, lanes, bytes)
                                    : distance_apart<uint64_t>(context, i, lanes, bytes);
  if (apart != 0 || (first & (bytes - 1)) != 0 || region.lane_stride != 0 ||
      !inside({region.begin, region.bytes}, first, bytes * kRow))
    return nullptr;
  if (context.touches && region.global) [[unlikely]]
    context.touches->range(region.begin, first, bytes * kRow, store);
  note_access(context, i, lanes, bytes);
  for (unsigned lane = 0; lane < kRow; ++lane) context.access.address[lane] = first + lane * bytes;
  return region.base + (first - region.begin);
}

void resolve_shared(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, SharedRow& row) {
  if (!lanes.is_row()) return;
  std::vector<std::byte>& shared = context.block_of(lanes.first).shared;
  if (shared.size() < bytes) return;
  const uint32_t* const base = context.source_row<uint32_t>(i.src[0], lanes.first);
  const auto displacement = static_cast<uint32_t>(i.displacement), limit = static_cast<uint32_t>(shared.size() - bytes);
  const uint32_t mask = lanes.mask.bits(), first = base[0] + displacement;
  uint32_t offset[kRow];
  uint32_t outside = 0, low = 0, apart = 0, gaps = 0;
  for (unsigned lane = 0; lane < kRow; ++lane) {
    const uint32_t at = (base[lane] + displacement) & (0U - (mask >> lane & 1U));
    offset[lane] = at;
    outside |= at > limit ? 1U : 0U;
    low |= at;
    apart |= at ^ first;
    gaps |= at ^ (first + lane * bytes);
  }
  if (outside != 0 || (low & (bytes - 1)) != 0) return;
  note_access(context, i, lanes, bytes);
  for (unsigned lane = 0; lane < kRow; ++lane) context.access.address[lane] = offset[lane];
  std::copy_n(offset, kRow, row.offset.begin());
  row.base = shared.data();
  row.same = lanes.mask.full() && apart == 0;
  row.contiguous = lanes.mask.full() && gaps == 0;
}

std::byte* resolve_generic(Context& context, Hw thread, Address address, unsigned bytes, bool store) {
  Extent none;
  return generic_address(context, thread, address, bytes, store, none);
}

}  // namespace heddle

#include "exec/resolve.h"

#include <fmt/format.h>

namespace heddle {
namespace {

// base + displacement for all 32 lanes of a row, or for the threads of a list.
void compute_addresses(Context& context, const Instruction& i, const Lanes& lanes, Space space) {
  auto& address = context.access.address;
  const auto displacement = static_cast<uint64_t>(i.displacement);
  if (lanes.is_row()) {
    if (i.src[0].bytes == 8) {
      const uint64_t* base = context.source_row<uint64_t>(i.src[0], lanes.first);
      for (unsigned lane = 0; lane < kRow; ++lane) address[lane] = base[lane] + displacement;
    } else {
      const uint32_t* base = context.source_row<uint32_t>(i.src[0], lanes.first);
      for (unsigned lane = 0; lane < kRow; ++lane) address[lane] = base[lane] + displacement;
    }
  } else {
    for_each_lane(lanes.mask, [&](unsigned k) { address[k] = context.get_bits(i.src[0], lanes.threads[k]) + displacement; });
  }
  // Shared addresses are 32 bits wide; a negative displacement wraps there.
  if (space == Space::Shared && i.src[0].bytes == 4)
    for (Address& each : address) each &= 0xffffffffU;
}

[[noreturn]] void misaligned(Context& context, Hw thread, Address address, unsigned bytes, bool store) {
  throw context.fault(thread, fmt::format("misaligned {} of {} bytes at {:#x}", store ? "store" : "load", bytes, address));
}

[[noreturn]] void outside(Context& context, Hw thread, Address address, unsigned bytes, bool store, const std::string& where) {
  throw context.fault(thread, fmt::format("out-of-bounds {} of {} bytes at {:#x}: {}", store ? "store" : "load", bytes, address, where));
}

void check_alignment(Context& context, const Lanes& lanes, unsigned bytes, bool store) {
  uint64_t low = 0;
  for_each_lane(lanes.mask, [&](unsigned k) { low |= context.access.address[k]; });
  if ((low & (bytes - 1)) == 0) [[likely]]
    return;
  for_each_lane(lanes.mask, [&](unsigned k) {
    if (context.access.address[k] & (bytes - 1)) misaligned(context, lanes.thread(k), context.access.address[k], bytes, store);
  });
}

bool inside(const Extent& extent, Address address, unsigned bytes) {
  const uint64_t offset = address - extent.begin;
  return offset < extent.bytes && extent.bytes - offset >= bytes;
}

std::byte* global_address(Context& context, Hw thread, Address address, unsigned bytes, bool store, Extent& hint) {
  if (!inside(hint, address, bytes)) [[unlikely]] {
    const Extent found = context.memory.extent_at(address);
    if (!inside(found, address, bytes)) outside(context, thread, address, bytes, store, context.memory.describe(address));
    hint = found;
  }
  return context.memory.host(address);
}

void check_written(Context& context, BlockState& block, Hw thread, Address offset, unsigned bytes, bool store) {
  for (unsigned b = 0; b < bytes; ++b) {
    if (store) block.written[offset + b] = true;
    else if (!block.written[offset + b])
      throw context.fault(thread, fmt::format("read of shared memory that nobody has written, at byte {:#x}", offset + b));
  }
}

std::byte* shared_address(Context& context, Hw thread, Address offset, unsigned bytes, bool store) {
  BlockState& block = context.block_of(thread);
  if (offset >= block.shared.size() || block.shared.size() - offset < bytes) [[unlikely]]
    outside(context, thread, offset, bytes, store, fmt::format("the block has {} bytes of shared memory", block.shared.size()));
  if (context.launch.check_init) check_written(context, block, thread, offset, bytes, store);
  return block.shared.data() + offset;
}

std::byte* local_address(Context& context, Hw thread, Address offset, unsigned bytes, bool store) {
  if (offset >= Context::kLocalBytes || Context::kLocalBytes - offset < bytes) [[unlikely]]
    outside(context, thread, offset, bytes, store, fmt::format("a thread has {} bytes of local memory (stack overflow?)", Context::kLocalBytes));
  return context.local(thread) + offset;
}

std::byte* generic_address(Context& context, Hw thread, Address address, unsigned bytes, bool store, Extent& hint) {
  if (address - kSharedWindow < kWindowBytes) return shared_address(context, thread, address - kSharedWindow, bytes, store);
  if (address - kLocalWindow < kWindowBytes) return local_address(context, thread, address - kLocalWindow, bytes, store);
  return global_address(context, thread, address, bytes, store, hint);
}

}  // namespace

void resolve(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes, bool store,
             std::array<std::byte*, kRow>& host) {
  Access& access = context.access;
  access.space = i.space;
  access.bytes = static_cast<uint8_t>(bytes);
  access.mask = lanes.mask;
  compute_addresses(context, i, lanes, i.space);
  check_alignment(context, lanes, bytes, store);
  Extent& hint = context.hints[context.pc];
  const auto each = [&](auto&& find) {
    for_each_lane(lanes.mask, [&](unsigned k) { host[k] = find(lanes.thread(k), access.address[k]); });
  };
  switch (i.space) {
    case Space::Shared: return each([&](Hw t, Address a) { return shared_address(context, t, a, bytes, store); });
    case Space::Local: return each([&](Hw t, Address a) { return local_address(context, t, a, bytes, store); });
    case Space::None: return each([&](Hw t, Address a) { return generic_address(context, t, a, bytes, store, hint); });
    case Space::Global: case Space::Const: case Space::Param: case Space::Reg:
      return each([&](Hw t, Address a) { return global_address(context, t, a, bytes, store, hint); });
  }
}

std::byte* resolve_generic(Context& context, Hw thread, Address address, unsigned bytes, bool store) {
  Extent none;
  return generic_address(context, thread, address, bytes, store, none);
}

std::byte* resolve_contiguous(Context& context, const Instruction& i, const Lanes& lanes, unsigned bytes) {
  if (!lanes.is_row() || !lanes.mask.full() || i.src[0].bytes != 8 || i.space == Space::Shared || i.space == Space::Local) return nullptr;
  const uint64_t* base = context.source_row<uint64_t>(i.src[0], lanes.first);
  const Address first = base[0] + static_cast<uint64_t>(i.displacement);
  uint64_t difference = first & (bytes - 1);
  for (unsigned lane = 0; lane < kRow; ++lane) difference |= base[lane] ^ (base[0] + lane * bytes);
  const Extent& hint = context.hints[context.pc];
  if (difference != 0 || !inside(hint, first, bytes * kRow)) return nullptr;
  Access& access = context.access;
  access.space = i.space;
  access.bytes = static_cast<uint8_t>(bytes);
  access.mask = lanes.mask;
  for (unsigned lane = 0; lane < kRow; ++lane) access.address[lane] = first + lane * bytes;
  return context.memory.host(first);
}

}  // namespace heddle

// Loads, stores and copies, thread by thread; what is common goes faster by rows (row/memory.cpp).
#include <algorithm>
#include <cstring>

#include "exec/handlers.h"
#include "exec/resolve.h"
#include "exec/wide.h"

namespace heddle {
namespace {

void load_wide(Context& context, const Instruction& i, const Lanes& lanes) {
  std::array<std::byte*, kRow> host;
  resolve(context, i, lanes, 16U * i.vector, false, host);
  for_each_lane(lanes.mask, [&](unsigned k) {
    for (unsigned element = 0; element < i.vector; ++element) {
      Wide value;
      std::memcpy(&value, host[k] + element * 16, 16);
      context.set(i.dst[element], lanes.thread(k), value);
    }
  });
}
void store_wide(Context& context, const Instruction& i, const Lanes& lanes) {
  std::array<std::byte*, kRow> host;
  resolve(context, i, lanes, 16U * i.vector, true, host);
  for_each_lane(lanes.mask, [&](unsigned k) {
    for (unsigned element = 0; element < i.vector; ++element) {
      const Wide value = context.get<Wide>(i.src[1 + element], lanes.thread(k));
      std::memcpy(host[k] + element * 16, &value, 16);
    }
  });
}

// Any widths, which may differ among the elements of a vector.
void load(Context& context, const Instruction& i, const Lanes& lanes) {
  const unsigned bytes = bytes_of(i.type);
  std::array<std::byte*, kRow> host;
  resolve(context, i, lanes, bytes * i.vector, false, host);
  for_each_lane(lanes.mask, [&](unsigned k) {
    for (unsigned element = 0; element < i.vector; ++element) {
      uint64_t value = 0;
      std::memcpy(&value, host[k] + element * bytes, bytes);
      if (is_signed(i.type) && bytes < 8)
        value = static_cast<uint64_t>(static_cast<int64_t>(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
      context.set_bits(i.dst[element], lanes.thread(k), value);
    }
  });
}

void store(Context& context, const Instruction& i, const Lanes& lanes) {
  const unsigned bytes = bytes_of(i.type);
  std::array<std::byte*, kRow> host;
  resolve(context, i, lanes, bytes * i.vector, true, host);
  for_each_lane(lanes.mask, [&](unsigned k) {
    for (unsigned element = 0; element < i.vector; ++element) {
      const uint64_t value = context.get_bits(i.src[1 + element], lanes.thread(k));
      std::memcpy(host[k] + element * bytes, &value, bytes);
    }
  });
}

// cp.async: done at once; waiting for it is then a hint. Bytes beyond the source size are zero.
void copy_async(Context& context, const Instruction& i, const Lanes& lanes) {
  const Operand count = i.src[2];
  Access reads;  // what the load/store unit sees
  reads.space = Space::Global;
  for_each_lane(lanes.mask, [&](unsigned k) {
    Lanes one = lanes;
    one.mask = LaneMask::of(k);
    const Hw thread = lanes.thread(k);
    const auto bytes = static_cast<unsigned>(context.get_bits(count, thread));
    uint64_t given = i.src_count > 3 ? context.get_bits(i.src[3], thread) : bytes;
    if (given > bytes) given = bytes;
    if (bytes == 0 || bytes > 16 || (bytes & (bytes - 1)))
      throw context.fault(thread, "cp.async copies 4, 8 or 16 bytes");
    std::array<std::byte*, kRow> to, from;
    Instruction source = i;
    source.space = Space::Global;
    source.src[0] = i.src[1];
    source.displacement = i.displacement2;
    std::byte buffer[16] = {};
    if (given > 0) {
      resolve(context, source, one, bytes, false, from);
      std::memcpy(buffer, from[k], given);
      reads.bytes = context.access.bytes;
      reads.mask.add(k);
      reads.address[k] = context.access.address[k];
    }
    Instruction target = i;
    target.space = Space::Shared;
    resolve(context, target, one, bytes, true, to);
    std::memcpy(to[k], buffer, bytes);
  });
  context.access = reads;
}

// alloca: memory above the frame, which lasts until the function returns.
void allocate_local(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const uint64_t align = i.src_count > 1 ? std::max<uint64_t>(1, context.get_bits(i.src[1], thread)) : 8;
    const uint64_t at = (context.alloca_top[thread] + align - 1) / align * align;
    const uint64_t end = at + context.get_bits(i.src[0], thread);
    if (end > Context::kLocalBytes) throw context.fault(thread, "stack overflow in alloca");
    context.alloca_top[thread] = static_cast<uint32_t>((end + 7) / 8 * 8);
    context.set_bits(i.dst[0], thread, at);
  });
}
void save_stack(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    context.set_bits(i.dst[0], thread, context.alloca_top.empty() ? 0 : context.alloca_top[thread]);
  });
}
void restore_stack(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    if (!context.alloca_top.empty())
      context.alloca_top[thread] = static_cast<uint32_t>(context.get_bits(i.src[0], thread));
  });
}

}  // namespace

Handler select_memory(const Instruction& i) {
  switch (i.op) {
    case Op::Ld: return bytes_of(i.type) == 16 ? &load_wide : &load;
    case Op::St: return bytes_of(i.type) == 16 ? &store_wide : &store;
    case Op::CpAsync: return &copy_async;
    case Op::Alloca: return &allocate_local;
    case Op::StackSave: return &save_stack;
    case Op::StackRestore: return &restore_stack;
    default: return nullptr;
  }
}

}  // namespace heddle

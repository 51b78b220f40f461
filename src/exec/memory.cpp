// Loads, stores and copies.
#include <algorithm>
#include <cstring>

#include "exec/handlers.h"
#include "exec/resolve.h"
#include "exec/row/row.h"
#include "exec/wide.h"

namespace heddle {
namespace {

template <class M, class R>
R load_as(const std::byte* from) {
  M value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<R>(value);
}

// M: the type in memory, R: the register. Widening goes by M's sign.
template <class M, class R>
void load(Context& context, const Instruction& i, const Lanes& lanes) {
  if (sizeof(M) == sizeof(R) && i.vector == 1)
    if (const std::byte* from = resolve_contiguous(context, i, lanes, sizeof(M), false)) {
      std::memcpy(context.row<R>(i.dst[0], lanes.first), from, sizeof(R) * kRow);
      return;
    }
  std::array<std::byte*, kRow> host{};
  resolve(context, i, lanes, static_cast<unsigned>(sizeof(M) * i.vector), false, host);
  // The elements of a vector lie one after another.
  for (unsigned element = 0; element < i.vector; ++element) {
    const Operand& to = i.dst[element];
    const auto from = [&](unsigned k) { return load_as<M, R>(host[k] + element * sizeof(M)); };
    if (!lanes.is_row()) {
      for_each_lane(lanes.mask, [&](unsigned k) { context.set<R>(to, lanes.threads[k], from(k)); });
      continue;
    }
    R* row = context.row<R>(to, lanes.first);
    if (lanes.mask.full())
      for (unsigned lane = 0; lane < kRow; ++lane) row[lane] = from(lane);
    else
      for_each_lane(lanes.mask, [&](unsigned k) { row[k] = from(k); });
  }
}

template <class M, class R>
void store(Context& context, const Instruction& i, const Lanes& lanes) {
  if (sizeof(M) == sizeof(R) && i.vector == 1)
    if (std::byte* to = resolve_contiguous(context, i, lanes, sizeof(M), true)) {
      std::memcpy(to, context.source_row<R>(i.src[1], lanes.first), sizeof(R) * kRow);
      return;
    }
  std::array<std::byte*, kRow> host{};
  resolve(context, i, lanes, static_cast<unsigned>(sizeof(M) * i.vector), true, host);
  for (unsigned element = 0; element < i.vector; ++element) {
    const Operand& from = i.src[1 + element];
    for_each_lane(lanes.mask, [&](unsigned k) {
      const auto value = static_cast<M>(context.get<R>(from, lanes.thread(k)));
      std::memcpy(host[k] + element * sizeof(M), &value, sizeof value);
    });
  }
}

// From shared memory, by an address of 32 bits. What is no plain row goes the other way.
template <class M, class R>
void load_shared(Context& context, const Instruction& i, const Lanes& lanes) {
  SharedRow at;
  resolve_shared(context, i, lanes, sizeof(M), at);
  if (!at.base) return load<M, R>(context, i, lanes);
  R* const row = context.row<R>(i.dst[0], lanes.first);
  if (at.same) {
    std::fill_n(row, kRow, load_as<M, R>(at.base + at.offset[0]));
  } else if (at.contiguous && sizeof(M) == sizeof(R)) {
    std::memcpy(row, at.base + at.offset[0], sizeof(R) * kRow);
  } else {
    R values[kRow];
    for (unsigned lane = 0; lane < kRow; ++lane) values[lane] = load_as<M, R>(at.base + at.offset[lane]);
    if (lanes.mask.full())
      std::memcpy(row, values, sizeof values);
    else
      blend(row, values, lanes.mask);
  }
}

template <class M, class R>
void store_shared(Context& context, const Instruction& i, const Lanes& lanes) {
  SharedRow at;
  resolve_shared(context, i, lanes, sizeof(M), at);
  if (!at.base) return store<M, R>(context, i, lanes);
  const R* const row = context.source_row<R>(i.src[1], lanes.first);
  if (at.contiguous && sizeof(M) == sizeof(R)) {
    std::memcpy(at.base + at.offset[0], row, sizeof(R) * kRow);
    return;
  }
  for_each_lane(lanes.mask, [&](unsigned lane) {
    const auto value = static_cast<M>(row[lane]);
    std::memcpy(at.base + at.offset[lane], &value, sizeof value);
  });
}

bool plain_shared(const Instruction& i) { return i.space == Space::Shared && i.src[0].bytes == 4 && i.vector == 1; }

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

template <class M, class R>
Handler loads(bool shared) {
  return shared ? &load_shared<M, R> : &load<M, R>;
}
template <class M, class R>
Handler stores(bool shared) {
  return shared ? &store_shared<M, R> : &store<M, R>;
}

template <class M>
Handler load_to(unsigned bytes, bool shared) {
  using S = std::conditional_t<std::is_signed_v<M>, int16_t, uint16_t>;
  switch (bytes) {
    case 2:
      if constexpr (sizeof(M) <= 2)
        return loads<M, S>(shared);
      else
        return nullptr;
    case 4:
      if constexpr (sizeof(M) <= 4)
        return loads<M, std::conditional_t<std::is_signed_v<M>, int32_t, uint32_t>>(shared);
      else
        return nullptr;
    case 8: return loads<M, std::conditional_t<std::is_signed_v<M>, int64_t, uint64_t>>(shared);
    default: return nullptr;
  }
}

Handler select_load(const Instruction& i) {
  const unsigned to = i.dst[0].bytes;
  const bool sign = is_signed(i.type), shared = plain_shared(i);
  switch (bytes_of(i.type)) {
    case 1: return sign ? load_to<int8_t>(to, shared) : load_to<uint8_t>(to, shared);
    case 2: return sign ? load_to<int16_t>(to, shared) : load_to<uint16_t>(to, shared);
    case 4: return sign ? load_to<int32_t>(to, shared) : load_to<uint32_t>(to, shared);
    case 8: return load_to<uint64_t>(to, shared);
    default: return &load_wide;
  }
}

template <class M>
Handler store_from(unsigned bytes, bool shared) {
  switch (bytes) {
    case 2:
      if constexpr (sizeof(M) <= 2)
        return stores<M, uint16_t>(shared);
      else
        return nullptr;
    case 4:
      if constexpr (sizeof(M) <= 4)
        return stores<M, uint32_t>(shared);
      else
        return nullptr;
    case 8: return stores<M, uint64_t>(shared);
    default: return nullptr;
  }
}

Handler select_store(const Instruction& i) {
  const unsigned from = i.src[1].bytes;
  const bool shared = plain_shared(i);
  switch (bytes_of(i.type)) {
    case 1: return store_from<uint8_t>(from, shared);
    case 2: return store_from<uint16_t>(from, shared);
    case 4: return store_from<uint32_t>(from, shared);
    case 8: return store_from<uint64_t>(from, shared);
    default: return &store_wide;
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

void mixed_load(Context& context, const Instruction& i, const Lanes& lanes) {
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

void mixed_store(Context& context, const Instruction& i, const Lanes& lanes) {
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
    case Op::Ld: return mixed_widths(i) ? &mixed_load : select_load(i);
    case Op::St: return mixed_widths(i) ? &mixed_store : select_store(i);
    case Op::CpAsync: return &copy_async;
    case Op::Alloca: return &allocate_local;
    case Op::StackSave: return &save_stack;
    case Op::StackRestore: return &restore_stack;
    default: return nullptr;
  }
}

}  // namespace heddle

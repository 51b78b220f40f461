// Moves, packing, address conversion, and the few values that are no function of registers.
#include <cstring>

#include "exec/handlers.h"
#include "exec/row/row.h"
#include "exec/wide.h"

namespace heddle {
namespace {

template <class T>
void copy_row(Context& context, const Instruction& i, const Lanes& lanes) {
  constexpr auto same = [](T a) { return a; };
  map_row<same, T, T>(context, i, lanes);
}

template <class T>
void copy_each(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask,
                [&](unsigned k) { context.set(i.dst[0], lanes.thread(k), context.get<T>(i.src[0], lanes.thread(k))); });
}

Wide get_wide(Context& context, const Operand& operand, Hw thread) {
  if (operand.bytes == 16) return context.get<Wide>(operand, thread);
  return {context.get_bits(operand, thread), 0};
}

void set_wide(Context& context, const Operand& operand, Hw thread, const Wide& value) {
  if (operand.bytes == 16)
    context.set(operand, thread, value);
  else
    context.set_bits(operand, thread, value.low);
}

// mov.b64 %rd, {%r1, %r2}: the first part is the lowest.
void pack(Context& context, const Instruction& i, const Lanes& lanes) {
  const unsigned bytes = bytes_of(i.type), piece = bytes / i.vector;
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    std::byte buffer[16] = {};
    for (unsigned part = 0; part < i.src_count; ++part) {
      const Wide value = get_wide(context, i.src[part], thread);
      std::memcpy(buffer + part * piece, &value, piece);
    }
    Wide whole;
    std::memcpy(&whole, buffer, sizeof whole);
    set_wide(context, i.dst[0], thread, whole);
  });
}

void unpack(Context& context, const Instruction& i, const Lanes& lanes) {
  const unsigned bytes = bytes_of(i.type), piece = bytes / i.vector;
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const Wide whole = get_wide(context, i.src[0], thread);
    std::byte buffer[32] = {};
    std::memcpy(buffer, &whole, sizeof whole);
    for (unsigned part = 0; part < i.dst_count; ++part) {
      Wide value{0, 0};
      std::memcpy(&value, buffer + part * piece, piece);
      set_wide(context, i.dst[part], thread, value);
    }
  });
}

// A register and its two halves, as most that are packed: of a double that is shuffled, of a pair of small floats.
template <class Whole, class Half>
void pack_halves(Context& context, const Instruction& i, const Lanes& lanes) {
  constexpr auto join = [](Half low, Half high) {
    return static_cast<Whole>(Whole{low} | static_cast<Whole>(Whole{high} << (8 * sizeof(Half))));
  };
  map_row<join, Whole, Half, Half>(context, i, lanes);
}

template <class Whole, class Half>
void unpack_halves(Context& context, const Instruction& i, const Lanes& lanes) {
  if (!lanes.is_row()) return unpack(context, i, lanes);
  const Whole* const whole = context.source_row<Whole>(i.src[0], lanes.first);
  alignas(64) Half low[kRow], high[kRow];
  for (unsigned lane = 0; lane < kRow; ++lane) {
    low[lane] = static_cast<Half>(whole[lane]);
    high[lane] = static_cast<Half>(whole[lane] >> (8 * sizeof(Half)));
  }
  blend(context.row<Half>(i.dst[0], lanes.first), low, lanes.mask);
  blend(context.row<Half>(i.dst[1], lanes.first), high, lanes.mask);
}

Handler select_pack(const Instruction& i) {
  const auto is = [&](unsigned bytes) {
    return i.src_count == 2 && i.dst[0].bytes == bytes && i.src[0].bytes * 2U == bytes && i.src[1].bytes * 2U == bytes;
  };
  return is(8) ? &pack_halves<uint64_t, uint32_t> : is(4) ? &pack_halves<uint32_t, uint16_t> : &pack;
}

Handler select_unpack(const Instruction& i) {
  const auto is = [&](unsigned bytes) {
    return i.dst_count == 2 && i.src[0].bytes == bytes && i.dst[0].bytes * 2U == bytes && i.dst[1].bytes * 2U == bytes;
  };
  return is(8) ? &unpack_halves<uint64_t, uint32_t> : is(4) ? &unpack_halves<uint32_t, uint16_t> : &unpack;
}

void read_clock(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) { context.set_bits(i.dst[0], lanes.thread(k), context.clock); });
}

// Which threads of its static warp are executing together with each thread.
void active_mask(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    uint32_t together = lanes.mask.bits();
    if (!lanes.is_row()) {
      together = 0;
      for_each_lane(lanes.mask, [&](unsigned other) {
        if (lanes.threads[other] / kRow == thread / kRow) together |= 1U << (lanes.threads[other] % kRow);
      });
    }
    context.set_bits(i.dst[0], thread, together);
  });
}

Address window_of(Space space) {
  return space == Space::Shared ? kSharedWindow : space == Space::Local ? kLocalWindow : 0;
}

// Global, constant and parameter addresses are generic addresses already.
void to_generic(Context& context, const Instruction& i, const Lanes& lanes) {
  const Address window = window_of(i.space);
  for_each_lane(lanes.mask, [&](unsigned k) {
    context.set_bits(i.dst[0], lanes.thread(k), context.get_bits(i.src[0], lanes.thread(k)) + window);
  });
}

void from_generic(Context& context, const Instruction& i, const Lanes& lanes) {
  const Address window = window_of(i.space);
  for_each_lane(lanes.mask, [&](unsigned k) {
    context.set_bits(i.dst[0], lanes.thread(k), context.get_bits(i.src[0], lanes.thread(k)) - window);
  });
}

void is_space(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Address address = context.get_bits(i.src[0], lanes.thread(k));
    const Address window = window_of(i.space);
    bool inside = address >= context.memory.base();
    if (window != 0) {
      inside = address >= window && address < window + kWindowBytes;
    } else if (i.space == Space::Param) {
      inside =
          address >= context.launch.parameters && address < context.launch.parameters + context.kernel.parameter_bytes;
    } else if (i.space == Space::Const) {
      inside = context.is_constant && context.is_constant(address);
    } else {
      inside = inside && !(context.is_constant && context.is_constant(address));
    }
    context.set_predicate(i.dst[0], lanes.thread(k), inside);
  });
}

void create_policy(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) { context.set_bits(i.dst[0], lanes.thread(k), 0); });
}

void nothing(Context&, const Instruction&, const Lanes&) {}

Handler address_copy(const Instruction& i) {
  return i.dst[0].bytes == 8 && i.src[0].bytes == 8 ? &copy_row<uint64_t> : nullptr;
}

}  // namespace

Handler select_move(const Instruction& i) {
  switch (i.op) {
    case Op::Mov:
      switch (i.dst[0].bytes) {
        case 2: return &copy_row<uint16_t>;
        case 4: return &copy_row<uint32_t>;
        case 8: return &copy_row<uint64_t>;
        case 16: return &copy_each<Wide>;
        default: return nullptr;
      }
    case Op::Pack: return select_pack(i);
    case Op::Unpack: return select_unpack(i);
    case Op::Clock: return &read_clock;
    case Op::ActiveMask: return &active_mask;
    case Op::CvtaFrom:
    case Op::CvtaTo:
      if (window_of(i.space) == 0)
        if (Handler handler = address_copy(i)) return handler;
      return i.op == Op::CvtaFrom ? &to_generic : &from_generic;
    case Op::IsSpace: return &is_space;
    case Op::CreatePolicy: return &create_policy;
    case Op::Hint:
    case Op::Fence:
    case Op::Sleep: return &nothing;
    default: return nullptr;
  }
}

}  // namespace heddle

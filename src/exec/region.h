// What all threads of a group may touch without further questions: the block's shared memory, each thread's own local
// memory, or the allocation an instruction touched last.
#pragma once

#include "exec/context.h"

namespace heddle {

struct Region {
  std::byte* base = nullptr;
  Address begin = 0;
  uint64_t bytes = 0;      // 0: nothing is known
  size_t lane_stride = 0;  // of a row of threads: from one's own to the next one's
  bool global = false;
};

namespace region_detail {

// Threads of a list may be of several blocks.
inline bool of_one_block(const Context& context, const Lanes& lanes, BlockId block) {
  bool one = true;
  for_each_lane(lanes.mask, [&](unsigned k) { one = one && context.block_of_row[lanes.threads[k] / kRow] == block; });
  return one;
}

inline Region shared(Context& context, const Lanes& lanes, Address begin) {
  const Hw first = lanes.is_row() ? lanes.first : lanes.threads[lanes.mask.lowest()];
  const BlockId block = context.block_of_row[first / kRow];
  if (!lanes.is_row() && !of_one_block(context, lanes, block)) [[unlikely]]
    return {};
  std::vector<std::byte>& memory = context.blocks[block].shared;
  return {memory.data(), begin, memory.size()};
}

inline Region local(Context& context, const Lanes& lanes, Address begin) {
  if (!lanes.is_row()) return {};
  return {context.local(lanes.first), begin, Context::kLocalBytes,
          static_cast<size_t>(context.local(Hw{1}) - context.local(Hw{0}))};
}

inline Region global(Context& context) {
  const Extent& hint = context.hints[context.pc];
  if (hint.bytes == 0) return {};  // nothing touched yet
  return {context.memory.host(hint.begin), hint.begin, hint.bytes, 0, true};
}

}  // namespace region_detail

// Of a generic address that of the first thread decides.
[[gnu::always_inline]] inline Region region_of(Context& context, const Instruction& i, const Lanes& lanes) {
  switch (i.space) {
    case Space::Shared: return region_detail::shared(context, lanes, 0);
    case Space::Local: return region_detail::local(context, lanes, 0);
    case Space::None: {
      const Hw thread = lanes.thread(lanes.mask.lowest());
      const Address first = context.get_bits(i.src[0], thread) + static_cast<uint64_t>(i.displacement);
      if (first - kSharedWindow < kWindowBytes) return region_detail::shared(context, lanes, kSharedWindow);
      if (first - kLocalWindow < kWindowBytes) return region_detail::local(context, lanes, kLocalWindow);
      return region_detail::global(context);
    }
    case Space::Global:
    case Space::Const:
    case Space::Param:
    case Space::Reg: break;
  }
  return region_detail::global(context);
}

}  // namespace heddle

// Stores that wait: all that they write is kept, as it will lie in memory, so that nothing of the core is needed then.
#include <cstring>
#include <type_traits>

#include "exec/global_order.h"

namespace heddle {
namespace {

template <unsigned bytes>
using Bytes = std::integral_constant<unsigned, bytes>;

// One element of what the lanes of a row store, `apart` bytes from the next lane's. The lower bytes of a register
// count.
void take_row(std::byte* to, unsigned apart, const std::byte* from, unsigned width, unsigned bytes) {
  if (apart == bytes && width == bytes) {
    std::memcpy(to, from, size_t{kRow} * bytes);
    return;
  }
  const auto take = [&](auto count) {
    for (unsigned lane = 0; lane < kRow; ++lane) std::memcpy(to + lane * apart, from + lane * width, count);
  };
  switch (bytes) {
    case 1: return take(Bytes<1>{});
    case 2: return take(Bytes<2>{});
    case 4: return take(Bytes<4>{});
    default: return take(Bytes<8>{});
  }
}

// Of lanes on one place the highest is the last to write.
void store_lanes(const std::array<std::byte*, kRow>& to, const std::byte* from, LaneMask mask, unsigned bytes) {
  const auto store = [&](auto count) {
    for_each_lane(mask, [&](unsigned lane) { std::memcpy(to[lane], from + lane * bytes, count); });
  };
  switch (bytes) {
    case 4: return store(Bytes<4>{});
    case 8: return store(Bytes<8>{});
    default: return store(bytes);
  }
}

void store_parts(const std::array<std::byte*, kRow>& to, const std::byte* from, const Access::Parts& parts,
                 unsigned bytes) {
  const unsigned lanes = parts.one_run() ? kRow : Access::Parts::kLanes;
  const unsigned written = parts.step == 0 ? 1 : lanes;  // the last of them
  for (unsigned first = 0; first < kRow; first += lanes)
    std::memcpy(to[first / Access::Parts::kLanes], from + (first + lanes - written) * bytes, size_t{written} * bytes);
}

}  // namespace

void GlobalLog::keep_stored(Entry& entry, const std::array<std::byte*, kRow>& host) {
  const Instruction& instruction = context_.kernel.code[entry.pc];
  const unsigned bytes = bytes_of(instruction.type), all = bytes * instruction.vector;
  Kept& kept = keep(entry);
  if (entry.by_parts)
    std::copy_n(host.begin(), entry.parts.first.size(), kept.host.begin());
  else
    kept.host = host;
  if (kept.stored.size() < size_t{kRow} * all) kept.stored.resize(size_t{kRow} * all);
  const Lanes lanes = lanes_of(entry);
  for (unsigned element = 0; element < instruction.vector; ++element) {
    const Operand& from = instruction.src[1 + element];
    std::byte* const to = kept.stored.data() + element * bytes;
    if (lanes.is_row() && from.bytes >= bytes) {
      take_row(to, all, context_.source_row<std::byte>(from, lanes.first), from.bytes, bytes);
      continue;
    }
    for_each_lane(lanes.mask, [&](unsigned k) {
      const uint64_t value = context_.get_bits(from, lanes.thread(k));
      std::memcpy(to + k * all, &value, bytes);
    });
  }
}

void GlobalLog::store(const Entry& entry) const {
  const Instruction& instruction = context_.kernel.code[entry.pc];
  const unsigned bytes = bytes_of(instruction.type) * instruction.vector;
  if (entry.by_parts)
    store_parts(entry.kept->host, entry.kept->stored.data(), entry.parts, bytes);
  else
    store_lanes(entry.kept->host, entry.kept->stored.data(), entry.lanes.mask, bytes);
}

}  // namespace heddle

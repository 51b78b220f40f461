// cp.async.bulk and cp.reduce.async.bulk: many bytes for one thread, done at once; waiting for them is then a hint, and
// an mbarrier is told by an instruction behind the copy (decode_operands.cpp).
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "exec/atomic_value.h"
#include "exec/handlers.h"
#include "exec/resolve.h"

namespace heddle {
namespace {

constexpr unsigned kPiece = 16;

// One side of a copy: where its piece at an offset lies.
class Side {
 public:
  Side(Context& context, const Instruction& i, Lanes lanes, unsigned source, Space space)
      : context_(context), lanes_(lanes), side_(i) {
    side_.space = space;
    side_.src[0] = i.src[source];
    if (source == 1) side_.displacement = i.displacement2;
  }
  std::byte* at(uint32_t offset, bool store) {
    Instruction piece = side_;
    piece.displacement += offset;
    std::array<std::byte*, kRow> host;
    resolve(context_, piece, lanes_, kPiece, store, host);
    return host[lanes_.mask.lowest()];
  }

 private:
  Context& context_;
  const Lanes lanes_;
  Instruction side_;
};

void reduce(const Instruction& i, std::byte* to, const std::byte* from) {
  const unsigned bytes = bytes_of(i.type);
  for (unsigned at = 0; at < kPiece; at += bytes) {
    uint64_t old = 0, value = 0;
    std::memcpy(&old, to + at, bytes);
    std::memcpy(&value, from + at, bytes);
    value = atomic_value(i, false, old, value, 0);
    std::memcpy(to + at, &value, bytes);
  }
}

// The load/store unit sees the first piece in global memory of each thread.
void copy_bulk(Context& context, const Instruction& i, const Lanes& lanes) {
  const bool to_global = i.has(Mod::BulkGroup);
  Access seen;
  seen.space = Space::Global;
  for_each_lane(lanes.mask, [&](unsigned k) {
    Lanes one = lanes;
    one.mask = LaneMask::of(k);
    const Hw thread = lanes.thread(k);
    const auto bytes = static_cast<uint32_t>(context.get_bits(i.src[2], thread));
    if (bytes % kPiece != 0)
      throw context.fault(thread, fmt::format("a bulk copy of {} bytes, which is no multiple of 16", bytes));
    Side to(context, i, one, 0, to_global ? Space::Global : Space::Shared);
    Side from(context, i, one, 1, to_global ? Space::Shared : Space::Global);
    for (uint32_t offset = 0; offset < bytes; offset += kPiece) {
      const std::byte* source = from.at(offset, false);
      if (offset == 0 && !to_global) seen.address[k] = context.access.address[k];
      std::byte* target = to.at(offset, true);
      if (offset == 0 && to_global) seen.address[k] = context.access.address[k];
      if (i.has(Mod::Reduce))
        reduce(i, target, source);
      else
        std::memcpy(target, source, kPiece);
    }
    if (bytes == 0) return;
    seen.bytes = kPiece;
    seen.mask.add(k);
  });
  context.access = seen;
}

}  // namespace

Handler select_bulk_copy(const Instruction& i) { return i.op == Op::CpBulk ? &copy_bulk : nullptr; }

}  // namespace heddle

// mbarrier: a barrier in shared memory that counts arrivals and bytes.
#include <algorithm>
#include <array>
#include <cstring>

#include "exec/handlers.h"
#include "exec/resolve.h"

namespace heddle {
namespace {

// It is one 64-bit word: pending arrivals, arrivals per phase, bytes that are expected and have not come (or have come
// and were not expected yet), and the number of the phase.
struct Mbarrier {
  static constexpr unsigned kBits = 20, kBytesBits = 21, kPhaseAt = 2 * kBits + kBytesBits;
  static constexpr uint64_t kMask = (uint64_t{1} << kBits) - 1;
  uint64_t pending, expected;
  int64_t bytes;
  uint64_t phase;
  static Mbarrier from(uint64_t word) {
    const auto bytes = static_cast<int64_t>(word << (64 - kPhaseAt)) >> (64 - kBytesBits);
    return {word & kMask, word >> kBits & kMask, bytes, word >> kPhaseAt};
  }
  uint64_t word() const {
    const uint64_t counted = static_cast<uint64_t>(bytes) & ((uint64_t{1} << kBytesBits) - 1);
    return pending | expected << kBits | counted << (2 * kBits) | phase << kPhaseAt;
  }
  void arrive(uint64_t count) {
    pending -= std::min(count, pending);
    complete();
  }
  void expect(int64_t more) {
    bytes += more;
    complete();
  }
  void complete() {
    if (pending > 0 || bytes != 0) return;
    pending = expected;
    ++phase;
  }
};

// Calls f(thread, barrier) and writes the barrier back.
template <class F>
void each_mbarrier(Context& context, const Instruction& i, const Lanes& lanes, F&& f) {
  std::array<std::byte*, kRow> host;
  resolve(context, i, lanes, 8, true, host);
  for_each_lane(lanes.mask, [&](unsigned k) {
    uint64_t word = 0;
    std::memcpy(&word, host[k], 8);
    Mbarrier barrier = Mbarrier::from(word);
    f(lanes.thread(k), barrier);
    word = barrier.word();
    std::memcpy(host[k], &word, 8);
  });
}

void mbarrier_init(Context& context, const Instruction& i, const Lanes& lanes) {
  each_mbarrier(context, i, lanes, [&](Hw thread, Mbarrier& barrier) {
    const uint64_t count = context.get_bits(i.src[1], thread) & Mbarrier::kMask;
    barrier = {count, count, 0, 0};
  });
}
void mbarrier_inval(Context& context, const Instruction& i, const Lanes& lanes) {
  each_mbarrier(context, i, lanes, [](Hw, Mbarrier& barrier) { barrier = {0, 0, 0, 0}; });
}
void mbarrier_arrive(Context& context, const Instruction& i, const Lanes& lanes) {
  each_mbarrier(context, i, lanes, [&](Hw thread, Mbarrier& barrier) {
    context.set_bits(i.dst[0], thread, barrier.word());
    const uint64_t given = i.src_count > 1 ? context.get_bits(i.src[1], thread) : 1;
    const bool bytes = i.has(Mod::Expect);
    const uint64_t count = bytes ? 1 : given;
    if (bytes) barrier.bytes += static_cast<int64_t>(given);
    if (i.has(Mod::Drop)) barrier.expected -= std::min(count, barrier.expected);
    barrier.arrive(count);
  });
}
void mbarrier_bytes(Context& context, const Instruction& i, const Lanes& lanes) {
  each_mbarrier(context, i, lanes, [&](Hw thread, Mbarrier& barrier) {
    const auto bytes = static_cast<int64_t>(context.get_bits(i.src[1], thread));
    barrier.expect(i.has(Mod::Expect) ? bytes : -bytes);
  });
}

// cp.async.mbarrier.arrive: the copies before it are done. Without .noinc it first asks for one arrival more.
void copies_arrive(Context& context, const Instruction& i, const Lanes& lanes) {
  each_mbarrier(context, i, lanes, [&](Hw, Mbarrier& barrier) {
    if (i.has(Mod::NoInc)) barrier.arrive(1);
  });
}
void mbarrier_test(Context& context, const Instruction& i, const Lanes& lanes) {
  each_mbarrier(context, i, lanes, [&](Hw thread, Mbarrier& barrier) {
    const uint64_t token = context.get_bits(i.src[1], thread);
    const bool done =
        i.has(Mod::Parity) ? (barrier.phase & 1) != (token & 1) : barrier.phase != Mbarrier::from(token).phase;
    context.set_predicate(i.dst[0], thread, done);
  });
}
void mbarrier_pending(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    context.set_bits(i.dst[0], thread, Mbarrier::from(context.get_bits(i.src[0], thread)).pending);
  });
}

}  // namespace

Handler select_mbarrier(const Instruction& i) {
  switch (i.op) {
    case Op::MbarInit: return &mbarrier_init;
    case Op::MbarInval: return &mbarrier_inval;
    case Op::MbarArrive: return &mbarrier_arrive;
    case Op::MbarTx: return &mbarrier_bytes;
    case Op::MbarTest: return &mbarrier_test;
    case Op::MbarPending: return &mbarrier_pending;
    case Op::CpArrive: return &copies_arrive;
    default: return nullptr;
  }
}

}  // namespace heddle

#include "exec/touches.h"

#include <sys/mman.h>

#include <cstring>

namespace heddle {
namespace {

constexpr uint64_t kEachByte = 0x0101'0101'0101'0101;
constexpr uint8_t kSeveral = 0xff;  // have read

bool is_write(uint8_t state) { return state != kSeveral && (state & 1) != 0; }

}  // namespace

TouchMap::TouchMap(GlobalMemory& memory, std::vector<Extent> written)
    : memory_(memory), written_(std::move(written)), bytes_(memory.reach() / kGranule + kPerWord) {
  void* const at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at != MAP_FAILED) words_ = static_cast<uint64_t*>(at);
}

TouchMap::~TouchMap() {
  if (words_) munmap(words_, bytes_);
}

Touches::Touches(TouchMap& map, unsigned part) : map_(map), read_(2 * part * kEachByte), wrote_(read_ | kEachByte) {}

void Touches::mark(Address at, uint64_t bytes, bool store) {
  const uint64_t offset = at - map_.memory_.base();
  uint64_t first = offset / TouchMap::kGranule;
  const uint64_t end = (offset + bytes + TouchMap::kGranule - 1) / TouchMap::kGranule;
  while (first < end) {
    const uint64_t word = first / TouchMap::kPerWord, from = first % TouchMap::kPerWord;
    const uint64_t count = std::min(TouchMap::kPerWord - from, end - first);
    mark_word(word, (~uint64_t{0} >> (64 - 8 * count)) << (8 * from), store);
    first += count;
  }
}

void Touches::mark_word(uint64_t word, uint64_t mask, bool store) {
  const std::atomic_ref<uint64_t> states(map_.words_[word]);
  uint64_t now = states.load(std::memory_order_relaxed);
  while (true) {
    if ((now & mask) == (wrote_ & mask)) return;
    const uint64_t next = (now & mask) == 0 ? now | ((store ? wrote_ : read_) & mask) : joined(now, mask, store);
    if (next == now) return;
    if (!states.compare_exchange_weak(now, next, std::memory_order_acq_rel, std::memory_order_relaxed)) continue;
    if (store) keep(word, now ^ next);
    return;
  }
}

// The states behind one more access of ours to the bytes of the mask.
uint64_t Touches::joined(uint64_t now, uint64_t mask, bool store) const {
  const auto reader = static_cast<uint8_t>(read_), writer = static_cast<uint8_t>(wrote_);
  uint64_t next = now;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((mask >> shift & 0xff) == 0) continue;
    const auto state = static_cast<uint8_t>(now >> shift);
    uint8_t then = store ? writer : reader;
    if (state == writer) {
      then = writer;
    } else if (state != 0 && state != reader) {
      if (store || is_write(state)) throw Conflict();
      then = kSeveral;
    }
    next = (next & ~(uint64_t{0xff} << shift)) | uint64_t{then} << shift;
  }
  return next;
}

// `changed`: not zero in the bytes of granules that are ours from now on.
void Touches::keep(uint64_t word, uint64_t changed) {
  Kept& kept = kept_.emplace_back();
  kept.word = word;
  kept.which = 0;
  const std::byte* const from = map_.memory_.host(map_.memory_.base() + word * TouchMap::kPerWord * TouchMap::kGranule);
  for (unsigned i = 0; i < TouchMap::kPerWord; ++i) {
    if ((changed >> (8 * i) & 0xff) == 0) continue;
    kept.which |= static_cast<uint8_t>(1U << i);
    std::memcpy(&kept.bytes[i * TouchMap::kGranule], from + i * TouchMap::kGranule, TouchMap::kGranule);
  }
}

void Touches::undo() const {
  for (const Kept& kept : kept_) {
    std::byte* const to = map_.memory_.host(map_.memory_.base() + kept.word * TouchMap::kPerWord * TouchMap::kGranule);
    for (unsigned i = 0; i < TouchMap::kPerWord; ++i)
      if ((kept.which >> i & 1) != 0)
        std::memcpy(to + i * TouchMap::kGranule, &kept.bytes[i * TouchMap::kGranule], TouchMap::kGranule);
  }
}

}  // namespace heddle

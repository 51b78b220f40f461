#include <fmt/format.h>

#include <cstring>

#include "base/address_map.h"
#include "exec/atomic_value.h"
#include "support/oracle_launch.h"

namespace heddle::oracle {

constexpr uint64_t kLocalBytes = 256 * 1024;

std::byte* Launch::shared_byte(Thread& thread, Address offset, unsigned bytes) {
  if (offset + bytes > thread.block->shared.size() || offset + bytes < offset) fail(thread, "outside shared memory");
  return thread.block->shared.data() + offset;
}

std::byte* Launch::local_byte(Thread& thread, Address offset, unsigned bytes) {
  if (offset + bytes > kLocalBytes || offset + bytes < offset) fail(thread, "outside local memory");
  if (thread.local.size() < offset + bytes) thread.local.resize((offset + bytes) * 2);
  return thread.local.data() + offset;
}

std::byte* Launch::global_byte(Thread& thread, Address address, unsigned bytes) {
  if (address < last_.begin || address + bytes > last_.begin + last_.bytes) last_ = around_.memory.extent_at(address);
  if (address < last_.begin || address + bytes > last_.begin + last_.bytes)
    fail(thread, fmt::format("outside global memory at {:#x}: {}", address, around_.memory.describe(address)));
  return around_.memory.host(address);
}

// Where the instruction goes for this thread, and whether that is shared memory.
std::byte* Launch::at(Thread& thread, const Instruction& i, unsigned bytes, bool& shared) {
  Address address = get(thread, i.src[0]).low + static_cast<uint64_t>(i.displacement);
  if (i.space == Space::Shared && i.src[0].bytes == 4) address &= 0xffffffffU;
  if (address % bytes != 0) fail(thread, fmt::format("misaligned access of {} bytes at {:#x}", bytes, address));
  const bool generic = i.space == Space::None;
  shared = i.space == Space::Shared || (generic && address >= kSharedWindow && address < kSharedWindow + kWindowBytes);
  if (shared) return shared_byte(thread, generic ? address - kSharedWindow : address, bytes);
  if (i.space == Space::Local) return local_byte(thread, address, bytes);
  if (generic && address >= kLocalWindow && address < kLocalWindow + kWindowBytes)
    return local_byte(thread, address - kLocalWindow, bytes);
  return global_byte(thread, address, bytes);
}

// What lies in a thread's own memory comes from where it was stored from, a parameter from the program.
Source Launch::source_at(const Thread& thread, const std::byte* at, unsigned bytes) const {
  const std::byte *local = thread.local.data(), *parameters = around_.memory.host(around_.parameters);
  if (at >= parameters && at < parameters + kernel_.parameter_bytes) return Source::Program;
  if (at < local || at >= local + thread.local.size()) return Source::Data;
  Source source = Source::Nothing;
  for (unsigned b = 0; b < bytes; ++b)
    if (const auto stored = thread.local_sources.find(static_cast<uint64_t>(at - local) + b);
        stored != thread.local_sources.end())
      source = std::max(source, stored->second);
  return source;
}

void Launch::note_source(Thread& thread, const std::byte* at, unsigned bytes, Source source) const {
  const std::byte* local = thread.local.data();
  if (at < local || at >= local + thread.local.size()) return;
  for (unsigned b = 0; b < bytes; ++b) thread.local_sources[static_cast<uint64_t>(at - local) + b] = source;
}

void Launch::load(Thread& thread, const Instruction& i) {
  const unsigned bytes = bytes_of(i.type);
  bool shared = false;
  const std::byte* from = at(thread, i, bytes * i.vector, shared);
  for (unsigned element = 0; element < i.vector; ++element) {
    Value value;
    std::memcpy(&value, from + element * bytes, bytes);
    if (is_signed(i.type) && bytes < 8 && (value.low >> (8 * bytes - 1) & 1)) value.low |= ~uint64_t{0} << (8 * bytes);
    value.source = source_at(thread, from + element * bytes, bytes);
    set(thread, i.dst[element], value);
  }
}

void Launch::store(Thread& thread, const Instruction& i) {
  const unsigned bytes = bytes_of(i.type);
  bool shared = false;
  std::byte* to = at(thread, i, bytes * i.vector, shared);
  for (unsigned element = 0; element < i.vector; ++element) {
    const Value value = get(thread, i.src[1 + element]);
    std::memcpy(to + element * bytes, &value, bytes);
    note_source(thread, to + element * bytes, bytes, value.source);
  }
}

void Launch::atomic(Thread& thread, const Instruction& i) {
  const unsigned bytes = bytes_of(i.type);
  bool shared = false;
  std::byte* place = at(thread, i, bytes * i.vector, shared);
  for (unsigned element = 0; element < i.vector; ++element, place += bytes) {
    Value old;
    std::memcpy(&old, place, bytes);
    const Value a = get(thread, i.src[1 + element]), b = i.has(Mod::Cas) ? get(thread, i.src[2]) : Value{};
    Value value = i.has(Mod::Exch) ? a : old == a ? b : old;  // 128 bits: exch and cas only
    if (bytes < 16) value = {atomic_value(i, shared, old.low, a.low, b.low), 0};
    std::memcpy(place, &value, bytes);
    old.source = Source::Data;
    if (i.op == Op::Atom) set(thread, i.dst[element], old);
  }
}

}  // namespace heddle::oracle

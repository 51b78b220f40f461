#include "memory/coalescer.h"

#include <algorithm>
#include <bit>

namespace heddle {
namespace {

constexpr unsigned kWord = 4;

uint64_t first_bits(unsigned count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

// Different words that wait for one bank.
struct Bank {
  std::array<Address, 32> words;  // the first of them: more are one lane's own, and differ anyway
  unsigned count = 0;

  bool has(Address word) const {
    const auto end = words.begin() + std::min<size_t>(count, words.size());
    return std::find(words.begin(), end, word) != end;
  }
  void add(Address word) {
    if (count < words.size()) words[count] = word;
    ++count;
  }
};

// What most kernels do, found by a loop without branches: all lanes at one word, or each at the word behind the last.
bool same_or_next_words(std::span<const Address> addresses, bool atomic) {
  const Address first = addresses[0] / kWord;
  Address same = 0, next = 0;  // 0: as expected
  for (size_t i = 0; i < addresses.size(); ++i) {
    same |= addresses[i] / kWord ^ first;
    next |= addresses[i] / kWord ^ (first + i);
  }
  return next == 0 || (same == 0 && !atomic);
}

// The usual case, found without lists: no bank has more than one word to serve. `banks` is a power of two.
bool one_word_per_bank(const std::array<Address, 32>& addresses, LaneMask mask, unsigned bytes, unsigned banks) {
  std::array<Address, 32> words;  // by bank, where it is busy
  LaneMask busy;
  Address last = ~Address{0};  // neighbours mostly read the same word, or another bank's
  for (LaneMask rest = mask; !rest.empty(); rest.remove(rest.lowest())) {
    const Address first = addresses[rest.lowest()];
    for (unsigned b = 0; b < bytes; b += kWord) {
      const Address word = (first + b) / kWord;
      const auto bank = static_cast<unsigned>(word & (banks - 1));
      if (word == last) continue;
      last = word;
      if (busy.has(bank) && words[bank] != word) return false;
      busy.add(bank);
      words[bank] = word;
    }
  }
  return true;
}

// Words of the busiest bank.
unsigned most_per_bank(const std::array<Address, 32>& addresses, LaneMask mask, unsigned bytes, unsigned banks) {
  std::array<Bank, 32> waiting;
  unsigned most = 1;
  for_each_lane(mask, [&](unsigned lane) {
    for (unsigned b = 0; b < bytes; b += kWord) {
      const Address word = (addresses[lane] + b) / kWord;
      Bank& bank = waiting[word & (banks - 1)];
      if (!bank.has(word)) bank.add(word);
      most = std::max(most, bank.count);
    }
  });
  return most;
}

// The same of atomics, whether they are of one word or not.
unsigned most_atomics_per_bank(const std::array<Address, 32>& addresses, LaneMask mask, unsigned bytes,
                               unsigned banks) {
  std::array<unsigned, 32> waiting{};
  for (unsigned b = 0; b < bytes; b += kWord)
    for_each_lane(mask, [&](unsigned lane) { ++waiting[(addresses[lane] + b) / kWord & (banks - 1)]; });
  unsigned most = 0;
  for (const unsigned each : waiting) most = std::max(most, each);
  return most;
}

}  // namespace

unsigned LineAccess::byte_count() const {
  return static_cast<unsigned>(std::popcount(bytes[0]) + std::popcount(bytes[1]));
}

// Neighbouring lanes mostly touch the same line.
void Coalescer::add_lanes(const std::array<Address, kRow>& addresses, LaneMask mask, unsigned bytes) {
  const uint64_t each = first_bits(bytes);
  while (!mask.empty()) {
    const Address line = addresses[mask.lowest()] & ~(line_bytes_ - 1);
    ByteMask touched{};
    LaneMask left = mask;
    for (; !left.empty(); left &= LaneMask(left.bits() - 1)) {
      const uint64_t offset = addresses[left.lowest()] - line;
      if (offset >= line_bytes_) break;
      touched[offset / 64] |= each << offset % 64;
    }
    const LaneMask who = mask.without(left);
    LineAccess& found = line_at(line);
    for (size_t i = 0; i < touched.size(); ++i) found.bytes[i] |= touched[i];
    found.lanes = static_cast<uint16_t>(found.lanes + who.count());
    found.who |= who;
    mask = left;
  }
}

void Coalescer::add_run(Address first, unsigned step, unsigned bytes, unsigned first_lane, unsigned count, bool fresh) {
  while (count > 0) {
    const Address offset = first & (line_bytes_ - 1);
    const auto fit = static_cast<unsigned>((line_bytes_ - offset) >> std::countr_zero(bytes));
    const unsigned here = step == 0 ? count : std::min(count, std::max(fit, 1U));
    const unsigned all = step == 0 ? bytes : here * bytes, within = offset % 64, low = std::min(all, 64 - within);
    LineAccess& line = fresh ? lines_.emplace_back() : line_at(first - offset);
    line.address = first - offset;
    line.bytes[offset / 64] |= first_bits(low) << within;
    if (all > low) line.bytes[1] |= first_bits(all - low);
    line.lanes = static_cast<uint16_t>(line.lanes + here);
    line.who |= LaneMask(LaneMask::first(here).bits() << first_lane);
    first += Address{here} * step;
    first_lane += here;
    count -= here;
  }
}

LineAccess& Coalescer::line_at(Address line) {
  const auto same = [&](const LineAccess& other) { return other.address == line; };
  uint8_t* place = nullptr;
  if (lines_.size() < places_.size() / 2) {
    size_t at = (line >> line_shift_) % places_.size();
    for (; places_[at] != 0; at = (at + 1) % places_.size())
      if (same(lines_[places_[at] - 1U])) return lines_[places_[at] - 1U];
    place = &places_[at];
  } else if (const auto found = std::find_if(lines_.begin() + static_cast<ptrdiff_t>(closed_), lines_.end(), same);
             found != lines_.end()) {
    return *found;
  }
  lines_.push_back({.address = line});
  if (place) *place = static_cast<uint8_t>(lines_.size());
  return lines_.back();
}

unsigned bank_passes(const std::array<Address, 32>& addresses, LaneMask mask, unsigned bytes, unsigned banks,
                     bool atomic) {
  unsigned passes = 0;
  for (unsigned first = 0; first < 32; first += banks) {
    const LaneMask all(LaneMask::first(banks).bits() << first), part = mask & all;
    if (part.empty()) continue;
    const bool plain = part == all && bytes <= kWord && same_or_next_words({&addresses[first], banks}, atomic);
    if (plain)
      ++passes;
    else if (atomic)
      passes += most_atomics_per_bank(addresses, part, bytes, banks);
    else
      passes += one_word_per_bank(addresses, part, bytes, banks) ? 1 : most_per_bank(addresses, part, bytes, banks);
  }
  return passes;
}

// Two parts meet in no bank, or in the same words.
bool no_conflicts(const std::array<Address, 4>& parts, unsigned step, unsigned bytes, unsigned banks) {
  if (bytes > kWord || (step != 0 && step != kWord) || banks < 16) return false;
  const unsigned words = step == 0 ? 1 : 8, together = banks / 8;
  for (unsigned p = 0; p < parts.size(); ++p)
    for (unsigned q = p + 1; q < (p / together + 1) * together && q < parts.size(); ++q) {
      const Address apart = (parts[q] / kWord - parts[p] / kWord) & (banks - 1);
      if (parts[q] / kWord != parts[p] / kWord && (apart < words || apart > banks - words)) return false;
    }
  return true;
}

unsigned groups_of_lanes(LaneMask mask, unsigned lanes) {
  unsigned groups = 0;
  for (unsigned first = 0; first < kRow; first += lanes)
    groups += !(mask & LaneMask(LaneMask::first(lanes).bits() << first)).empty();
  return groups;
}

unsigned sector_passes(const std::array<Address, 32>& addresses, LaneMask mask) {
  unsigned passes = 0;
  while (!mask.empty()) {
    const Address sector = addresses[mask.lowest()] / kSectorBytes;
    std::array<unsigned, kSectorBytes> met{};
    unsigned most = 0;
    for_each_lane(mask, [&](unsigned lane) {
      if (addresses[lane] / kSectorBytes != sector) return;
      most = std::max(most, ++met[addresses[lane] % kSectorBytes]);
      mask.remove(lane);
    });
    passes += most;
  }
  return passes;
}

unsigned distinct(const std::array<Address, 32>& addresses, LaneMask mask) {
  std::array<Address, 32> seen;
  unsigned count = 0;
  for_each_lane(mask, [&](unsigned lane) {
    if (std::find(seen.begin(), seen.begin() + count, addresses[lane]) == seen.begin() + count)
      seen[count++] = addresses[lane];
  });
  return count;
}

}  // namespace heddle

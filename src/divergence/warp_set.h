// A set of warps (ids of a core's warp table) that grows as the table does. Most tables have no more than 64 of them,
// whose bits are one word that lies in the set itself.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle {

inline constexpr WarpId kNoWarp{WarpId::kLast};

class WarpSet {
 public:
  WarpSet() = default;
  WarpSet(const WarpSet&) = default;
  WarpSet& operator=(const WarpSet& other) {
    first_ = other.first_;
    if (!far_.empty() || !other.far_.empty()) [[unlikely]]
      far_ = other.far_;
    return *this;
  }

  [[gnu::always_inline]] void insert(WarpId id) {
    if (id < 64U) [[likely]]
      first_ |= bit(id);
    else
      insert_far(id);
  }
  [[gnu::always_inline]] void erase(WarpId id) {
    if (id < 64U) [[likely]]
      first_ &= ~bit(id);
    else if (id / 64U < words())
      far_[id / 64U - 1] &= ~bit(id);
  }
  void clear() {
    first_ = 0;
    if (!far_.empty()) [[unlikely]]
      far_.assign(far_.size(), 0);
  }

  bool contains(WarpId id) const { return (word(id / 64U) & bit(id)) != 0; }
  bool empty() const {
    if (first_ != 0) return false;
    return std::all_of(far_.begin(), far_.end(), [](uint64_t word) { return word == 0; });
  }
  unsigned count() const {
    int sum = std::popcount(first_);
    for (uint64_t word : far_) sum += std::popcount(word);
    return static_cast<unsigned>(sum);
  }

  // The lowest member from `id` on, or kNoWarp; whoever goes round in a circle asks again from 0.
  WarpId next_from(unsigned id) const {
    return next(
        id, [&](size_t i) { return word(i); }, words());
  }
  // The same among the members of both.
  WarpId next_from(unsigned id, const WarpSet& other) const {
    return next(
        id, [&](size_t i) { return word(i) & other.word(i); }, words());
  }
  // The same among the members of both that are not in a third, and all those of a fourth.
  WarpId next_from(unsigned id, const WarpSet& other, const WarpSet& without, const WarpSet& all) const {
    return next(
        id, [&](size_t i) { return (word(i) & other.word(i) & ~without.word(i)) | all.word(i); },
        std::max(words(), all.words()));
  }

  // The lowest member from `id` on, or else the lowest of all; the set is not empty.
  WarpId next_round(unsigned id) const {
    if (far_.empty() && id < 64) [[likely]] {
      const uint64_t rest = first_ & ~uint64_t{0} << id;
      return static_cast<WarpId>(std::countr_zero(rest != 0 ? rest : first_));
    }
    const WarpId next = next_from(id);
    return next != kNoWarp ? next : next_from(0);
  }

  // Has it members that are in the other set too?
  bool meets(const WarpSet& other) const {
    uint64_t any = first_ & other.first_;
    if (far_.empty() || any != 0) [[likely]]
      return any != 0;
    for (size_t i = 1; i < words(); ++i) any |= word(i) & other.word(i);
    return any != 0;
  }
  // And are not in a third?
  bool meets(const WarpSet& other, const WarpSet& without) const {
    uint64_t any = first_ & other.first_ & ~without.first_;
    for (size_t i = 1; i < words(); ++i) any |= word(i) & other.word(i) & ~without.word(i);
    return any != 0;
  }

  // Becomes the other set. Calls f(id, whether it enters) for each member that leaves or enters.
  template <class F>
  void become(const WarpSet& other, F&& f) {
    const auto change = [&](size_t i, uint64_t& own, uint64_t there) {
      for (uint64_t rest = own ^ there; rest != 0; rest &= rest - 1)
        f(static_cast<WarpId>(i * 64 + static_cast<unsigned>(std::countr_zero(rest))), (there & rest & -rest) != 0);
      own = there;
    };
    if (far_.size() < other.far_.size()) far_.resize(other.far_.size());
    change(0, first_, other.first_);
    for (size_t i = 0; i < other.far_.size(); ++i) change(i + 1, far_[i], other.far_[i]);
    for (size_t i = other.far_.size(); i < far_.size(); ++i) change(i + 1, far_[i], 0);
  }

  // Becomes those that are in both sets.
  void assign_both(const WarpSet& a, const WarpSet& b) {
    first_ = a.first_ & b.first_;
    if (far_.empty() && a.far_.empty()) [[likely]]
      return;
    if (far_.size() != a.far_.size()) far_.resize(a.far_.size());
    for (size_t i = 1; i < words(); ++i) far_[i - 1] = a.word(i) & b.word(i);
  }

  // Becomes those of the first that are not in the second.
  void assign_without(const WarpSet& a, const WarpSet& b) {
    first_ = a.first_ & ~b.first_;
    if (far_.size() != a.far_.size()) far_.resize(a.far_.size());
    const size_t common = std::min(a.far_.size(), b.far_.size());
    for (size_t i = 0; i < common; ++i) far_[i] = a.far_[i] & ~b.far_[i];
    for (size_t i = common; i < far_.size(); ++i) far_[i] = a.far_[i];
  }

  // Keeps those that are in the other set too.
  void intersect(const WarpSet& other) {
    first_ &= other.first_;
    for (size_t i = 1; i < words(); ++i) far_[i - 1] &= other.word(i);
  }

  void remove(const WarpSet& other) {
    first_ &= ~other.first_;
    if (far_.empty()) [[likely]]
      return;
    for (size_t i = 1; i < words(); ++i) far_[i - 1] &= ~other.word(i);
  }

  // Calls f(id) for each member, lowest first. f may erase the member it is called with.
  template <class F>
  void for_each(F&& f) const {
    for (size_t i = 0; i < words(); ++i)
      for (uint64_t rest = word(i); rest != 0; rest &= rest - 1)
        f(static_cast<WarpId>(i * 64 + static_cast<unsigned>(std::countr_zero(rest))));
  }

 private:
  static uint64_t bit(WarpId id) { return uint64_t{1} << id % 64U; }
  size_t words() const { return far_.size() + 1; }
  uint64_t word(size_t i) const { return i == 0 ? first_ : i <= far_.size() ? far_[i - 1] : 0; }
  void insert_far(WarpId id) {
    if (id / 64U >= words()) far_.resize(id / 64U);
    far_[id / 64U - 1] |= bit(id);
  }

  template <class Word>
  static WarpId next(unsigned id, Word&& word, size_t words) {
    size_t i = id / 64;
    if (i >= words) return kNoWarp;
    uint64_t rest = word(i) & ~uint64_t{0} << id % 64;
    while (rest == 0) {
      if (++i == words) return kNoWarp;
      rest = word(i);
    }
    return static_cast<WarpId>(i * 64 + static_cast<unsigned>(std::countr_zero(rest)));
  }

  uint64_t first_ = 0;         // ids below 64
  std::vector<uint64_t> far_;  // those above
};

}  // namespace heddle

// A set of warps (ids of a core's warp table) that grows as the table does.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace heddle {

inline constexpr WarpId kNoWarp{WarpId::kLast};

class WarpSet {
 public:
  void insert(WarpId id) {
    if (id / 64U >= words_.size()) words_.resize(id / 64U + 1);
    words_[id / 64U] |= bit(id);
  }
  void erase(WarpId id) {
    if (id / 64U < words_.size()) words_[id / 64U] &= ~bit(id);
  }
  void clear() { words_.assign(words_.size(), 0); }

  bool contains(WarpId id) const { return id / 64U < words_.size() && (words_[id / 64U] & bit(id)) != 0; }
  bool empty() const {
    uint64_t any = 0;
    for (uint64_t word : words_) any |= word;
    return any == 0;
  }
  unsigned count() const {
    int sum = 0;
    for (uint64_t word : words_) sum += std::popcount(word);
    return static_cast<unsigned>(sum);
  }

  // The lowest member from `id` on, or kNoWarp; whoever goes round in a circle asks again from 0.
  WarpId next_from(unsigned id) const {
    return next(
        id, [&](size_t i) { return words_[i]; }, words_.size());
  }
  // The same among the members of both.
  WarpId next_from(unsigned id, const WarpSet& other) const {
    const size_t words = words_.size() < other.words_.size() ? words_.size() : other.words_.size();
    return next(
        id, [&](size_t i) { return words_[i] & other.words_[i]; }, words);
  }

  // The same without the members of a third.
  WarpId next_from(unsigned id, const WarpSet& other, const WarpSet& without) const {
    const size_t words = words_.size() < other.words_.size() ? words_.size() : other.words_.size();
    const auto left_out = [&](size_t i) { return i < without.words_.size() ? without.words_[i] : 0; };
    return next(
        id, [&](size_t i) { return words_[i] & other.words_[i] & ~left_out(i); }, words);
  }

  // Has it members that are in the other set too?
  bool meets(const WarpSet& other) const {
    for (size_t i = 0; i < words_.size() && i < other.words_.size(); ++i)
      if ((words_[i] & other.words_[i]) != 0) return true;
    return false;
  }
  // And are not in a third?
  bool meets(const WarpSet& other, const WarpSet& without) const {
    for (size_t i = 0; i < words_.size() && i < other.words_.size(); ++i)
      if ((words_[i] & other.words_[i] & ~(i < without.words_.size() ? without.words_[i] : 0)) != 0) return true;
    return false;
  }

  // Becomes those that are in both sets.
  void assign_both(const WarpSet& a, const WarpSet& b) {
    words_.resize(a.words_.size());
    for (size_t i = 0; i < words_.size(); ++i) words_[i] = i < b.words_.size() ? a.words_[i] & b.words_[i] : 0;
  }

  // Keeps those that are in the other set too.
  void intersect(const WarpSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= i < other.words_.size() ? other.words_[i] : 0;
  }

  void remove(const WarpSet& other) {
    for (size_t i = 0; i < words_.size() && i < other.words_.size(); ++i) words_[i] &= ~other.words_[i];
  }

  // Calls f(id) for each member, lowest first. f may erase the member it is called with.
  template <class F>
  void for_each(F&& f) const {
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        f(static_cast<WarpId>(i * 64 + static_cast<unsigned>(std::countr_zero(rest))));
  }

 private:
  static uint64_t bit(WarpId id) { return uint64_t{1} << id % 64U; }

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

  std::vector<uint64_t> words_;
};

}  // namespace heddle

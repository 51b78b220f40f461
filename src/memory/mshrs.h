// Miss status holding registers: the lines a cache waits for, and who waits for each, in order of arrival.
//
// There is no look-up here: the cache's Pending way notes the index of the entry that fetches it (Cache::note), so
// everything is O(1). A target is a number of the owner's. The pools of entries and targets grow to the most that
// ever were in use, and are reused from then on.
//
// A line may come in parts: a target waits for some of its sectors, and is ready once they all came. Who has no sectors
// leaves them out: then a target is always ready.
//
// Where each target takes an entry's place (`each`), as many wait in all as there are entries.
//
// Life cycle of an entry: allocate() with the first target, merge() of later ones while can_merge() says so, ask()
// where they want more of the line than is on its way, came() of what has come, pop() of the targets that are ready one
// by one, release().
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.h"
#include "memory/sectors.h"

namespace heddle {

class Mshrs {
 public:
  using Entry = uint32_t;
  using Target = uint32_t;

  // `targets` counts all that wait for one line, the first included.
  Mshrs(unsigned entries, unsigned targets, bool each = false);

  bool full() const { return used_ == most_ || targets_ >= all_targets_; }
  unsigned targets() const { return targets_; }  // that wait, at all entries
  unsigned used() const { return used_; }
  Entry allocate(uint64_t line, Target target, Sectors wants = 0);  // these are on their way
  bool can_merge(Entry entry) const { return entries_[entry].waiting < limit_ && targets_ < all_targets_; }
  void merge(Entry entry, Target target, Sectors wants = 0);
  void ask(Entry entry, Sectors sectors);
  void came(Entry entry, Sectors sectors);

  // A number of the owner's: where the line will be.
  uint32_t place(Entry entry) const { return entries_[entry].place; }
  void set_place(Entry entry, uint32_t place) { entries_[entry].place = place; }

  uint64_t line(Entry entry) const { return entries_[entry].line; }
  unsigned waiting(Entry entry) const { return entries_[entry].waiting; }
  Sectors coming(Entry entry) const { return entries_[entry].coming; }
  bool has_ready(Entry entry) const;
  std::optional<Target> pop_ready(Entry entry);  // the oldest that is
  void release(Entry entry);                     // nobody must be waiting

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Register {
    uint64_t line = 0;
    uint32_t first = kNone, last = kNone;  // nodes; of a free entry: `first` is the next free one
    uint32_t waiting = 0;
    uint32_t place = 0;
    Sectors coming = 0, here = 0;
  };
  struct Node {
    Target target = 0;
    uint32_t next = kNone;
    Sectors wants = 0;
  };

  Entry take_entry();
  uint32_t take_node(Target target, Sectors wants);
  bool is_ready(const Register& holder, uint32_t node) const { return (nodes_[node].wants & ~holder.here) == 0; }

  uint32_t most_, limit_, all_targets_;  // entries; targets of one, and of all
  uint32_t used_ = 0, targets_ = 0;
  uint32_t free_entry_ = kNone, free_node_ = kNone;
  std::vector<Register> entries_;  // as many as ever were in use
  std::vector<Node> nodes_;
};

inline Mshrs::Entry Mshrs::allocate(uint64_t line, Target target, Sectors wants) {
  require(!full(), "an MSHR is taken where none is free");
  const Entry entry = take_entry();
  const uint32_t node = take_node(target, wants);
  entries_[entry] = {line, node, node, 1, 0, wants, 0};
  ++used_;
  return entry;
}

inline void Mshrs::merge(Entry entry, Target target, Sectors wants) {
  require(can_merge(entry), "a request is merged where no place is left");
  const uint32_t node = take_node(target, wants);
  Register& holder = entries_[entry];
  if (holder.waiting++ == 0)
    holder.first = node;
  else
    nodes_[holder.last].next = node;
  holder.last = node;
}

inline void Mshrs::ask(Entry entry, Sectors sectors) {
  entries_[entry].coming |= sectors;
  entries_[entry].here &= static_cast<Sectors>(~sectors);
}

inline void Mshrs::came(Entry entry, Sectors sectors) {
  require((sectors & ~entries_[entry].coming) == 0, "sectors come that nobody asked for");
  entries_[entry].coming &= static_cast<Sectors>(~sectors);
  entries_[entry].here |= sectors;
}

inline bool Mshrs::has_ready(Entry entry) const {
  const Register& holder = entries_[entry];
  uint32_t node = holder.first;
  for (uint32_t left = holder.waiting; left > 0; --left, node = nodes_[node].next)
    if (is_ready(holder, node)) return true;
  return false;
}

inline std::optional<Mshrs::Target> Mshrs::pop_ready(Entry entry) {
  Register& holder = entries_[entry];
  uint32_t before = kNone, node = holder.first;
  uint32_t left = holder.waiting;
  for (; left > 0 && !is_ready(holder, node); --left) {
    before = node;
    node = nodes_[node].next;
  }
  if (left == 0) return std::nullopt;
  (before == kNone ? holder.first : nodes_[before].next) = nodes_[node].next;
  if (node == holder.last) holder.last = before;
  --holder.waiting;
  --targets_;
  nodes_[node].next = free_node_;
  free_node_ = node;
  return nodes_[node].target;
}

inline void Mshrs::release(Entry entry) {
  require(entries_[entry].waiting == 0 && entries_[entry].coming == 0,
          "an MSHR is released while requests wait at it, or a line is on its way");
  entries_[entry].first = free_entry_;
  free_entry_ = entry;
  --used_;
}

inline Mshrs::Entry Mshrs::take_entry() {
  if (free_entry_ == kNone) {
    entries_.emplace_back();
    return static_cast<Entry>(entries_.size() - 1);
  }
  const Entry entry = free_entry_;
  free_entry_ = entries_[entry].first;
  return entry;
}

inline uint32_t Mshrs::take_node(Target target, Sectors wants) {
  ++targets_;
  if (free_node_ == kNone) {
    nodes_.push_back({target, kNone, wants});
    return static_cast<uint32_t>(nodes_.size() - 1);
  }
  const uint32_t node = free_node_;
  free_node_ = nodes_[node].next;
  nodes_[node] = {target, kNone, wants};
  return node;
}

}  // namespace heddle

#include "memory/mshrs.h"

#include "base/error.h"

namespace heddle {

Mshrs::Mshrs(unsigned entries, unsigned targets) : limit_(targets), entries_(entries) {
  require(entries > 0 && targets > 0, "an MSHR file needs entries and targets");
  for (unsigned entry = 0; entry < entries; ++entry) entries_[entry].first = entry + 1 < entries ? entry + 1 : kNone;
  free_entry_ = 0;
  nodes_.reserve(entries);
}

Mshrs::Entry Mshrs::allocate(uint64_t line, Target target) {
  require(!full(), "an MSHR is taken where none is free");
  const Entry entry = free_entry_;
  free_entry_ = entries_[entry].first;
  const uint32_t node = take_node(target);
  entries_[entry] = {line, node, node, 1};
  ++used_;
  return entry;
}

void Mshrs::merge(Entry entry, Target target) {
  require(can_merge(entry), "a request is merged where no place is left");
  const uint32_t node = take_node(target);
  Register& holder = entries_[entry];
  if (holder.waiting++ == 0)
    holder.first = node;
  else
    nodes_[holder.last].next = node;
  holder.last = node;
}

Mshrs::Target Mshrs::pop(Entry entry) {
  Register& holder = entries_[entry];
  require(holder.waiting > 0, "nobody waits at this MSHR");
  const uint32_t node = holder.first;
  holder.first = nodes_[node].next;
  --holder.waiting;
  nodes_[node].next = free_node_;
  free_node_ = node;
  return nodes_[node].target;
}

void Mshrs::release(Entry entry) {
  require(entries_[entry].waiting == 0, "an MSHR is released while requests wait at it");
  entries_[entry].first = free_entry_;
  free_entry_ = entry;
  --used_;
}

uint32_t Mshrs::take_node(Target target) {
  if (free_node_ == kNone) {
    nodes_.push_back({target, kNone});
    return static_cast<uint32_t>(nodes_.size() - 1);
  }
  const uint32_t node = free_node_;
  free_node_ = nodes_[node].next;
  nodes_[node] = {target, kNone};
  return node;
}

}  // namespace heddle

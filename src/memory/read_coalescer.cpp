#include "memory/read_coalescer.h"

namespace heddle {

void ReadCoalescer::forget(Tick upto) {
  for (Group& group : groups_) group.forget(upto);
}

void ReadCoalescer::add_joined(std::vector<Reply>& replies, Tick now) {
  if (groups_.empty()) return;
  const size_t own = replies.size();
  for (size_t i = 0; i < own; ++i) expect(Reply(replies[i]), {now}, replies);
  for (size_t i = 0; i < own; ++i) forget(replies[i].core / together_, now);
}

void ReadCoalescer::Group::forget(Tick upto) {
  size_t count = 0;
  while (count < expected_.size() && expected_[count].time <= upto) drop(expected_[count++].read);
  expected_.erase(expected_.begin(), expected_.begin() + static_cast<std::ptrdiff_t>(count));
}

ReadCoalescer::Index ReadCoalescer::Group::find(const Request& request, Tick now) const {
  Index index = by_line_[chain_of(request.address)];
  while (index != kNone && !is_for(reads_[index], request, now)) index = reads_[index].next_there;
  return index;
}

ReadCoalescer::Index ReadCoalescer::Group::find_or_add(const Request& request, Tick now) {
  if (free_ == kNone) grow();
  Index* link = &by_line_[chain_of(request.address)];
  while (*link != kNone && !is_for(reads_[*link], request, now)) link = &reads_[*link].next_there;
  if (*link != kNone) return *link;
  add(*link, request);
  return kNone;
}

// Behind the others there, which are older.
void ReadCoalescer::Group::add(Index& link, const Request& request) {
  const Index index = free_;
  Read& read = reads_[index];
  free_ = read.next_there;
  read.line = request.address;
  read.name = name_of(request.core, request.tag);
  read.sectors = request.sectors;
  read.comes = kNever;
  read.next_there = kNone;
  link = index;
  Index& named = by_name_[chain_of(read.name)];
  read.next_named = named;
  named = index;
  added |= bit_of(read.line);
}

void ReadCoalescer::Group::expect(const Reply& reply, const Comes& comes, std::vector<Reply>& joined) {
  const uint64_t name = name_of(reply.core, reply.tag);
  Index* link = &by_name_[chain_of(name)];
  while (*link != kNone && reads_[*link].name != name) link = &reads_[*link].next_named;
  if (*link == kNone) return;  // nobody joins an atomic
  const Index index = *link;
  Read& read = reads_[index];
  *link = read.next_named;
  read.comes = comes.time;
  read.rank = comes.rank;
  joined.insert(joined.end(), read.joined.begin(), read.joined.end());
  expected_.push_back({comes.time, index});
}

void ReadCoalescer::Group::drop(Index index) {
  Read& read = reads_[index];
  Index* link = &by_line_[chain_of(read.line)];
  while (*link != index) link = &reads_[*link].next_there;
  *link = read.next_there;
  read.joined.clear();
  read.next_there = free_;
  free_ = index;
}

void ReadCoalescer::Group::grow() {
  const size_t before = reads_.size();
  reads_.resize(before == 0 ? 64 : 2 * before);
  for (size_t i = before; i < reads_.size(); ++i) {
    reads_[i].next_there = free_;
    free_ = static_cast<Index>(i);
  }
}

}  // namespace heddle

#include "core/first_level.h"

#include <bit>

namespace heddle {

using Kind = FirstLevel::Answer::Kind;

FirstLevel::FirstLevel(Origin origin, const char* name, const CacheShape& shape, const CoreParameters& parameters,
                       Outlet& outlet, CacheStats& stats)
    : origin_(origin),
      line_bytes_(shape.line),
      line_shift_(static_cast<unsigned>(std::countr_zero(shape.line))),
      mshrs_(parameters.l1_mshrs, parameters.l1_merges, parameters.l1_mshr_each),
      fills_(parameters.l1_mshrs),
      outlet_(outlet),
      stats_(stats) {
  if (shape.bytes > 0) cache_.emplace(name, shape.bytes, shape.line, shape.ways);
}

FirstLevel::Answer FirstLevel::read(Address address, Target target, CoreCycle now) {
  if (cache_) {
    const Cache::Found found = cache_->look_up(address >> line_shift_);
    if (found.hit()) return hit(found.way);
    if (found.pending()) {
      const Mshrs::Entry entry = cache_->note(found.way);
      if (!mshrs_.can_merge(entry)) return {Kind::Blocked, MemoryStall::Merge};
      mshrs_.merge(entry, target);
      ++stats_.reads, ++stats_.merges;
      return {Kind::Waits};
    }
  }
  const Answer answer = fetch(address, target, now);
  if (answer.kind == Kind::Waits) ++stats_.reads;
  return answer;
}

bool FirstLevel::read_hit(Address address) {
  if (!cache_) return false;
  const Cache::Found found = cache_->look_up(address >> line_shift_);
  if (found.hit()) hit(found.way);
  return found.hit();
}

FirstLevel::Answer FirstLevel::hit(Cache::Way way) {
  cache_->use(way);
  ++stats_.reads, ++stats_.read_hits;
  return {Kind::Hit};
}

FirstLevel::Answer FirstLevel::fetch(Address address, Target target, CoreCycle now) {
  const uint64_t line = address >> line_shift_;
  if (const auto cause = obstacle(line)) return {Kind::Blocked, *cause};
  const Mshrs::Entry entry = mshrs_.allocate(line, target);
  const auto bytes = static_cast<uint16_t>(line_bytes_);
  outlet_.send({Request::Kind::Read, true, 0, bytes, bytes, 0, tag_of(origin_, entry), line * line_bytes_}, now);
  if (cache_) {
    fills_[entry] = make_room(line, target == kNobody);
    cache_->set_note(fills_[entry], entry);
  }
  return {Kind::Waits};
}

std::optional<MemoryStall> FirstLevel::obstacle(uint64_t line) const {
  if (mshrs_.full()) return MemoryStall::Mshr;
  if (cache_ && !cache_->can_reserve(line)) return MemoryStall::Set;
  if (!outlet_.room()) return MemoryStall::Network;
  return std::nullopt;
}

Cache::Way FirstLevel::make_room(uint64_t line, bool dirty) {
  const Cache::Victim victim = cache_->reserve(line);
  if (dirty) cache_->mark_dirty(victim.way);
  if (!victim.dirty) return victim.way;
  ++stats_.writebacks;
  const auto bytes = static_cast<uint16_t>(line_bytes_);
  outlet_.send_later({Request::Kind::Write, false, 0, bytes, bytes, 0, 0, victim.line * line_bytes_});
  return victim.way;
}

std::optional<MemoryStall> FirstLevel::read_obstacle(Address address) const {
  const uint64_t line = address >> line_shift_;
  if (cache_) {
    const Cache::Found found = cache_->look_up(line);
    if (found.hit()) return std::nullopt;
    if (found.pending())
      return mshrs_.can_merge(cache_->note(found.way)) ? std::nullopt : std::optional(MemoryStall::Merge);
  }
  return obstacle(line);
}

FirstLevel::Answer FirstLevel::write_through(const LineAccess& access, CoreCycle now) {
  if (!outlet_.room()) return {Kind::Blocked, MemoryStall::Network};
  outlet_.send({Request::Kind::Write, false, 0, static_cast<uint16_t>(access.byte_count()),
                static_cast<uint16_t>(line_bytes_), 0, 0, access.address},
               now);
  ++stats_.writes;
  const Cache::Found found = cache_ ? cache_->look_up(access.address >> line_shift_) : Cache::Found{};
  if (found.hit()) {
    cache_->use(found.way);
    ++stats_.write_hits;
  } else {
    ++stats_.unfetched;
  }
  return {Kind::Sent};
}

FirstLevel::Answer FirstLevel::write_if_there(const LineAccess& access, CoreCycle now) {
  const Cache::Found found = cache_ ? cache_->look_up(access.address >> line_shift_) : Cache::Found{};
  if (found.miss()) return write_through(access, now);
  if (found.hit()) cache_->use(found.way);
  cache_->mark_dirty(found.way);
  ++stats_.writes;
  ++(found.hit() ? stats_.write_hits : stats_.merges);
  return {Kind::Hit};
}

FirstLevel::Answer FirstLevel::write_back(const LineAccess& access, CoreCycle now) {
  if (!cache_) return write_through(access, now);
  const uint64_t line = access.address >> line_shift_;
  const Cache::Found found = cache_->look_up(line);
  if (found.hit()) {
    cache_->use(found.way);
    cache_->mark_dirty(found.way);
    ++stats_.writes, ++stats_.write_hits;
  } else if (found.pending()) {  // written when it has come; nobody waits for that
    cache_->mark_dirty(found.way);
    ++stats_.writes, ++stats_.merges;
  } else if (access.byte_count() < line_bytes_) {
    const Answer answer = fetch(access.address, kNobody, now);
    if (answer.kind == Kind::Blocked) return answer;
    ++stats_.writes;
    return {Kind::Sent};
  } else {
    if (!cache_->can_reserve(line)) return {Kind::Blocked, MemoryStall::Set};
    if (outlet_.waits()) return {Kind::Blocked, MemoryStall::Network};
    cache_->fill(make_room(line, true));
    ++stats_.writes, ++stats_.unfetched;
  }
  return {Kind::Hit};
}

void FirstLevel::invalidate(Address address) {
  if (cache_) cache_->invalidate(address >> line_shift_);
}

bool FirstLevel::holds(Address address) const { return cache_ && cache_->look_up(address >> line_shift_).hit(); }

}  // namespace heddle

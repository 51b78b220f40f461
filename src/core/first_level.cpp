#include "core/first_level.h"

#include <bit>

namespace heddle {
namespace {

Sectors without(Sectors sectors, Sectors others) { return static_cast<Sectors>(sectors & ~others); }

ByteMask bytes_of_sectors(Sectors sectors) {
  ByteMask bytes{};
  for (unsigned i = 0; i < 4; ++i)
    if ((sectors >> i & 1) != 0) bytes[i / 2] |= uint64_t{0xFFFF'FFFF} << i % 2 * 32;
  return bytes;
}

}  // namespace

using Kind = FirstLevel::Answer::Kind;

FirstLevel::FirstLevel(Origin origin, const char* name, const CacheShape& shape, const CoreParameters& parameters,
                       Outlet& outlet, CacheStats& stats)
    : origin_(origin),
      sectored_(shape.sectors),
      on_fill_(shape.on_fill && shape.bytes > 0),
      on_write_(shape.on_write && shape.bytes > 0),
      needs_room_(origin != Origin::Instruction || !outlet.sends_code_apart()),
      line_bytes_(shape.line),
      line_shift_(static_cast<unsigned>(std::countr_zero(shape.line))),
      all_(shape.sectors ? first_sectors(shape.line / kSectorBytes) : Sectors{1}),
      mshrs_(parameters.l1_mshrs, parameters.l1_merges, parameters.l1_mshr_each),
      dirtied_(on_fill_ ? parameters.l1_mshrs : 0),
      under_way_(on_fill_ ? parameters.l1_mshrs : 1),
      outlet_(outlet),
      stats_(stats) {
  if (shape.bytes > 0) cache_.emplace(name, shape.bytes, shape.line, shape.ways, shape.hash);
}

inline FirstLevel::Line FirstLevel::look_up(uint64_t line) const {
  Line there;
  if (!cache_) return there;
  there.found = cache_->look_up(line);
  if (on_fill_)
    there.entry = under_way_.find(line);
  else if (there.found.pending())
    there.entry = cache_->note(there.found.way);
  if (there.entry) there.coming = mshrs_.coming(*there.entry);
  return there;
}

[[gnu::flatten]] FirstLevel::Answer FirstLevel::read(Address address, Target target, CoreCycle now, Sectors sectors) {
  const uint64_t line = address >> line_shift_;
  const Sectors wants = wanted(sectors);
  Line there = look_up(line);
  if (there.found.hit(wants)) return hit(there.found.way, wants);
  const Sectors missing = without(wants, there.found.valid);
  if (const auto cause = obstacle(line, there, missing)) return {Kind::Blocked, *cause};
  fetch(line, there, missing, target, now);
  ++stats_.reads;
  if (without(missing, there.coming) == 0) ++stats_.merges;
  if (sectored_) count_reads(wants, there.found.valid);
  return {Kind::Waits};
}

void FirstLevel::read_ahead(Address address, CoreCycle now) {
  const uint64_t line = address >> line_shift_;
  Line there = look_up(line);
  if (!there.found.miss() || there.entry || obstacle(line, there, all_)) return;
  fetch(line, there, all_, kNobody, now);
  ++stats_.reads;
  if (sectored_) count_reads(all_, 0);
}

bool FirstLevel::read_hit(Address address, Sectors sectors) {
  if (!cache_) return false;
  const Sectors wants = wanted(sectors);
  const Cache::Found found = cache_->look_up(address >> line_shift_);
  if (!found.hit(wants)) return false;
  hit(found.way, wants);
  return true;
}

FirstLevel::Answer FirstLevel::hit(Cache::Way way, Sectors wants) {
  cache_->use(way);
  ++stats_.reads, ++stats_.read_hits;
  if (sectored_) count_reads(wants, wants);
  return {Kind::Hit};
}

// What is in the way of fetching these sectors, of which some may be on their way.
inline std::optional<MemoryStall> FirstLevel::obstacle(uint64_t line, Line& there, Sectors missing) const {
  if (there.entry) {
    if (!mshrs_.can_merge(*there.entry)) return MemoryStall::Merge;
    if (without(missing, there.coming) == 0) return std::nullopt;
  } else {
    if (mshrs_.full()) return MemoryStall::Mshr;
    if (cache_ && !on_fill_ && there.found.miss()) {
      there.room = cache_->room_for(line);
      if (there.room == Cache::kNoWay) return MemoryStall::Set;
    }
  }
  if (needs_room_ && !outlet_.room()) return MemoryStall::Network;
  return std::nullopt;
}

// There must be no obstacle.
void FirstLevel::fetch(uint64_t line, const Line& there, Sectors missing, Target target, CoreCycle now) {
  if (there.entry) mshrs_.merge(*there.entry, target, missing);
  const Sectors asked = without(missing, there.coming);
  if (asked == 0) return;
  const Mshrs::Entry entry = there.entry ? *there.entry : mshrs_.allocate(line, target, missing);
  mshrs_.ask(entry, asked);
  Request request{.kind = Request::Kind::Read, .bytes = static_cast<uint16_t>(line_bytes_)};
  request.line_bytes = request.bytes;
  if (sectored_) {
    request.sectors = asked;
    request.bytes = static_cast<uint16_t>(count_of(asked) * kSectorBytes);
  }
  request.tag = tag_of(origin_, entry | uint32_t{asked} << kSectorShift);
  request.code = origin_ == Origin::Instruction;
  request.address = line * line_bytes_;
  outlet_.send(request, now);
  if (!cache_) return;
  if (on_fill_) {
    if (!there.entry) under_way_.put(line, entry);
    return;
  }
  const Cache::Way way = there.found.miss() ? there.room : there.found.way;
  if (there.found.miss()) {
    make_room(line, asked, way);
  } else {
    cache_->use(way);
    cache_->expect(way, asked);
  }
  cache_->set_note(way, entry);
  mshrs_.set_place(entry, way);
}

void FirstLevel::make_room(uint64_t line, Sectors coming, Cache::Way room) {
  const Cache::Victim victim = cache_->reserve(line, coming, room);
  if (victim.dirty == 0) return;
  ++stats_.writebacks;
  Request request{.kind = Request::Kind::Write, .bytes = static_cast<uint16_t>(line_bytes_)};
  request.line_bytes = request.bytes;
  request.address = victim.line * line_bytes_;
  if (sectored_) {
    request.sectors = victim.dirty;
    request.bytes = static_cast<uint16_t>(count_of(victim.dirty) * kSectorBytes);
    request.written = bytes_of_sectors(victim.dirty);
  }
  outlet_.send_later(request);
}

// What has come takes a way only now.
void FirstLevel::keep(Mshrs::Entry entry, Sectors sectors) {
  const uint64_t line = mshrs_.line(entry);
  const Cache::Found found = cache_->look_up(line);
  const Cache::Way way = found.miss() ? cache_->room_for(line) : found.way;
  if (found.miss()) make_room(line, 0, way);
  cache_->mark_valid(way, sectors);
  cache_->mark_dirty(way, sectors & dirtied_[entry]);
  dirtied_[entry] = without(dirtied_[entry], sectors);
}

std::optional<MemoryStall> FirstLevel::read_obstacle(Address address, Sectors sectors) const {
  const uint64_t line = address >> line_shift_;
  const Sectors wants = wanted(sectors);
  Line there = look_up(line);
  if (there.found.hit(wants)) return std::nullopt;
  return obstacle(line, there, without(wants, there.found.valid));
}

FirstLevel::Answer FirstLevel::write_through(const LineAccess& access, CoreCycle now) {
  if (!outlet_.room()) return {Kind::Blocked, MemoryStall::Network};
  send_write(access, now);
  keep_written(access, count_write(access));
  return {Kind::Sent};
}

void FirstLevel::send_write(const LineAccess& access, CoreCycle now) {
  Request request{.kind = Request::Kind::Write, .sectors = access.sectors(), .written = access.bytes};
  request.bytes = static_cast<uint16_t>(access.byte_count());
  request.line_bytes = static_cast<uint16_t>(line_bytes_);
  request.address = access.address;
  outlet_.send(request, now);
}

void FirstLevel::keep_written(const LineAccess& access, const Cache::Found& found) {
  if (found.hit(wanted(access.sectors()))) cache_->use(found.way);
  if (!on_write_) return;
  const Sectors whole = written_whole(access);
  if (whole == 0) return;
  const uint64_t line = access.address >> line_shift_;
  const Cache::Way way = found.miss() ? cache_->room_for(line) : found.way;
  if (found.miss()) make_room(line, 0, way);
  cache_->mark_valid(way, whole);
}

Cache::Found FirstLevel::count_write(const LineAccess& access) {
  const Sectors wants = wanted(access.sectors());
  const Cache::Found found = cache_ ? cache_->look_up(access.address >> line_shift_) : Cache::Found{};
  ++stats_.writes;
  ++(found.hit(wants) ? stats_.write_hits : stats_.unfetched);
  if (sectored_) count_writes(wants, found.valid);
  return found;
}

FirstLevel::Answer FirstLevel::write_if_there(const LineAccess& access, CoreCycle now) {
  const Sectors wants = wanted(access.sectors());
  const Cache::Found found = cache_ ? cache_->look_up(access.address >> line_shift_) : Cache::Found{};
  if (without(wants, found.valid | found.coming) != 0) return write_through(access, now);
  const bool hit = found.hit(wants);
  if (hit) cache_->use(found.way);
  cache_->mark_dirty(found.way, wants);
  ++stats_.writes;
  ++(hit ? stats_.write_hits : stats_.merges);
  if (sectored_) count_writes(wants, found.valid);
  return {Kind::Hit};
}

// Sectors that are written whole need no fetch.
FirstLevel::Answer FirstLevel::write_back(const LineAccess& access, CoreCycle now) {
  if (!cache_) return write_through(access, now);
  const uint64_t line = access.address >> line_shift_;
  const Sectors wants = wanted(access.sectors());
  Line there = look_up(line);
  const Sectors absent = without(wants, there.found.valid), unasked = without(absent, there.coming);
  const Sectors needed = without(unasked, written_whole(access)), fresh = without(unasked, needed);
  const bool takes_way = fresh != 0 && there.found.miss() && (on_fill_ || needed == 0);
  if (takes_way && !cache_->can_reserve(line)) return {Kind::Blocked, MemoryStall::Set};
  if (takes_way && outlet_.waits()) return {Kind::Blocked, MemoryStall::Network};
  if (needed != 0) {
    if (const auto cause = obstacle(line, there, needed)) return {Kind::Blocked, *cause};
    fetch(line, there, needed, kNobody, now);
  }
  if (takes_way) make_room(line, 0, cache_->room_for(line));
  if (absent == 0) cache_->use(there.found.way);
  mark_written(line, fresh, wants);
  ++stats_.writes;
  if (sectored_) count_writes(wants, there.found.valid);
  if (needed != 0) return {Kind::Sent};
  ++(absent == 0 ? stats_.write_hits : unasked == 0 ? stats_.merges : stats_.unfetched);
  return {Kind::Hit};
}

// Of what is written, `fresh` is there from now on; what is still to come is dirty then.
void FirstLevel::mark_written(uint64_t line, Sectors fresh, Sectors written) {
  const Line there = look_up(line);
  const Sectors later = on_fill_ ? written & there.coming : Sectors{0};
  if (later != 0) dirtied_[*there.entry] |= later;
  if (there.found.miss()) return;
  cache_->mark_valid(there.found.way, fresh);
  cache_->mark_dirty(there.found.way, without(written, later));
}

Sectors FirstLevel::written_whole(const LineAccess& access) const {
  if (sectored_) return whole_sectors_of(access.bytes);
  return access.byte_count() == line_bytes_ ? 1 : 0;
}

void FirstLevel::count_reads(Sectors wants, Sectors valid) {
  stats_.sectors.reads += count_of(wants);
  stats_.sectors.read_hits += count_of(wants & valid);
}

void FirstLevel::count_writes(Sectors wants, Sectors valid) {
  stats_.sectors.writes += count_of(wants);
  stats_.sectors.write_hits += count_of(wants & valid);
}

void FirstLevel::invalidate(Address address) {
  if (cache_) cache_->invalidate(address >> line_shift_);
}

bool FirstLevel::holds(Address address) const {
  const auto sector = static_cast<Sectors>(1u << address % line_bytes_ / kSectorBytes);
  return cache_ && cache_->look_up(address >> line_shift_).hit(wanted(sector));
}

bool FirstLevel::expects(Address address) const {
  const Line there = look_up(address >> line_shift_);
  return !there.found.miss() || there.entry;
}

bool FirstLevel::has_room_for(Address begin, uint64_t bytes) const {
  return cache_ && cache_->has_room_for(begin >> line_shift_, ((begin + bytes - 1) >> line_shift_) + 1);
}

}  // namespace heddle

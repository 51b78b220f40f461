// The sectors of a slice: what requests want in them, what DRAM is asked for, and writes, which fetch nothing.
#include "memory/slice.h"

namespace heddle {

Sectors Slice::wanted(const Request& request) const {
  if (!sectored_) return 1;
  const unsigned first = static_cast<unsigned>(request.address & (line_bytes_ - 1)) / kSectorBytes;
  const unsigned count = (request.line_bytes + kSectorBytes - 1) / kSectorBytes;
  const Sectors of_line = request.sectors == 0 ? first_sectors(count) : request.sectors;
  return static_cast<Sectors>(of_line << first);
}

// The bytes that a write writes. A core's line is as large as ours, or lies in one half of it.
ByteMask Slice::written(const Request& request) const {
  const auto offset = static_cast<unsigned>(request.address & (line_bytes_ - 1));
  const ByteMask bytes = request.sectors == 0 ? first_bytes(request.line_bytes) : request.written;
  if (offset >= 64) return {0, bytes[0] << (offset - 64)};
  return {bytes[0] << offset, bytes[1]};
}

// The pieces that DRAM is asked for where these sectors are wanted.
Sectors Slice::in_pieces(Sectors sectors) const {
  if (!sectored_) return sectors;
  Sectors all = 0;
  const Sectors piece = first_sectors(piece_);
  for (unsigned first = 0; first < kMostSectors; first += piece_)
    if ((sectors >> first & piece) != 0) all |= static_cast<Sectors>(piece << first);
  return all;
}

unsigned Slice::bytes_in_dram(Sectors sectors) const {
  return sectored_ ? count_of(in_pieces(sectors)) * kSectorBytes : line_bytes_;
}

Slice::Stall Slice::write_sectors(const Request& request, const Cache::Found& found, DramCycle memory_edge) {
  Cache::Way way = found.way;
  if (found.miss()) {
    const Cache::Line line = request.address >> line_shift_;
    if (!dram_has(1)) return Stall::Dram;
    way = cache_->room_for(line);
    if (way == Cache::kNoWay) return Stall::Own;
    make_room(line, 0, way, memory_edge);
  } else {
    cache_->use(way);
  }
  const Sectors sectors = wanted(request);
  mark_dirty(way, sectors);
  const ByteMask bytes = written(request);
  ByteMask& all = written_[way];
  all = {all[0] | bytes[0], all[1] | bytes[1]};
  cache_->mark_valid(way, whole_sectors_of(all));
  if (!found.hit(sectors)) ++stats_.unfetched;
  count(request, sectors, found.valid);
  return Stall::None;
}

// A clean line has no bytes that were written: what is remembered of the way is another line's.
void Slice::mark_dirty(Cache::Way way, Sectors sectors) {
  if (sectored_ && cache_->dirty(way) == 0) written_[way] = {};
  cache_->mark_dirty(way, sectors);
}

void Slice::count_sectors(Request::Kind kind, Sectors wants, Sectors valid) {
  SectorStats& s = stats_.sectors;
  const unsigned all = count_of(wants), there = count_of(wants & valid);
  switch (kind) {
    case Request::Kind::Read: s.reads += all, s.read_hits += there; return;
    case Request::Kind::Write: s.writes += all, s.write_hits += there; return;
    case Request::Kind::Atomic: s.atomics += all, s.atomic_hits += there; return;
  }
}

}  // namespace heddle

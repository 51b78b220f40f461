// A first-level cache of a core: data, constant, texture or instruction. Where there is no cache (no bytes) every
// access goes below, and still waits in a register of its own.
//
// A cache may keep sectors (CacheShape::sectors): then a miss asks for those that are neither there nor on their way,
// and an access waits until all of its own have come. A line takes its way with the miss, or (on_fill) when it comes;
// then misses are found in a table, and a set is never full of lines on their way.
//
// read() and the writes either do all that is to be done, or nothing and say what was in the way: then they may be
// asked again.
#pragma once

#include <optional>
#include <vector>

#include "core/core_parameters.h"
#include "core/outlet.h"
#include "memory/cache.h"
#include "memory/coalescer.h"
#include "memory/line_table.h"
#include "memory/mshrs.h"
#include "stats/core_stats.h"

namespace heddle {

// Whose a reply is: the upper bits of a request's tag.
enum class Origin : uint8_t { Data, Past, Constant, Texture, Instruction, Atomic };
inline constexpr unsigned kOriginShift = 28;
inline uint32_t tag_of(Origin origin, uint32_t index) { return static_cast<uint32_t>(origin) << kOriginShift | index; }
inline Origin origin_of(uint32_t tag) { return static_cast<Origin>(tag >> kOriginShift); }
inline uint32_t index_of(uint32_t tag) { return tag & ((uint32_t{1} << kOriginShift) - 1); }

class FirstLevel {
 public:
  using Target = Mshrs::Target;
  static constexpr Target kNobody = ~Target{0};  // a line nobody waits for: it is fetched to be written

  struct Answer {
    enum class Kind : uint8_t { Hit, Sent, Waits, Blocked } kind;  // Sent: below, and nobody waits for it
    MemoryStall cause = MemoryStall::Mshr;                         // Blocked
  };

  FirstLevel(Origin origin, const char* name, const CacheShape& shape, const CoreParameters& parameters, Outlet& outlet,
             CacheStats& stats);

  // `sectors`: what is wanted of the line; 0: all.
  Answer read(Address line, Target target, CoreCycle now, Sectors sectors = 0);
  void read_ahead(Address line, CoreCycle now);      // nobody waits for it; not if something is in the way
  bool read_hit(Address line, Sectors sectors = 0);  // the same if it hits; else nothing
  // Global data: sent below; what is written whole may stay (CacheShape::on_write).
  Answer write_through(const LineAccess& access, CoreCycle now);
  // The same where the line is neither there nor under way; else it is kept, and written back when it must go.
  Answer write_if_there(const LineAccess& access, CoreCycle now);
  // A thread's own (local) data: allocated, and written back when it must go.
  Answer write_back(const LineAccess& access, CoreCycle now);
  // Global data in two steps: one that is sent later, together with others, and what was stored together, where there
  // is room.
  void write_later(const LineAccess& access, const LineAccess& together) {
    keep_written(together, count_write(access));
  }
  void send_write(const LineAccess& access, CoreCycle now);
  // What read() would find in the way, if it is more than a moment's matter of ports.
  std::optional<MemoryStall> read_obstacle(Address line, Sectors sectors = 0) const;
  void invalidate(Address line);
  bool holds(Address address) const;
  bool expects(Address address) const;                     // or it is on its way
  bool has_room_for(Address begin, uint64_t bytes) const;  // all of it at once, if there is nothing else

  // What was asked for under this index has come: calls f(target, address of the line) for each that has all it waited
  // for.
  template <class F>
  void fill(uint32_t index, F&& f) {
    const Mshrs::Entry entry = index & kEntryMask;
    const auto sectors = static_cast<Sectors>(index >> kSectorShift);
    const Address line = mshrs_.line(entry) << line_shift_;
    ++stats_.fills;
    mshrs_.came(entry, sectors);
    if (on_fill_)
      keep(entry, sectors);
    else if (cache_)
      cache_->fill(mshrs_.place(entry), sectors);
    while (const auto target = mshrs_.pop_ready(entry))
      if (*target != kNobody) f(*target, line);
    if (mshrs_.coming(entry) != 0) return;
    if (on_fill_) under_way_.drop(mshrs_.line(entry));
    mshrs_.release(entry);
  }

  unsigned line_bytes() const { return line_bytes_; }
  bool has_sectors() const { return sectored_; }
  unsigned waiting() const { return mshrs_.targets(); }  // accesses

 private:
  // The index of a request: its register, and above that what it asks for.
  static constexpr unsigned kSectorShift = 20;
  static constexpr uint32_t kEntryMask = (uint32_t{1} << kSectorShift) - 1;
  static_assert(kSectorShift + kMostSectors <= kOriginShift);

  // What there is of a line.
  struct Line {
    Cache::Found found;
    std::optional<Mshrs::Entry> entry;  // that fetches some of it
    Sectors coming = 0;
    Cache::Way room = Cache::kNoWay;  // none of it: where it could be, once obstacle() has looked
  };

  Line look_up(uint64_t line) const;
  Sectors wanted(Sectors sectors) const { return !sectored_ ? 1 : sectors == 0 ? all_ : sectors; }
  Sectors written_whole(const LineAccess& access) const;
  Answer hit(Cache::Way way, Sectors wants);
  std::optional<MemoryStall> obstacle(uint64_t line, Line& there, Sectors missing) const;
  void fetch(uint64_t line, const Line& there, Sectors missing, Target target, CoreCycle now);
  Cache::Found count_write(const LineAccess& access);
  void keep_written(const LineAccess& access, const Cache::Found& found);
  void make_room(uint64_t line, Sectors coming, Cache::Way room);
  void keep(Mshrs::Entry entry, Sectors sectors);
  void mark_written(uint64_t line, Sectors fresh, Sectors written);
  void count_reads(Sectors wants, Sectors valid);
  void count_writes(Sectors wants, Sectors valid);

  const Origin origin_;
  const bool sectored_, on_fill_, on_write_;
  const bool needs_room_;
  const unsigned line_bytes_, line_shift_;
  const Sectors all_;
  std::optional<Cache> cache_;
  Mshrs mshrs_;
  std::vector<Sectors> dirtied_;  // on_fill, by register: what was written meanwhile
  LineTable under_way_;           // on_fill
  Outlet& outlet_;
  CacheStats& stats_;
};

}  // namespace heddle

// A first-level cache of a core: data, constant, texture or instruction. Where there is no cache (no bytes) every
// access goes below, and still waits in a register of its own.
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
#include "memory/mshrs.h"
#include "stats/core_stats.h"

namespace heddle {

// Whose a reply is: the upper bits of a request's tag.
enum class Origin : uint8_t { Data, Constant, Texture, Instruction, Atomic };
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

  Answer read(Address line, Target target, CoreCycle now);
  bool read_hit(Address line);  // the same if it hits; else nothing
  // Global data: written through, never allocated.
  Answer write_through(const LineAccess& access, CoreCycle now);
  // The same where the line is neither there nor under way; else it is kept, and written back when it must go.
  Answer write_if_there(const LineAccess& access, CoreCycle now);
  // A thread's own (local) data: allocated, and written back when it must go.
  Answer write_back(const LineAccess& access, CoreCycle now);
  // What read() would find in the way, if it is more than a moment's matter of ports.
  std::optional<MemoryStall> read_obstacle(Address line) const;
  void invalidate(Address line);
  bool holds(Address address) const;

  // The line of this register has come: calls f(target, its address) for each that waited.
  template <class F>
  void fill(uint32_t entry, F&& f) {
    ++stats_.fills;
    if (cache_) cache_->fill(fills_[entry]);
    const Address line = mshrs_.line(entry) << line_shift_;
    while (mshrs_.waiting(entry) > 0) {
      const Target target = mshrs_.pop(entry);
      if (target != kNobody) f(target, line);
    }
    mshrs_.release(entry);
  }

  unsigned line_bytes() const { return line_bytes_; }
  unsigned waiting() const { return mshrs_.targets(); }  // accesses

 private:
  Answer hit(Cache::Way way);
  Answer fetch(Address address, Target target, CoreCycle now);
  std::optional<MemoryStall> obstacle(uint64_t line) const;
  Cache::Way make_room(uint64_t line, bool dirty);

  const Origin origin_;
  const unsigned line_bytes_, line_shift_;
  std::optional<Cache> cache_;
  Mshrs mshrs_;
  std::vector<Cache::Way> fills_;  // by register: where its line will be
  Outlet& outlet_;
  CacheStats& stats_;
};

}  // namespace heddle

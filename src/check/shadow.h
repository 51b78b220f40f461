// What is remembered of each place of memory: who wrote it last, plainly and strongly (atomics, volatile), and who has
// read it since. A cell stands for four bytes; in a page in which something narrower was touched, for one.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/types.h"
#include "check/segment.h"

namespace heddle::check {

// One access of one thread: 64 bits. Segment 0: none.
class Record {
 public:
  enum Flag : uint32_t {
    kStrong = 1,  // volatile, relaxed, acquire, release: meant to meet others
    kAtomic = 2,
    kBlockOnly = 4,  // strong, but for threads of its block only
    kSilent = 8,     // a write that changed nothing
  };
  static constexpr Pc kMostPc = (Pc{1} << 20) - 1;  // what lies behind is remembered as this

  Record() = default;
  Record(Segment segment, Pc pc, unsigned lane, uint32_t flags)
      : bits_(uint64_t{segment} << 32 | uint64_t{pc} << 12 | uint64_t{lane} << 7 | flags) {}
  Segment segment() const { return static_cast<Segment>(bits_ >> 32); }
  Pc pc() const { return static_cast<Pc>(bits_ >> 12) & kMostPc; }
  unsigned lane() const { return static_cast<unsigned>(bits_ >> 7) & 31U; }
  uint32_t flags() const { return static_cast<uint32_t>(bits_) & 0x7fU; }
  void forget(Flag flag) { bits_ &= ~uint64_t{flag}; }

 private:
  uint64_t bits_ = 0;
};

// Lanes of one warp that read in one segment; `last` is one of them.
struct Readers {
  Record last;
  LaneMask lanes;
};

// Readers of whom none is ordered behind another, beside those in the cell; too many: a crowd, of which only is known
// until when it read.
//
// `until`: the last segment in which any of them may have read.
struct ReaderList {
  std::vector<Readers> readers;
  bool crowd = false, many_blocks = false;
  Segment until = 0;
};

struct Cell {
  Record plain, strong;  // the last writes
  Record read;           // the last reader of the lanes that read in its segment
  LaneMask read_lanes;
  uint32_t others : 31 = 0;  // further readers: an index into the lists; 0: none
  uint32_t crowded : 1 = 0;  // who else reads makes no difference any more
};

class ReaderLists {
 public:
  // Good until the next make().
  ReaderList& at(uint32_t index) { return lists_[index]; }
  uint32_t make();
  void drop(Cell& cell);  // its list

 private:
  std::vector<ReaderList> lists_{1};
  std::vector<uint32_t> free_;
};

class ShadowPage {
 public:
  static constexpr unsigned kBits = 12;
  static constexpr uint64_t kBytes = uint64_t{1} << kBits;

  // The cells of some bytes of the page: how many, from which on.
  struct Range {
    Cell* first;
    unsigned count;
  };
  Range cells(uint64_t offset, unsigned bytes) {
    const uint64_t at = offset & (kBytes - 1);
    if (!cells_ || (shift_ == 2 && ((at | bytes) & 3) != 0)) [[unlikely]]
      prepare(((at | bytes) & 3) != 0);
    return {&cells_[at >> shift_], bytes >> shift_};
  }
  unsigned bytes_per_cell() const { return 1U << shift_; }

 private:
  void prepare(bool narrow);

  unsigned shift_ = 2;
  std::unique_ptr<Cell[]> cells_;
};

// Pages by their place; memory is taken as it is touched.
class Shadow {
 public:
  ShadowPage& page(uint64_t offset) {
    const uint64_t chunk = offset >> kChunkBits;
    if (chunk >= chunks_.size()) chunks_.resize(chunk + 1);
    if (!chunks_[chunk]) chunks_[chunk] = std::make_unique<Chunk>();
    return (*chunks_[chunk])[offset >> ShadowPage::kBits & (kPages - 1)];
  }
  void forget() { chunks_.clear(); }

 private:
  static constexpr unsigned kChunkBits = 22, kPages = 1U << (kChunkBits - ShadowPage::kBits);
  using Chunk = std::array<ShadowPage, kPages>;
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace heddle::check

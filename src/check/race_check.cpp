#include "check/race_check.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "exec/resolve.h"

namespace heddle::check {
namespace {

// Readers of one word that are kept one by one: of one block, and of several. Where only whole blocks are ever put in
// order two tell all there is to know of a crowd: the one in the cell, and one more.
constexpr size_t kMostReaders = 40, kMostOfBlocks = 8, kMostOfWholeBlocks = 1;

// A barrier for some threads of a block, perhaps.
bool is_partial(const Instruction& i) {
  return i.flow == Flow::Barrier && (i.op == Op::BarArrive || i.src_count - (i.op == Op::BarRed ? 1U : 0U) > 1);
}

bool in_shared_window(const Access& access, unsigned k) {
  return access.space == Space::None && access.address[k] - kSharedWindow < kWindowBytes;
}
bool in_local_window(const Access& access, unsigned k) {
  return access.space == Space::None && access.address[k] - kLocalWindow < kWindowBytes;
}

}  // namespace

void RaceMemory::start_launch(std::shared_ptr<const Kernel> kernel, const LaunchInfo& launch,
                              const LaunchOrder& order) {
  if (timeline.start_launch(std::move(kernel), launch, order)) {
    global.forget();
    lists = {};
  }
  variables.clear();
}

RaceCheck::RaceCheck(Context& context, RaceMemory& memory, Collector& found)
    : memory_(memory),
      found_(found),
      order_(memory.timeline, static_cast<unsigned>(context.block_of_row.size()),
             static_cast<unsigned>((context.launch.block.count() + kRow - 1) / kRow)),
      blocks_(context.launch.grid.count()) {
  for (const Instruction& instruction : context.kernel.code) {
    steps_.push_back(AccessStep::of(instruction));
    flags_order_ = flags_order_ || steps_.back().orders();
    only_blocks_ = only_blocks_ && !is_partial(instruction);
  }
  only_blocks_ = only_blocks_ && !flags_order_;
}

void RaceCheck::block_started(Context& context, BlockId block) {
  order_.start_block(context, block);
  if (shared_.size() <= block) shared_.resize(block + size_t{1});
  shared_[block].variables.clear();
}

void RaceCheck::before(Context& context, const Instruction& i, const Lanes& lanes) {
  const AccessStep& step = steps_[context.pc];
  if (step.kind == AccessStep::Kind::Store) access(context, lanes, true, silent_lanes(context, i, lanes));
  if (step.kind == AccessStep::Kind::Copy) copy(context, i, lanes);
  if (step.kind == AccessStep::Kind::Exit) for_each_lane(lanes.mask, [&](unsigned k) { order_.exit(lanes.thread(k)); });
}

void RaceCheck::after(Context& context, const Instruction& i, const Lanes& lanes) {
  const AccessStep& step = steps_[context.pc];
  switch (step.kind) {
    case AccessStep::Kind::Load: access(context, lanes, false, 0); break;
    case AccessStep::Kind::Atomic:
    case AccessStep::Kind::Arrive:
    case AccessStep::Kind::Test: access(context, lanes, true, 0); break;
    case AccessStep::Kind::Fence: return fence(lanes, step.reach);
    case AccessStep::Kind::Store: break;
    case AccessStep::Kind::Copy:
    case AccessStep::Kind::Exit:
    case AccessStep::Kind::Nothing: return;
  }
  if (flags_order_ && step.strong()) synchronise(context, i, lanes);
}

// The lanes whose store leaves memory as it is.
uint32_t RaceCheck::silent_lanes(Context& context, const Instruction& i, const Lanes& lanes) {
  const unsigned bytes = bytes_of(i.type);
  std::array<std::byte*, kRow> host;
  resolve(context, i, lanes, bytes * i.vector, true, host);
  if (bytes > 8) return 0;
  uint32_t silent = lanes.mask.bits();
  for (unsigned element = 0; element < i.vector; ++element)
    for_each_lane(LaneMask(silent), [&](unsigned k) {
      const uint64_t value = context.get_bits(i.src[1 + element], lanes.thread(k));
      if (std::memcmp(host[k] + element * bytes, &value, bytes) != 0) silent &= ~(1U << k);
    });
  return silent;
}

// Beside somebody of the same warp and segment, or as one more of a crowd: nobody else need be looked at.
inline bool RaceCheck::joins_readers(Cell& cell, const Record& record, LaneMask lanes, Segment floor) {
  if (cell.read.segment() != record.segment() || cell.read.flags() != record.flags())
    return cell.crowded != 0 && cell.read.segment() > floor;
  cell.read = record;
  cell.read_lanes |= lanes;
  return true;
}

// What access() does for most reads: of a row, and known to be of shared or of global memory. Neighbours that read one
// place do so together.
void RaceCheck::read_row(Context& context, const Lanes& lanes) {
  const unsigned bytes = steps_[context.pc].bytes;
  const uint32_t flags = steps_[context.pc].flags;
  const LaneMask mask = lanes.mask;
  const auto& at = context.access.address;
  const Pc pc = std::min(context.pc, Record::kMostPc);
  const unsigned row = lanes.first / kRow;
  const bool shared = context.access.space == Space::Shared;
  const Segment segment = order_.touch(row), floor = shared ? order_.shared_floor(row) : memory_.timeline.floor();
  Shadow& shadow = shared ? shared_[context.block_of_row[row]].shadow : memory_.global;
  const uint64_t base = shared ? 0 : context.memory.base();
  LaneMask together;
  ShadowPage* page = nullptr;
  uint64_t number = ~uint64_t{0};  // of the page
  for_each_lane(mask, [&](unsigned k) {
    together.add(k);
    if (k + 1 < kRow && mask.has(k + 1) && at[k + 1] == at[k]) return;
    const LaneMask readers = std::exchange(together, {});
    const Record record(segment, pc, k, flags);
    const uint64_t offset = at[k] - base;
    if (offset >> ShadowPage::kBits != number) {
      number = offset >> ShadowPage::kBits;
      page = &shadow.page(offset);
    }
    const auto [first, count] = page->cells(offset, bytes);
    for (unsigned c = 0; c < count; ++c)
      if (first[c].plain.segment() > floor || first[c].strong.segment() > floor ||
          !joins_readers(first[c], record, readers, floor))
        read(context, {lanes.thread(k), readers, record, floor, at[k], shared, false}, first[c]);
  });
}

// What context.access says, of all its lanes.
void RaceCheck::access(Context& context, const Lanes& lanes, bool write, uint32_t silent) {
  const AccessStep& step = steps_[context.pc];
  const Access& access = context.access;
  const bool generic = access.space == Space::None;
  if (!write && !generic && lanes.is_row()) return read_row(context, lanes);
  const Pc pc = std::min(context.pc, Record::kMostPc);
  const Segment global_floor = memory_.timeline.floor();
  unsigned row = ~0U;
  Segment segment = 0, shared_floor = 0;
  Shadow* own_shadow = nullptr;
  for_each_lane(lanes.mask, [&](unsigned k) {
    if (generic && in_local_window(access, k)) return;
    const Hw thread = lanes.thread(k);
    if (thread / kRow != row) {
      row = thread / kRow;
      segment = order_.touch(row);
      shared_floor = order_.shared_floor(row);
      own_shadow = &shared_[context.block_of_row[row]].shadow;
    }
    const bool window = generic && in_shared_window(access, k), shared = window || access.space == Space::Shared;
    const uint32_t flags = step.flags | ((silent >> k & 1U) != 0 ? Record::kSilent : 0U);
    const Toucher who{thread,
                      LaneMask::of(thread % kRow),
                      Record(segment, pc, thread % kRow, flags),
                      shared ? shared_floor : global_floor,
                      access.address[k] - (window ? kSharedWindow : 0),
                      shared,
                      write};
    touch(context, shared ? *own_shadow : memory_.global, who, step.bytes);
  });
}

void RaceCheck::each_against(Context& context, const Toucher& who, const Record& other) {
  for_each_lane(who.lanes, [&](unsigned lane) {
    Toucher one = who;
    one.thread = static_cast<Hw>(who.thread - who.record.lane() + lane);
    one.lanes = LaneMask::of(lane);
    one.record = Record(who.record.segment(), who.record.pc(), lane, who.record.flags());
    against(context, one, other, {}, true);
  });
}

void RaceCheck::read(Context& context, const Toucher& who, Cell& cell) {
  if (cell.plain.segment() > who.floor) each_against(context, who, cell.plain);
  if (cell.strong.segment() > who.floor) each_against(context, who, cell.strong);
  if (joins_readers(cell, who.record, who.lanes, who.floor)) return;
  if (cell.others != 0 || cell.read.segment() > who.floor) return add_reader(who, cell);
  cell.read = who.record;
  cell.read_lanes = who.lanes;
}

void RaceCheck::touch(Context& context, Shadow& shadow, const Toucher& who, unsigned bytes) {
  const uint64_t offset = who.shared ? who.address : who.address - context.memory.base();
  const auto [first, count] = shadow.page(offset).cells(offset, bytes);
  for (unsigned k = 0; k < count; ++k)
    if (who.write)
      write(context, who, first[k]);
    else
      read(context, who, first[k]);
}

// What shared memory holds before anybody has written it is nobody's value.
bool RaceCheck::is_first_write(const Toucher& who, const Cell& cell) const {
  return who.shared && std::max(cell.plain.segment(), cell.strong.segment()) <= order_.block_start(who.thread / kRow);
}

void RaceCheck::write(Context& context, Toucher who, Cell& cell) {
  if ((who.record.flags() & Record::kSilent) != 0 && is_first_write(who, cell)) who.record.forget(Record::kSilent);
  const LaneMask nobody;
  if (cell.plain.segment() > who.floor) against(context, who, cell.plain, nobody, true);
  if (cell.strong.segment() > who.floor) against(context, who, cell.strong, nobody, true);
  if (cell.read.segment() > who.floor) against(context, who, cell.read, cell.read_lanes, false);
  if (cell.others != 0) {
    const ReaderList& list = memory_.lists.at(cell.others);
    const bool over = list.crowd && crowd_ordered(who, list);
    for (const Readers& readers : list.readers)
      if (!over && readers.last.segment() > who.floor) against(context, who, readers.last, readers.lanes, false);
    memory_.lists.drop(cell);
  }
  ((who.record.flags() & (Record::kStrong | Record::kAtomic)) != 0 ? cell.strong : cell.plain) = who.record;
  cell.read = {};
  cell.read_lanes = {};
}

bool RaceCheck::ordered_behind(const Toucher& who, const Record& record, LaneMask lanes) const {
  if (record.segment() <= who.floor) return true;
  if (!memory_.timeline.of_this_launch(record.segment())) return memory_.timeline.launch_of(record.segment()).ordered;
  return order_.ordered(who.thread, memory_.timeline.threads(record.segment(), lanes), record.segment());
}

// Who reads after others in some order stands for them; of those in no order all are kept.
void RaceCheck::add_reader(const Toucher& who, Cell& cell) {
  ReaderList* const list = cell.others != 0 ? &memory_.lists.at(cell.others) : nullptr;
  const Segment segment = who.record.segment();
  if (list && list->until > who.floor) {
    if (!list->crowd)
      for (Readers& readers : list->readers)
        if (readers.last.segment() == segment && readers.last.flags() == who.record.flags()) {
          readers.last = who.record;
          readers.lanes |= who.lanes;
          return;
        }
    list->until = std::max(list->until, segment);
    if (list->crowd) {
      if (!who.shared && !list->many_blocks && !same_block(cell.read, who.record)) {
        list->many_blocks = true;
        list->readers.front() = {who.record, who.lanes};
        cell.crowded = only_blocks_ ? 1 : 0;
      }
      return;
    }
  } else {
    memory_.lists.drop(cell);
  }
  if (!ordered_behind(who, cell.read, cell.read_lanes)) return list_reader(who, cell);
  cell.read = who.record;
  cell.read_lanes = who.lanes;
}

void RaceCheck::list_reader(const Toucher& who, Cell& cell) {
  if (cell.others == 0) cell.others = memory_.lists.make();
  ReaderList& list = memory_.lists.at(cell.others);
  const Timeline& timeline = memory_.timeline;
  const bool warps = !timeline.of_this_launch(cell.read.segment()) ||
                     timeline.warp_of(cell.read.segment()) != timeline.warp_of(who.record.segment());
  list.many_blocks = list.many_blocks || !same_block(cell.read, who.record);
  list.until = std::max({list.until, cell.read.segment(), who.record.segment()});
  list.readers.push_back({who.record, who.lanes});
  const size_t most = only_blocks_ && warps ? kMostOfWholeBlocks : list.many_blocks ? kMostOfBlocks : kMostReaders;
  if (list.readers.size() < most) return;
  std::erase_if(list.readers, [&](const Readers& readers) {
    return readers.last.segment() != who.record.segment() && ordered_behind(who, readers.last, readers.lanes);
  });
  if (list.readers.size() < most) return;
  list.crowd = true;
  cell.crowded = only_blocks_ && (who.shared || list.many_blocks) ? 1 : 0;
  list.readers.resize(1);  // with the one in the cell: two of different warps, or blocks, for the report
}

bool RaceCheck::crowd_ordered(const Toucher& who, const ReaderList& list) const {
  if (list.until <= who.floor) return true;
  if (!memory_.timeline.of_this_launch(list.readers.front().last.segment())) return false;
  if (list.many_blocks) return order_.ordered_behind_grid(who.thread, blocks_, list.until);
  return order_.ordered_behind_block(who.thread, block_of(list.readers.front().last), list.until);
}

}  // namespace heddle::check

#include "exec/global_order.h"

#include <algorithm>

#include "exec/resolve.h"

namespace heddle {
namespace {

constexpr size_t kMostDropped = 64;  // entries at the front of a log

// Does everybody look whether what it reads is there? That takes time.
#ifdef HEDDLE_CHECKED
constexpr bool kChecked = true;
#else
constexpr bool kChecked = false;
#endif

bool writes(const Instruction& i) { return i.op != Op::Ld; }

uint64_t hash(const Operand& reg) { return uint64_t{1} << reg.at / 4 % 64; }

bool goes_along(const Kernel& kernel, Pc pc) { return !kernel.costs.empty() && kernel.costs[pc].slots == 0; }

// Is the predicate the result of somebody who goes along?
bool is_made_along(const Kernel& kernel, uint32_t predicate) {
  for (Pc pc = 0; pc < kernel.code.size(); ++pc)
    if (goes_along(kernel, pc) && is_result(kernel.code[pc], Operand{.at = predicate})) return true;
  return false;
}

unsigned access_bytes(const Instruction& i) { return is_mbarrier(i.op) ? 8 : bytes_of(i.type) * i.vector; }

// Of those of the last instruction, the lanes that touched global memory.
LaneMask global_lanes(const Access& access) {
  if (access.space != Space::None || access.by_parts) return access.mask;
  LaneMask global = access.mask;
  for_each_lane(access.mask, [&](unsigned k) {
    const Address at = access.address[k];
    if (at - kSharedWindow < kWindowBytes || at - kLocalWindow < kWindowBytes) global.remove(k);
  });
  return global;
}

}  // namespace

GlobalLog::GlobalLog(Context& context, const ReadOnly& read_only)
    : context_(context), read_only_(read_only), handlers_(context.handlers) {}

bool GlobalLog::orders(Pc pc) const { return reaches_global(context_.kernel.code[pc]); }

// What reads a line that waits to be written is noted as if another had written to it.
void GlobalLog::execute(const Instruction& instruction, const Lanes& lanes) {
  if (open_ && writes(instruction)) return wait(instruction, lanes);
  handlers_[context_.pc](context_, instruction, lanes);
  if (!open_) return;
  const LaneMask global = global_lanes(context_.access);
  if (read_only_.holds(context_, global, access_bytes(instruction))) return;
  note(lanes, global, false);
  if (global.empty() || !reads(entries_[used_ - 1], written_)) return;
  entries_[used_ - 1].waits = true;
  ++waiting_;
}

// Memory of the block and of the thread is nobody else's: what reaches it through a generic address is done at once.
void GlobalLog::wait(const Instruction& instruction, const Lanes& lanes) {
  const bool stores = instruction.op == Op::St;
  std::array<std::byte*, kRow> host;
  if (stores)
    resolve_parts(context_, instruction, lanes, access_bytes(instruction), true, host);
  else
    resolve(context_, instruction, lanes, access_bytes(instruction), true, host);
  const LaneMask global = global_lanes(context_.access);
  read_only_.check(context_, lanes, global, access_bytes(instruction));
  if (const LaneMask own = lanes.mask.without(global); !own.empty()) {
    const Access all = context_.access;
    Lanes now = lanes;
    now.mask = own;
    handlers_[context_.pc](context_, instruction, now);
    context_.access = all;
  }
  note(lanes, global, true);
  if (stores && !global.empty()) keep_stored(entries_[used_ - 1], host);
}

GlobalLog::Entry& GlobalLog::new_entry(const Lanes& lanes, LaneMask who) {
  if (used_ == entries_.size()) entries_.emplace_back();
  Entry& entry = entries_[used_++];
  entry.pc = context_.pc;
  entry.access = true;
  entry.lines = 0;
  entry.kept = nullptr;
  entry.cycle = context_.clock;
  entry.lanes = lanes;
  entry.lanes.mask = who;
  if (!lanes.is_row()) {
    Kept& kept = keep(entry);
    for_each_lane(who, [&](unsigned k) { kept.threads[k] = lanes.threads[k]; });
  }
  const Instruction& instruction = context_.kernel.code[entry.pc];
  for (size_t d = 0; d < instruction.dst_count; ++d) to_come_ |= hash(instruction.dst[d]);
  return entry;
}

GlobalLog::Kept& GlobalLog::keep(Entry& entry) {
  if (entry.kept) return *entry.kept;
  if (free_.empty()) free_.push_back(kept_.emplace_back(std::make_unique<Kept>()).get());
  entry.kept = free_.back();
  free_.pop_back();
  entry.kept->operands.clear();
  entry.kept->later.clear();
  return *entry.kept;
}

void GlobalLog::note(const Lanes& lanes, LaneMask who, bool waits) {
  if (who.empty()) return;
  Entry& entry = new_entry(lanes, who);
  entry.waits = waits;
  entry.by_parts = context_.access.by_parts;
  if (entry.by_parts)
    entry.parts = context_.access.parts;
  else
    keep(entry).address = context_.access.address;
  if (context_.kernel.code[entry.pc].dst_count > 0) results_.push_back(entry.cycle);
  if (!waits) return note_lines(entry);
  ++waiting_;
  add_lines(entry, written_);
  if (context_.kernel.code[entry.pc].op != Op::St) keep_operands(entry);
}

// Others wait for what they read until it is there.
void GlobalLog::execute_checked(const Instruction& instruction, const Lanes& lanes) {
  uint64_t last = 0;
  const auto is_there = [&](const Operand& operand) { return still_to_come(operand, lanes, last).empty(); };
  if (open_ && !empty())
    require(std::all_of(instruction.src.begin(), instruction.src.begin() + instruction.src_count, is_there) &&
                std::all_of(instruction.dst.begin(), instruction.dst.begin() + instruction.dst_count, is_there),
            "a result is used before its turn in the order of global memory");
  handlers_[context_.pc](context_, instruction, lanes);
}

// What it has made of results that are still to come is made again when they are there: at once, since whoever reads it
// waits for them alone.
void GlobalLog::execute_along(const Instruction& instruction, const Lanes& lanes) {
  handlers_[context_.pc](context_, instruction, lanes);
  if (!open_ || empty()) return;
  LaneMask any;
  uint64_t last = 0;
  later_.clear();
  for (size_t s = 0; s < instruction.src_count; ++s) {
    later_.push_back(still_to_come(instruction.src[s], lanes, last));
    any |= later_.back();
  }
  for (size_t d = 0; d < instruction.dst_count; ++d)
    any |= still_to_come(instruction.dst[d], lanes, last);  // over such a one
  if (any.empty()) return;
  Entry& entry = new_entry(lanes, lanes.mask);
  entry.waits = true;
  entry.access = false;
  keep(entry).later = later_;
  ++waiting_;
  keep_operands(entry);
  put_behind(last);
}

// The newest entry, behind those of that cycle.
void GlobalLog::put_behind(uint64_t cycle) {
  const auto begin = entries_.begin(), newest = begin + static_cast<std::ptrdiff_t>(used_ - 1);
  newest->cycle = cycle;
  const auto place = std::upper_bound(begin + static_cast<std::ptrdiff_t>(first_), newest, cycle,
                                      [](uint64_t at, const Entry& entry) { return at < entry.cycle; });
  std::rotate(place, newest, newest + 1);
}

// The lanes whose operand is the result of an entry; and the cycle of the last of them, if it is later.
LaneMask GlobalLog::still_to_come(const Operand& operand, const Lanes& lanes, uint64_t& last) const {
  LaneMask found;
  if (operand.constant() || (to_come_ & hash(operand)) == 0) return found;
  for (size_t i = first_; i < used_; ++i) {
    const Entry& entry = entries_[i];
    if (lanes.is_row() && entry.lanes.is_row() && lanes.first != entry.lanes.first) continue;
    if (!is_result(context_.kernel.code[entry.pc], operand)) continue;
    const Lanes others = lanes_of(entry);
    if (lanes.is_row() && others.is_row()) {
      if ((lanes.mask & others.mask).empty()) continue;
      found |= lanes.mask & others.mask;
      last = std::max(last, entry.cycle);
      continue;
    }
    for_each_lane(lanes.mask, [&](unsigned k) {
      for_each_lane(others.mask, [&](unsigned l) {
        if (lanes.thread(k) != others.thread(l)) return;
        found.add(k);
        last = std::max(last, entry.cycle);
      });
    });
  }
  return found;
}

void GlobalLog::drop_oldest() {
  const Entry& oldest = entries_[first_];
  waiting_ -= oldest.waits;
  if (waiting_ == 0) written_.clear();
  if (oldest.access && context_.kernel.code[oldest.pc].dst_count > 0) results_.pop_front();
  lines_dropped_ += oldest.lines;
  if (oldest.kept) free_.push_back(oldest.kept);
  if (++first_ == used_) {
    first_ = used_ = 0;
    to_come_ = 0;
    lines_read_.clear();
    lines_dropped_ = 0;
  } else if (first_ == kMostDropped) {
    std::rotate(entries_.begin(), entries_.begin() + kMostDropped,
                entries_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ -= first_;
    first_ = 0;
    lines_read_.erase(lines_read_.begin(), lines_read_.begin() + static_cast<std::ptrdiff_t>(lines_dropped_));
    lines_dropped_ = 0;
  }
}

void GlobalLog::forget(uint64_t before) {
  while (!empty() && cycle() < before) drop_oldest();
}

Lanes GlobalLog::lanes_of(const Entry& entry) {
  Lanes lanes = entry.lanes;
  if (!lanes.is_row()) lanes.threads = entry.kept->threads.data();
  return lanes;
}

// Textures and copies touch more than a handler's one access; printf, malloc and free what all cores share.
bool can_keep_order(const Kernel& kernel) {
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    const Instruction& i = kernel.code[pc];
    if (i.op == Op::Tex || i.op == Op::Gather || i.op == Op::CpAsync || i.op == Op::CpBulk) return false;
    if (i.op == Op::Builtin && kernel.calls[i.table].builtin != CallSite::Builtin::AssertFail) return false;
    const auto is_wide = [](const Operand& each) { return each.bytes > 8; };
    if (reaches_global(i) && (std::ranges::any_of(i.src, is_wide) || std::ranges::any_of(i.dst, is_wide))) return false;
    // Who goes along does not wait for what it reads, nor for its guard.
    if (goes_along(kernel, pc) && (reaches_global(i) || (i.guarded() && is_made_along(kernel, i.guard)))) return false;
  }
  return true;
}

void keep_order(Context& context, const ReadOnly& read_only) {
  context.log = std::make_unique<GlobalLog>(context, read_only);
  for (Pc pc = 0; pc < context.kernel.code.size(); ++pc)
    if (reaches_global(context.kernel.code[pc]))
      context.handlers[pc] = [](Context& own, const Instruction& instruction, const Lanes& lanes) {
        own.log->execute(instruction, lanes);
      };
    else if (goes_along(context.kernel, pc) && context.kernel.code[pc].src_count > 0)
      context.handlers[pc] = [](Context& own, const Instruction& instruction, const Lanes& lanes) {
        own.log->execute_along(instruction, lanes);
      };
    else if (kChecked)
      context.handlers[pc] = [](Context& own, const Instruction& instruction, const Lanes& lanes) {
        own.log->execute_checked(instruction, lanes);
      };
}

}  // namespace heddle

// What cores have done to global memory, in its order.
#include <algorithm>
#include <utility>

#include "exec/global_order.h"

namespace heddle {

void GlobalLog::seal() {
  size_t oldest = waiting_ > 0 ? first_ : used_;
  while (oldest < used_ && !entries_[oldest].waits) ++oldest;
  oldest_waiting_ = oldest < used_ ? entries_[oldest].cycle : kNoResult;
}

// The lines of an access, until f says yes of one: neighbours mostly share theirs.
template <class F>
bool GlobalLog::any_line(const Entry& entry, F&& f) {
  LineFilter::Line before = ~LineFilter::line_of(entry.address(entry.lanes.mask.lowest()));
  const auto is_next = [&](LineFilter::Line line) { return line != std::exchange(before, line) && f(line); };
  if (entry.by_parts) {
    const bool one_run = entry.parts.one_run();
    for (unsigned lanes = one_run ? kRow : Access::Parts::kLanes, k = 0; k < kRow; k += lanes) {
      const LineFilter::Line end = LineFilter::line_of(entry.parts.lane(k + lanes - 1)) + 1;
      for (LineFilter::Line line = LineFilter::line_of(entry.parts.lane(k)); line != end; ++line)
        if (is_next(line)) return true;
    }
    return false;
  }
  for (LaneMask rest = entry.lanes.mask; !rest.empty(); rest.remove(rest.lowest()))
    if (is_next(LineFilter::line_of(entry.kept->address[rest.lowest()]))) return true;
  return false;
}

void GlobalLog::note_lines(Entry& entry) {
  const size_t before = lines_read_.size();
  any_line(entry, [&](LineFilter::Line line) {
    lines_read_.push_back(line);
    return false;
  });
  entry.lines = static_cast<uint32_t>(lines_read_.size() - before);
}

void GlobalLog::add_lines(const Entry& entry, LineFilter& lines) {
  any_line(entry, [&](LineFilter::Line line) {
    lines.add(line);
    return false;
  });
}

// Also of entries that wait by now: it may say so of what is read again anyway.
bool GlobalLog::has_read(const LineFilter& lines) const {
  return std::any_of(lines_read_.begin() + static_cast<std::ptrdiff_t>(lines_dropped_), lines_read_.end(),
                     [&](LineFilter::Line line) { return lines.has(line); });
}

bool GlobalLog::reads(const Entry& entry, const LineFilter& lines) {
  if (lines.empty() || !entry.access) return false;
  return any_line(entry, [&](LineFilter::Line line) { return lines.has(line); });
}

void GlobalLog::add_written(uint64_t before, LineFilter& written) const {
  for (size_t i = first_; i < used_ && entries_[i].cycle < before; ++i)
    if (const Entry& entry = entries_[i]; entry.waits && entry.access && context_.kernel.code[entry.pc].op != Op::Ld)
      add_lines(entry, written);
}

// What is written later counts, too: to read again in its turn does no harm.
void GlobalLog::commit_cycle(const LineFilter& written) {
  for (const uint64_t now = cycle(); !empty() && cycle() == now; drop_oldest()) {
    const Entry& entry = entries_[first_];
    if (!entry.waits && !reads(entry, written)) continue;
    if (entry.access && context_.kernel.code[entry.pc].op == Op::St)
      store(entry);
    else
      execute_again(entry);
  }
}

void GlobalLog::heed(const LineFilter& written) {
  for (size_t i = first_; i < used_; ++i) {
    Entry& entry = entries_[i];
    if (entry.waits || !reads(entry, written)) continue;
    entry.waits = true;
    ++waiting_;
  }
}

// The lines that are written, and the logs that have to do with them.
void GlobalCommit::find_written(std::span<GlobalLog* const> logs, uint64_t before) {
  for (const GlobalLog* const log : logs)
    if (log->waits(before)) log->add_written(before, written_);
  for (size_t core = 0; core < logs.size(); ++core)
    if (GlobalLog* const log = logs[core]; log->waits(before) || log->has_read(written_)) {
      changed_.push_back(core);
      if (!log->empty() && log->cycle() < before) due_.push_back({log->cycle(), core, log});
    }
}

std::span<const size_t> GlobalCommit::operator()(std::span<GlobalLog* const> logs, uint64_t before) {
  changed_.clear();
  if (std::ranges::none_of(logs, [&](const GlobalLog* log) { return log->waits(before); })) return changed_;
  find_written(logs, before);
  std::make_heap(due_.begin(), due_.end());
  while (!due_.empty()) {
    std::pop_heap(due_.begin(), due_.end());
    Due& first = due_.back();
    first.log->commit_cycle(written_);
    if (first.log->empty() || first.log->cycle() >= before) {
      due_.pop_back();
    } else {
      first.cycle = first.log->cycle();
      std::push_heap(due_.begin(), due_.end());
    }
  }
  for (const size_t core : changed_) {
    if (!written_.empty()) logs[core]->heed(written_);
    logs[core]->seal();
  }
  written_.clear();
  return changed_;
}

}  // namespace heddle

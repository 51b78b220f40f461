// What cores have done to global memory, in its order.
#include <algorithm>
#include <cstring>

#include "exec/global_order.h"

namespace heddle {

void GlobalLog::seal() {
  size_t oldest = waiting_ > 0 ? first_ : used_;
  while (oldest < used_ && !entries_[oldest].waits) ++oldest;
  oldest_waiting_ = oldest < used_ ? entries_[oldest].cycle : kNoResult;
}

// Often all lanes read one line; else neighbours mostly do.
void GlobalLog::note_lines(Entry& entry) {
  std::array<LineFilter::Line, kRow> lines;
  lines[0] = LineFilter::line_of(entry.address[entry.lanes.mask.lowest()]);
  size_t last = 0;
  if (!entry.lanes.mask.full() || !LineFilter::in_one_line(entry.address))
    for_each_lane(entry.lanes.mask, [&](unsigned k) {
      const LineFilter::Line line = LineFilter::line_of(entry.address[k]);
      last += line != lines[last];
      lines[last] = line;
    });
  entry.lines = static_cast<uint32_t>(last + 1);
  lines_read_.insert(lines_read_.end(), lines.begin(), lines.begin() + entry.lines);
}

// Also of entries that wait by now: it may say so of what is read again anyway.
bool GlobalLog::has_read(const LineFilter& lines) const {
  return std::any_of(lines_read_.begin() + static_cast<std::ptrdiff_t>(lines_dropped_), lines_read_.end(),
                     [&](LineFilter::Line line) { return lines.has(line); });
}

bool GlobalLog::reads(const Entry& entry, const LineFilter& lines) {
  bool any = false;
  if (!lines.empty() && entry.access)
    for_each_lane(entry.lanes.mask, [&](unsigned k) { any = any || lines.has(LineFilter::line_of(entry.address[k])); });
  return any;
}

void GlobalLog::add_written(uint64_t before, LineFilter& written) const {
  for (size_t i = first_; i < used_ && entries_[i].cycle < before; ++i)
    if (const Entry& entry = entries_[i]; entry.waits && entry.access && context_.kernel.code[entry.pc].op != Op::Ld)
      for_each_lane(entry.lanes.mask, [&](unsigned k) { written.add(LineFilter::line_of(entry.address[k])); });
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

void GlobalLog::store(const Entry& entry) const {
  const Instruction& instruction = context_.kernel.code[entry.pc];
  const unsigned bytes = bytes_of(instruction.type);
  size_t next = 0;
  for_each_lane(entry.lanes.mask, [&](unsigned k) {
    for (unsigned element = 0; element < instruction.vector; ++element)
      std::memcpy(entry.host[k] + element * bytes, &entry.operands[next++], bytes);
  });
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

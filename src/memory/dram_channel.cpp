#include "memory/dram_channel.h"

#include <algorithm>
#include <optional>

namespace heddle {

DramChannel::DramChannel(const MemoryParameters& parameters)
    : bytes_per_cycle_(parameters.dram_bytes_per_cycle),
      tcl_(parameters.tcl),
      trp_(parameters.trp),
      trc_(parameters.trc),
      tras_(parameters.tras),
      trcd_(parameters.trcd),
      trrd_(parameters.trrd),
      tccd_(parameters.tccd),
      twl_(parameters.twl),
      twtr_(parameters.twtr),
      return_queue_(parameters.l2_queue),
      first_ready_(parameters.first_ready),
      wishes_{Wishes(parameters.dram_banks), Wishes(parameters.dram_banks), Wishes(parameters.dram_banks),
              Wishes(parameters.dram_banks)},
      age_(parameters.dram_banks),
      banks_(parameters.dram_banks),
      requests_(parameters.dram_queue),
      // One read can be under way per cycle of tCL and its own transfer.
      returns_(size_t{parameters.l2_queue} + parameters.tcl + 2) {
  require(parameters.dram_banks <= kMostBanks, "a channel has more banks than numbers for them");
  for (size_t i = requests_.size(); i-- > 0;) free_.push_back(static_cast<uint16_t>(i));
}

void DramChannel::push(const DramAccess& access, DramCycle edge) {
  require(!free_.empty(), "the queue of a DRAM channel overflows");
  const uint16_t request = free_.back();
  free_.pop_back();
  const uint32_t burst = (access.bytes + bytes_per_cycle_ - 1) / bytes_per_cycle_;
  requests_[request] = {access, burst, kNone, arrivals_++};
  ++queued_;
  Bank& bank = banks_[access.bank];
  const bool in_turn = first_ready_ || (bank.open_row.first == kNone && bank.others.first == kNone);
  const bool hit = bank.open && bank.row == access.row && in_turn;
  List& list = hit ? bank.open_row : bank.others;
  const bool heads = list.first == kNone && (hit || bank.open_row.first == kNone);
  append(list, request);
  if (!heads) return;  // the bank's wish stays what it was
  set_wish(access.bank);
  next_ = std::min(next_, earliest(edge));
}

bool DramChannel::tick(DramCycle now) {
  const bool column = give_column(now);
  if (!column && !give_activate(now)) give_precharge(now);
  next_ = earliest(now + 1);
  return column;
}

void DramChannel::take_finished(DramCycle edge) {
  const bool was_full = returns_.size() >= return_queue_;
  returns_.pop();
  if (was_full) next_ = std::min(next_, earliest(edge));
}

bool DramChannel::give_column(DramCycle now) {
  if (now < bus_column_ || now < wishes_[kColumn].first) return false;
  const unsigned chosen = oldest_column(now);
  if (chosen == kMostBanks) return false;
  Bank& bank = banks_[chosen];
  const uint16_t request = remove_first(bank.open_row);
  const Waiting& waiting = requests_[request];
  const DramAccess& access = waiting.access;
  hold_bus(waiting, now);
  ++(access.write ? stats_.writes : stats_.reads);
  ++(stats_.*bank.found);
  bank.found = &DramStats::row_hits;
  stats_.bytes += access.bytes;
  stats_.busy_cycles += waiting.burst;
  if (!access.write) returns_.push({access.tag, now + tcl_ + waiting.burst});
  if (commands_)
    commands_->push_back({DramCommand::Kind::Column, access.bank, access.row, now, access.bytes, access.write});
  free_.push_back(request);
  --queued_;
  if (!first_ready_) promote(bank);
  set_wish(chosen);
  return true;
}

// Reads and writes hold the bus at different times behind their commands, so that it must be turned between them.
void DramChannel::hold_bus(const Waiting& waiting, DramCycle now) {
  const unsigned held = std::max(waiting.burst, tccd_);
  bus_column_ = now + held;
  if (waiting.access.write)
    read_from_ = now + (held - tccd_ + twtr_);
  else if (twl_ > 0)
    write_from_ = now + (waiting.burst + tcl_ + kTurn - twl_);
}

bool DramChannel::give_activate(DramCycle now) {
  if (now < next_activate_ || now < wishes_[kActivate].first) return false;
  const unsigned chosen = oldest(kActivate, now);
  Bank& bank = banks_[chosen];
  bank.open = true;
  bank.row = requests_[bank.others.first].access.row;
  bank.column = now + trcd_;
  bank.write_column = twl_ > 0 ? now + (trcd_ - twl_ - 1) : bank.column;
  bank.precharge = now + tras_;
  bank.activate = now + trc_;
  next_activate_ = now + trrd_;
  ++stats_.activates;
  bank.found = bank.closed_for_another ? &DramStats::row_conflicts : &DramStats::row_misses;
  if (commands_) commands_->push_back({DramCommand::Kind::Activate, chosen, bank.row, now, 0, false});
  promote(bank);
  set_wish(chosen);
  return true;
}

bool DramChannel::give_precharge(DramCycle now) {
  if (now < wishes_[kPrecharge].first) return false;
  const unsigned chosen = oldest(kPrecharge, now);
  Bank& bank = banks_[chosen];
  bank.open = false;
  bank.closed_for_another = true;
  bank.activate = std::max(bank.activate, now + trp_);
  ++stats_.precharges;
  if (commands_) commands_->push_back({DramCommand::Kind::Precharge, chosen, bank.row, now, 0, false});
  set_wish(chosen);
  return true;
}

// The bank that has wished for it longest, of those that may be given it. There must be one.
unsigned DramChannel::oldest(Wish wish, DramCycle now) const {
  return static_cast<unsigned>(wishes_[wish].ready.least_where_due(age_, now) % kMostBanks);
}

// kMostBanks: none may be given.
unsigned DramChannel::oldest_column(DramCycle now) const {
  const bool reads = now >= read_from_ && !returns_full(now), writes = now >= write_from_;
  if (reads && writes) return oldest(kColumn, now);
  std::optional<uint64_t> oldest;
  for (size_t bank = 0; bank < banks_.size(); ++bank)
    if (wishes_[kColumn].ready[bank] <= now && (wants_write(bank) ? writes : reads))
      oldest = std::min(oldest.value_or(age_[bank]), age_[bank]);
  return oldest ? static_cast<unsigned>(*oldest % kMostBanks) : kMostBanks;
}

bool DramChannel::returns_full(DramCycle now) const {
  return returns_.size() >= return_queue_ && returns_[return_queue_ - 1].cycle <= now;
}

// Moves what the open row serves to the front: all of it, or the oldest request only.
void DramChannel::promote(Bank& bank) {
  uint16_t request = bank.others.first;
  if (!first_ready_) {
    if (request != kNone && requests_[request].access.row == bank.row) append(bank.open_row, remove_first(bank.others));
    return;
  }
  bank.others = {};
  while (request != kNone) {
    const uint16_t next = requests_[request].next;
    append(requests_[request].access.row == bank.row ? bank.open_row : bank.others, request);
    request = next;
  }
}

void DramChannel::set_wish(unsigned number) {
  Bank& bank = banks_[number];
  const bool column = bank.open_row.first != kNone;
  const uint16_t request = column ? bank.open_row.first : bank.others.first;
  const Wish wish = request == kNone ? kNothing : column ? kColumn : bank.open ? kPrecharge : kActivate;
  if (wish != kNothing) age_.set(number, requests_[request].age * kMostBanks + number);
  if (wish == bank.wish && !column) return;  // its time is the same: only commands change it, and with it the wish
  const DramCycle time = column      ? requests_[request].access.write ? bank.write_column : bank.column
                         : bank.open ? bank.precharge
                                     : bank.activate;
  if (wish == bank.wish && wishes_[wish].ready[number] == time) return;
  if (bank.wish != kNothing) wishes_[bank.wish].remove(number);
  if (wish != kNothing) wishes_[wish].add(number, time);
  bank.wish = wish;
}

// A cycle, not before `from`, before which no command can be given.
DramCycle DramChannel::earliest(DramCycle from) const {
  const DramCycle activate = std::max(wishes_[kActivate].first, next_activate_);
  return std::max(from, std::min({first_column(from), activate, wishes_[kPrecharge].first}));
}

DramCycle DramChannel::first_column(DramCycle from) const {
  const DramCycle first = std::max(wishes_[kColumn].first, bus_column_);
  const bool full = returns_full(from);
  if (!full && std::max(read_from_, write_from_) <= std::max(first, from)) return first;
  DramCycle of_reads = kNever, of_writes = kNever;
  for (size_t bank = 0; bank < banks_.size(); ++bank) {
    if (banks_[bank].wish != kColumn) continue;
    DramCycle& own = wants_write(bank) ? of_writes : of_reads;
    own = std::min(own, wishes_[kColumn].ready[bank]);
  }
  if (full) of_reads = kNever;
  return std::max(bus_column_, std::min(std::max(of_reads, read_from_), std::max(of_writes, write_from_)));
}

void DramChannel::append(List& list, uint16_t request) {
  requests_[request].next = kNone;
  if (list.first == kNone)
    list.first = request;
  else
    requests_[list.last].next = request;
  list.last = request;
}

uint16_t DramChannel::remove_first(List& list) {
  const uint16_t request = list.first;
  list.first = requests_[request].next;
  return request;
}

}  // namespace heddle

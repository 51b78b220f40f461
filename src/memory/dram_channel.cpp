#include "memory/dram_channel.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace heddle {
namespace {

constexpr uint64_t kNobody = std::numeric_limits<uint64_t>::max();  // behind all requests

}  // namespace

DramChannel::DramChannel(const MemoryParameters& parameters, unsigned number)
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
      trefi_(parameters.trefi),
      trfc_(parameters.trfc),
      return_queue_(parameters.l2_queue),
      refresh_ahead_(parameters.refresh_in_turn ? uint64_t{number} * parameters.trefi / parameters.channels : 0),
      first_ready_(parameters.first_ready),
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

[[gnu::flatten]] bool DramChannel::tick(DramCycle now) {
  if (trefi_ > 0 && behind_refresh(now) > now) {
    next_ = earliest(now);
    return false;
  }
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
  if (now < bus_column_) return false;
  const bool reads = is_due(kRead, now) && now >= read_from_ && !returns_full(now);
  const bool writes = is_due(kWrite, now) && now >= write_from_;
  if (!reads && !writes) return false;
  const uint64_t age = std::min(reads ? oldest(kRead, now) : kNobody, writes ? oldest(kWrite, now) : kNobody);
  const auto chosen = static_cast<unsigned>(age % kMostBanks);
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
  if (now < next_activate_ || !is_due(kActivate, now)) return false;
  const auto chosen = static_cast<unsigned>(oldest(kActivate, now) % kMostBanks);
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
  if (!is_due(kPrecharge, now)) return false;
  const auto chosen = static_cast<unsigned>(oldest(kPrecharge, now) % kMostBanks);
  Bank& bank = banks_[chosen];
  bank.open = false;
  bank.closed_for_another = true;
  bank.activate = std::max(bank.activate, now + trp_);
  ++stats_.precharges;
  if (commands_) commands_->push_back({DramCommand::Kind::Precharge, chosen, bank.row, now, 0, false});
  set_wish(chosen);
  return true;
}

// The age of the oldest request for which it may be given, with its bank. There must be one.
uint64_t DramChannel::oldest(Wish wish, DramCycle now) const {
  uint64_t oldest = kNobody;
  for (uint64_t left = wishes_[wish].banks; left != 0; left &= left - 1)
    if (const Bank& bank = banks_[static_cast<size_t>(std::countr_zero(left))]; bank.ready <= now)
      oldest = std::min(oldest, bank.age);
  return oldest;
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
  const bool write = column && requests_[request].access.write;
  const Wish wish = request == kNone ? kNothing
                    : column         ? (write ? kWrite : kRead)
                    : bank.open      ? kPrecharge
                                     : kActivate;
  if (wish != kNothing) bank.age = requests_[request].age * kMostBanks + number;
  if (wish == bank.wish && !column) return;  // its time is the same: only commands change it, and with it the wish
  const DramCycle time = column ? write ? bank.write_column : bank.column : bank.open ? bank.precharge : bank.activate;
  if (wish == bank.wish && bank.ready == time) return;
  if (bank.wish != kNothing) remove_wish(number, bank);
  if (wish != kNothing) add_wish(number, bank, wish, time);
  bank.wish = wish;
}

void DramChannel::add_wish(unsigned number, Bank& bank, Wish wish, DramCycle ready) {
  Wishes& wishes = wishes_[wish];
  wishes.banks |= uint64_t{1} << number;
  wishes.first = std::min(wishes.first, ready);
  bank.ready = ready;
}

void DramChannel::remove_wish(unsigned number, Bank& bank) {
  Wishes& wishes = wishes_[bank.wish];
  wishes.banks &= ~(uint64_t{1} << number);
  if (bank.ready > wishes.first) return;
  wishes.first = kNever;
  for (uint64_t left = wishes.banks; left != 0; left &= left - 1)
    wishes.first = std::min(wishes.first, banks_[static_cast<size_t>(std::countr_zero(left))].ready);
}

// A cycle, not before `from`, before which no command can be given.
DramCycle DramChannel::earliest(DramCycle from) const {
  const DramCycle activate = std::max(wishes_[kActivate].first, next_activate_);
  const DramCycle first = std::max(from, std::min({first_column(from), activate, wishes_[kPrecharge].first}));
  return trefi_ > 0 && first != kNever ? behind_refresh(first) : first;
}

// The first cycle, not before this one, that lies in no refresh. The first refresh comes after one interval.
DramCycle DramChannel::behind_refresh(DramCycle cycle) const {
  const uint64_t count = cycle.count() + refresh_ahead_, since = count % trefi_;
  return count < trefi_ || since >= trfc_ ? cycle : cycle + (trfc_ - since);
}

DramCycle DramChannel::first_column(DramCycle from) const {
  const DramCycle read = returns_full(from) ? DramCycle(kNever) : std::max(wishes_[kRead].first, read_from_);
  return std::max(bus_column_, std::min(read, std::max(wishes_[kWrite].first, write_from_)));
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

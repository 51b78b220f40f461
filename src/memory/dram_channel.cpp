#include "memory/dram_channel.h"

#include <algorithm>
#include <bit>

namespace heddle {
namespace {

// Calls for the banks of a mask in order of their numbers.
template <class Call>
void for_each_bank(uint64_t banks, Call&& call) {
  for (; banks != 0; banks &= banks - 1) call(static_cast<unsigned>(std::countr_zero(banks)));
}

}  // namespace

DramChannel::DramChannel(const MemoryParameters& parameters)
    : bytes_per_cycle_(parameters.dram_bytes_per_cycle),
      tcl_(parameters.tcl),
      trp_(parameters.trp),
      trc_(parameters.trc),
      tras_(parameters.tras),
      trcd_(parameters.trcd),
      trrd_(parameters.trrd),
      return_queue_(parameters.l2_queue),
      first_ready_(parameters.first_ready),
      ready_(parameters.dram_banks),
      age_(parameters.dram_banks),
      banks_(parameters.dram_banks),
      requests_(parameters.dram_queue),
      // One read can be under way per cycle of tCL and its own transfer.
      returns_(size_t{parameters.l2_queue} + parameters.tcl + 2) {
  require(parameters.dram_banks <= 64, "banks are bits of a word");
  for (size_t i = requests_.size(); i-- > 0;) free_.push_back(static_cast<uint16_t>(i));
}

void DramChannel::push(const DramAccess& access, Cycle edge) {
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

bool DramChannel::tick(Cycle now) {
  const bool column = give_column(now);
  if (!column && !give_activate(now)) give_precharge(now);
  next_ = earliest(now + 1);
  return column;
}

void DramChannel::take_finished(Cycle edge) {
  const bool was_full = returns_.size() >= return_queue_;
  returns_.pop();
  if (was_full) next_ = std::min(next_, earliest(edge));
}

bool DramChannel::give_column(Cycle now) {
  if (now < bus_column_ || wishes_.column == 0) return false;
  const int chosen = oldest_ready(returns_full(now) ? readless(wishes_.column) : wishes_.column, now);
  if (chosen < 0) return false;
  Bank& bank = banks_[chosen];
  const uint16_t request = remove_first(bank.open_row);
  const Waiting& waiting = requests_[request];
  const DramAccess& access = waiting.access;
  bus_column_ = now + waiting.burst;
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
  set_wish(static_cast<unsigned>(chosen));
  return true;
}

bool DramChannel::give_activate(Cycle now) {
  if (now < next_activate_ || wishes_.activate == 0) return false;
  const int chosen = oldest_ready(wishes_.activate, now);
  if (chosen < 0) return false;
  Bank& bank = banks_[chosen];
  bank.open = true;
  bank.row = requests_[bank.others.first].access.row;
  bank.column = now + trcd_;
  bank.precharge = now + tras_;
  bank.activate = now + trc_;
  next_activate_ = now + trrd_;
  ++stats_.activates;
  bank.found = bank.closed_for_another ? &DramStats::row_conflicts : &DramStats::row_misses;
  if (commands_)
    commands_->push_back({DramCommand::Kind::Activate, static_cast<unsigned>(chosen), bank.row, now, 0, false});
  promote(bank);
  set_wish(static_cast<unsigned>(chosen));
  return true;
}

bool DramChannel::give_precharge(Cycle now) {
  const int chosen = oldest_ready(wishes_.precharge, now);
  if (chosen < 0) return false;
  Bank& bank = banks_[chosen];
  bank.open = false;
  bank.closed_for_another = true;
  bank.activate = std::max(bank.activate, now + trp_);
  ++stats_.precharges;
  if (commands_)
    commands_->push_back({DramCommand::Kind::Precharge, static_cast<unsigned>(chosen), bank.row, now, 0, false});
  set_wish(static_cast<unsigned>(chosen));
  return true;
}

int DramChannel::oldest_ready(uint64_t banks, Cycle now) const {
  int oldest = -1;
  uint64_t age = ~uint64_t{0};
  for_each_bank(banks, [&](unsigned bank) {
    if (ready_[bank] > now || age_[bank] >= age) return;
    age = age_[bank];
    oldest = static_cast<int>(bank);
  });
  return oldest;
}

bool DramChannel::returns_full(Cycle now) const {
  return returns_.size() >= return_queue_ && returns_[return_queue_ - 1].cycle <= now;
}

uint64_t DramChannel::readless(uint64_t banks) const {
  uint64_t writes = 0;
  for_each_bank(banks, [&](unsigned bank) {
    if (requests_[banks_[bank].open_row.first].access.write) writes |= uint64_t{1} << bank;
  });
  return writes;
}

// Moves what the open row serves to the front: all of it, or the oldest request only.
void DramChannel::promote(Bank& bank) {
  uint16_t request = bank.others.first;
  if (!first_ready_) {
    if (request != kNone && requests_[request].access.row == bank.row)
      append(bank.open_row, remove_first(bank.others));
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
  const Bank& bank = banks_[number];
  const uint64_t bit = uint64_t{1} << number;
  wishes_.column &= ~bit;
  wishes_.activate &= ~bit;
  wishes_.precharge &= ~bit;
  if (bank.open_row.first != kNone) {
    wishes_.column |= bit;
    ready_[number] = bank.column;
    age_[number] = requests_[bank.open_row.first].age;
  } else if (bank.others.first != kNone) {
    (bank.open ? wishes_.precharge : wishes_.activate) |= bit;
    ready_[number] = bank.open ? bank.precharge : bank.activate;
    age_[number] = requests_[bank.others.first].age;
  }
}

// The first cycle, not before `from`, at which some command can be given.
Cycle DramChannel::earliest(Cycle from) const {
  const auto first = [&](uint64_t banks) {
    Cycle cycle = kNever;
    for_each_bank(banks, [&](unsigned bank) { cycle = std::min(cycle, ready_[bank]); });
    return cycle;
  };
  const uint64_t columns = wishes_.column == 0 || !returns_full(from) ? wishes_.column : readless(wishes_.column);
  Cycle cycle = first(wishes_.precharge);
  if (columns != 0) cycle = std::min(cycle, std::max(first(columns), bus_column_));
  if (wishes_.activate != 0) cycle = std::min(cycle, std::max(first(wishes_.activate), next_activate_));
  return std::max(cycle, from);
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

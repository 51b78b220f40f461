// The DRAM of one channel, command by command: banks, each with at most one open row, and one data bus.
//
// At most one command (activate, precharge, column) is given per memory cycle. A column command needs its row open for
// tRCD, and the bus free when its data come, tCL later; the data hold the bus for ceil(bytes / bytes_per_cycle) cycles.
// An activate needs its bank closed for tRP, tRC since the bank's last activate and tRRD since the last of any bank;
// a precharge needs the row open for tRAS. Rows stay open until another one is wanted.
//
// Of the commands that may be given, column commands go first, then activates, then precharges; within a kind the one
// for the oldest request. The policies differ in what a bank works for:
//   FR-FCFS  requests for the open row, in order of arrival; while there are any the row stays open
//   FCFS     its oldest request only
//
// A request counts as a row hit unless an activate was given for it: then as a conflict if a row had to be closed for
// it first, else as a miss. Its place in the queue is free from its column command on. A read is finished with the last
// of its data and then waits in the return queue; while that is full (what is on its way still lands) no column command
// of a read is given.
//
// With dram_twl, reads and writes differ. The data of a write come tWL behind its column command, which may be given
// tRCD - tWL - 1 behind the activate. Between the last data of a read and the first of a write lie two cycles; a read's
// column command comes tWTR behind a write's (the last, where a line takes several, tCCD apart). Those that may be
// given go meanwhile, so that a write waits for a pause of the reads. Without dram_twl a write has the timing of a
// read.
//
// With dram_trefi, every so many cycles a refresh keeps all commands back for tRFC; rows stay open over it. Channels
// are refreshed together, or (dram_refresh) one behind the other.
//
// Not modelled: write recovery, the time from a read's column command to precharge beyond tRAS.
//
// Life cycle: push() where there is room, tick() at an edge, not later than next(); take_finished() of the reads in
// order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memory/clock.h"
#include "memory/memory_parameters.h"
#include "memory/ring.h"
#include "stats/memory_stats.h"

namespace heddle {

struct DramAccess {
  uint64_t row;
  uint32_t tag;  // of a read: comes back with it
  uint16_t bank;
  uint16_t bytes;
  bool write;
};

// What was given when: for tests.
struct DramCommand {
  enum class Kind : uint8_t { Activate, Precharge, Column };
  Kind kind;
  unsigned bank;
  uint64_t row;
  DramCycle cycle;
  unsigned bytes;  // Column
  bool write;      // Column
};

class DramChannel {
 public:
  struct Finished {
    uint32_t tag;
    DramCycle cycle;
  };

  explicit DramChannel(const MemoryParameters& parameters, unsigned number = 0);

  size_t room() const { return requests_.size() - queued_; }
  void push(const DramAccess& access,
            DramCycle edge);  // `edge`: the first cycle at which a command can be given for it

  bool tick(DramCycle now);  // true: a column command was given
  DramCycle next() const { return next_; }

  const Ring<Finished>& returns() const { return returns_; }  // those on their way included
  void take_finished(DramCycle edge);                         // the oldest; `edge`: when the channel can know

  bool empty() const { return queued_ == 0 && returns_.empty(); }
  size_t queued() const { return queued_; }
  const DramStats& stats() const { return stats_; }
  void record(std::vector<DramCommand>* commands) { commands_ = commands; }

 private:
  static constexpr uint16_t kNone = 0xFFFF;
  static constexpr unsigned kMostBanks = 64;
  static constexpr unsigned kTurn = 2;  // cycles the bus is left alone between data of a read and of a write
  enum Wish : uint8_t { kNothing, kRead, kWrite, kActivate, kPrecharge };
  struct Waiting {
    DramAccess access;
    uint32_t burst;  // cycles on the bus
    uint16_t next;
    uint64_t age;
  };
  struct List {  // of requests, in order of arrival
    uint16_t first = kNone, last = kNone;
  };
  struct Bank {
    List open_row;  // what column commands can be given for, once the row is ready
    List others;
    bool open = false;
    bool closed_for_another = false;                    // the bank was open before
    uint64_t DramStats::*found = &DramStats::row_hits;  // what the next column command counts as
    uint64_t row = 0;
    DramCycle column{0}, write_column{0}, activate{0}, precharge{0};  // the first cycle for each command
    Wish wish = kNothing;  // and from when on, but for what all banks share; the age of the request it is for, with
    DramCycle ready{0};    // the bank in the low bits
    uint64_t age = 0;
  };
  // One kind of command: the banks that wish for it, and when the first of them may have it, but for what all share.
  struct Wishes {
    uint64_t banks = 0;
    DramCycle first = kNever;
  };

  bool give_column(DramCycle now);
  bool give_activate(DramCycle now);
  bool give_precharge(DramCycle now);
  uint64_t oldest(Wish wish, DramCycle now) const;
  bool is_due(Wish wish, DramCycle now) const { return wishes_[wish].first <= now; }
  void hold_bus(const Waiting& waiting, DramCycle now);
  bool returns_full(DramCycle now) const;
  void promote(Bank& bank);
  void set_wish(unsigned bank);
  void add_wish(unsigned number, Bank& bank, Wish wish, DramCycle ready);
  void remove_wish(unsigned number, Bank& bank);
  DramCycle earliest(DramCycle from) const;
  DramCycle first_column(DramCycle from) const;
  DramCycle behind_refresh(DramCycle cycle) const;
  void append(List& list, uint16_t request);
  uint16_t remove_first(List& list);

  unsigned bytes_per_cycle_, tcl_, trp_, trc_, tras_, trcd_, trrd_, tccd_, twl_, twtr_, trefi_, trfc_, return_queue_;
  uint64_t refresh_ahead_;  // of that of channel 0
  bool first_ready_;
  DramCycle next_ = kNever;
  DramCycle bus_column_{0};                 // the first cycle at which a column command finds the bus free
  DramCycle read_from_{0}, write_from_{0};  // and for which the bus has been turned
  DramCycle next_activate_{0};              // of any bank
  std::array<Wishes, 5> wishes_;            // a bank has one
  std::vector<Bank> banks_;
  std::vector<Waiting> requests_;
  std::vector<uint16_t> free_;
  size_t queued_ = 0;
  uint64_t arrivals_ = 0;
  Ring<Finished> returns_;
  DramStats stats_;
  std::vector<DramCommand>* commands_ = nullptr;
};

}  // namespace heddle

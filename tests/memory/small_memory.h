// Parameter sets for tests, and a little machine that drives a MemorySystem as the cores would.
#pragma once

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "memory/memory_system.h"

namespace heddle::small_memory {

// The GDDR3 numbers of the papers, behind a plain network and L2.
inline MemoryParameters gddr3() {
  MemoryParameters p{};
  p.channels = 1;
  p.channel_interleave = 256;
  p.network_latency = 8;
  p.network_bytes = 32;
  p.network_queue = 8;
  p.network_concentration = 1;
  p.packet_header = p.reply_header = 8;
  p.l2_bytes = 16384;
  p.l2_line = 64;
  p.l2_ways = 8;
  p.l2_latency = 10;
  p.l2_mshrs = 32;
  p.l2_merges = 32;
  p.l2_queue = 8;
  p.atomic_cycles = 1;
  p.dram_banks = 8;
  p.dram_row_bytes = 2048;
  p.dram_bytes_per_cycle = 8;
  p.dram_queue = 32;
  p.tcl = 10;
  p.trp = 10;
  p.trc = 35;
  p.tras = 25;
  p.trcd = 12;
  p.trrd = 8;
  p.tccd = 1;
  p.first_ready = true;
  return p;
}

// The same as the simulator of the papers has it: the whole bus, which must be turned between reads and writes; replies
// without a header, three cores at a port; an L2 that takes its time for a miss and passes writes on.
inline MemoryParameters shipped() {
  MemoryParameters p = gddr3();
  p.network_latency = 1;
  p.network_queue = p.l2_queue = 1024;
  p.network_concentration = 3;
  p.reply_header = 0;
  p.write_packet = MemoryParameters::WritePacket::Line;
  p.l2_miss_latency = 20;
  p.l2_miss_queue = 1024;
  p.l2_pass_writes = p.atomic_lanes = true;
  p.atomic_cycles = 0;
  p.dram_bytes_per_cycle = 16;
  p.tccd = 2;
  p.twl = 7;
  p.twtr = 6;
  return p;
}

// Lines of 128 bytes in sectors, of which DRAM brings two at a time.
inline MemoryParameters sectored() {
  MemoryParameters p = gddr3();
  p.l2_line = 128;
  p.l2_sectors = true;
  p.dram_access = 64;
  return p;
}

// No network, no L2: a row hit takes 100 cycles, a conflict 300.
inline MemoryParameters fixed_latency() {
  MemoryParameters p = gddr3();
  p.network_latency = p.network_bytes = 0;
  p.l2_bytes = 0;
  p.dram_bytes_per_cycle = 128;
  p.tcl = 99;
  p.trp = p.trcd = 100;
  p.trc = p.tras = p.trrd = 0;
  p.first_ready = false;
  return p;
}

inline Request read(Address address, uint16_t core = 0, uint32_t tag = 0, uint16_t line = 64) {
  return {Request::Kind::Read, true, core, line, line, 0, 0, false, tag, address};
}
inline Request write(Address address, uint16_t bytes, uint16_t core = 0, uint16_t line = 64) {
  return {Request::Kind::Write, false, core, bytes, line, 0, 0, false, 0, address};
}
inline Request atomic(Address address, uint16_t operations, bool answered = true, uint16_t core = 0, uint32_t tag = 0) {
  return {Request::Kind::Atomic,
          answered,
          core,
          static_cast<uint16_t>(4 * operations),
          64,
          operations,
          0,
          false,
          tag,
          address};
}

inline Request read_sectors(Address address, Sectors sectors, uint16_t core = 0, uint32_t tag = 0) {
  const auto bytes = static_cast<uint16_t>(count_of(sectors) * kSectorBytes);
  return {Request::Kind::Read, true, core, bytes, 128, 0, sectors, false, tag, address};
}
// A write of `bytes` bytes from the `from`-th of a line of 128 on, in one half of it.
inline Request write_part(Address address, unsigned from, unsigned bytes) {
  Request request = write(address, static_cast<uint16_t>(bytes), 0, 128);
  request.written[from / 64] = (bytes == 64 ? ~uint64_t{0} : (uint64_t{1} << bytes) - 1) << from % 64;
  request.sectors = sectors_of(request.written);
  return request;
}

struct Arrival {
  uint64_t time;  // ticks
  uint16_t core;
  uint32_t tag;
  bool operator==(const Arrival&) const = default;
};

// A request that a core wants to send at `time`, or as soon after it as there is room.
struct Wish {
  Tick time;
  Request request;
};

class Driver {
 public:
  Driver(const MemoryParameters& parameters, const Clocks& clocks, unsigned cores, bool skip = true)
      : memory(parameters, clocks, cores, skip), clocks_(clocks), wishes_(cores) {}

  // Wishes of one core are sent in order.
  void want(uint64_t time, const Request& request) { wishes_[request.core].push_back({Tick(time), request}); }

  // Runs until nothing is wanted and all is quiet, or until `end`.
  const std::vector<Arrival>& run(Tick end = kNever) {
    while (now_ != kNever && now_ < end) {
      memory.before_cores(now_);
      for (const Reply& reply : memory.replies()) arrivals.push_back({now_.count(), reply.core, reply.tag});
      if (clocks_.core.edge(now_)) send();
      memory.after_cores(now_);
      const Tick next = std::min(memory.next(), next_wish());
      if (next != kNever && (next <= now_ || now_.count() > 100'000'000)) throw std::logic_error(stuck());
      now_ = next;
    }
    if (now_ == kNever) now_ = last_ + 1;
    return arrivals;
  }

  MemorySystem memory;
  std::vector<Arrival> arrivals;

 private:
  std::string stuck() const {
    std::string text = "no end, or time stands still\n";
    memory.explain(text);
    return text;
  }
  void send() {
    last_ = now_;
    for (auto& wishes : wishes_)
      while (!wishes.empty() && wishes.front().time <= now_ && memory.room(wishes.front().request.core)) {
        memory.send(wishes.front().request, now_);
        wishes.pop_front();
      }
  }
  // A core without room asks at every cycle: simple, and what freed() spares others.
  Tick next_wish() const {
    Tick next = kNever;
    for (const auto& wishes : wishes_)
      if (!wishes.empty())
        next = std::min(next, clocks_.core.time(clocks_.core.at_or_after(std::max(wishes.front().time, now_ + 1))));
    return next;
  }

  Clocks clocks_;
  std::vector<std::deque<Wish>> wishes_;
  Tick now_, last_;
};

}  // namespace heddle::small_memory

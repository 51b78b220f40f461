// The numbers of a core, as keys and as values.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "config/config.h"
#include "program/unit.h"

namespace heddle {

struct UnitTiming {
  unsigned latency;   // cycles from issue until the warp may issue again
  unsigned interval;  // cycles until the unit takes another warp instruction
};

struct CacheShape {
  unsigned bytes, line, ways;  // no bytes: no such cache
  bool sectors = false;        // it keeps and asks for parts of lines
  bool on_fill = false;        // a line takes its way when it comes, not when it is asked for
  bool hash = false;           // of lines, to sets
  bool on_write = false;       // sectors that a store writes whole are there from then on
};

struct CoreParameters {
  unsigned warp_size, simd_width;
  unsigned interval;     // cycles a warp instruction takes at the issue port: warp_size / simd_width
  unsigned sub_cores;    // each issues by itself
  unsigned form_cycles;  // from one sub-warp of a large warp to the next, if more
  std::array<UnitTiming, kUnits> units;
  bool mul_with_f32;                             // products and 32-bit floating point take one pipe
  unsigned third_read, wide_result;              // cycles more that such an instruction takes its unit,
  unsigned third_port;                           // and the port
  unsigned special_queue, special_queue_cycles;  // places in front of that unit, and cycles to its other end
  unsigned double_thirds, jump_thirds;  // of a cycle more that one of double precision, and a jump, takes the port
  unsigned barrier_interval;
  unsigned warp_interval;      // between warps that start
  unsigned store_latency;      // until a block may leave that has stored; 0: at once
  unsigned parameter_latency;  // from the first block of a launch until its parameters are there
  unsigned branch_latency, barrier_latency, sync_latency,
      vote_latency;                        // until a warp goes on behind such an instruction
  unsigned memory_stage;                   // cycles from issue to the memory stage
  bool shared_pipeline;                    // all instructions pass the memory stage, in order
  bool register_scoreboard;                // several instructions of a warp under way
  unsigned threads;                        // resident threads: local memory is interleaved over them
  unsigned shared_latency, const_latency;  // where there is no conflict
  unsigned shared_banks, shared_pass, shared_ports, store_pass;
  unsigned shared_atomic_cycles;                    // more, for each pass of an atomic
  unsigned shared_cas_cycles, shared_retry_cycles;  // more, until what was found is there
  unsigned coalesce_lanes, coalesce_bytes;
  unsigned stage_cycles;  // a warp instruction takes the memory stage
  unsigned memory_queue, address_interval;
  unsigned memory_apart;  // cycles from one of a warp to the next, where they follow each other
  bool reply_slots;
  unsigned private_bytes;  // of on-chip local memory
  CacheShape l1, constant, texture, instruction;
  unsigned l1_latency, l1_mshrs, l1_merges;
  bool l1_mshr_each;  // access, not each line
  unsigned l1_cycle, l1_read_ports, l1_write_ports, l1_miss_ports;
  unsigned l1_banks;                 // words that a load reads at once; 0: lines
  bool local_back;                   // stores to local memory stay in the L1
  bool l1_past;                      // loads of what others may have written pass the L1
  bool store_runs;                   // of a warp stay together
  unsigned store_lines, store_wait;  // that wait for more stores, and for how long
  bool l1_write_back;                // global stores that hit stay in the L1
  bool atomic_lanes;                 // each lane of an atomic is a request of its own
  bool atomic_sectors;  // lanes of an atomic in one sector are one operation, unless they are on one address
  bool constant_lines;  // constants of one line are read as one
  unsigned constant_ports;
  unsigned instruction_bytes;
  unsigned near_lines;   // of the instruction cache of a sub-core
  unsigned lines_ahead;  // fetched with one that is executed

  bool keeps_dirty() const { return local_back || l1_write_back; }  // lines that are written back when they must go
  const UnitTiming& unit(Unit which) const { return units[static_cast<size_t>(which)]; }
  static std::span<const Key> room_keys();  // of what is resident on a core, with a clock or without
  static std::span<const Key> keys();       // of the rest: they count at cycle level only
  // Throws Error (Usage) with the key's name where the values contradict each other.
  static CoreParameters from(const Config& config);
};

}  // namespace heddle
